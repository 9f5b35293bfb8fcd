// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/replay/replay_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

#include "cli/input/input_error.hpp"
#include "cli/input/text_file.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/take_item.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* workload_remedy =
    "write llm, small, capability, inference or services:SHARE, such as llm,services:0.1";

using Figures = const replay::LogFigures& (*)();
const std::map<std::string, Figures> generators = {{"llm", replay::llm_figures},
                                                   {"small", replay::small_figures},
                                                   {"capability", replay::capability_figures},
                                                   {"inference", replay::inference_figures}};

replay::Source read_trace(const std::string& file, std::ostream& notes) {
    check_readable("--trace", file);
    std::ifstream stream(file);
    try {
        replay::Trace trace = replay::read_trace(stream, file);
        if (trace.not_run != 0)
            notes << fmt::format("note: {}: {} that never ran left out\n", file,
                                 plural(trace.not_run, "job"));
        notes << lost_ends_note(trace.ends_lost);
        if (trace.early_days != 0)
            notes << fmt::format("note: {}: the first {}, nearly empty, left out with {}\n", file,
                                 plural(trace.early_days, "day"), plural(trace.early_jobs, "job"));
        return {std::move(trace.jobs), 0};
    } catch (const replay::TraceError& error) {
        throw InputError(error.what());
    }
}

double parse_share(const std::string& text) {
    const auto share = number_of<double>(text);
    if (!share || *share <= 0 || *share > 1)
        throw InputError("--workload", fmt::format("\"{}\" is not a share", text),
                         "write a number above 0 and up to 1 after the colon");
    return *share;
}

/// "NAME" or "NAME:SHARE".
replay::Source parse_workload(const std::string& text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string name = text.substr(0, colon);
    const double share = colon < text.size() ? parse_share(text.substr(colon + 1)) : 0;
    if (const auto found = generators.find(name); found != generators.end())
        return {&found->second(), share};
    if (name != "services")
        throw InputError("--workload", fmt::format("unknown workload \"{}\"", name),
                         workload_remedy);
    if (share == 0)
        throw InputError("--workload", "services need a share of the nodes", workload_remedy);
    return {replay::Services{}, share};
}

bool is_services(const replay::Source& source) {
    return std::holds_alternative<replay::Services>(source.jobs);
}

}  // namespace

std::vector<std::string> split_at_commas(const std::string& text) {
    std::vector<std::string> parts;
    std::string_view rest = text;
    do parts.emplace_back(take_item(rest));
    while (!rest.empty());
    if (text.ends_with(',')) parts.emplace_back();
    return parts;
}

std::string lost_ends_note(std::size_t jobs) {
    if (jobs == 0) return {};
    return fmt::format(
        "note: {} without an end, and past the time limit for over a day, counted as ended at the "
        "limit (sacctmgr show runawayjobs)\n",
        plural(jobs, "job"));
}

replay::SegmentRule parse_segment_rule(const std::string& text) {
    const std::optional<replay::SegmentRule> rule = replay::SegmentRule::parse(text);
    if (!rule)
        throw InputError("--segment-rule", fmt::format("\"{}\" is not a rule", text),
                         "write nvidia, plain or FROM:SEGMENT,... such as 32:16,8:4,1:0");
    return *rule;
}

std::vector<replay::Source> replay_sources(const std::string& traces, const std::string& workload,
                                           std::ostream& notes) {
    std::vector<replay::Source> sources;
    std::vector<replay::Source> services;
    if (!traces.empty())
        for (const std::string& file : split_at_commas(traces))
            sources.push_back(read_trace(file, notes));
    if (!workload.empty())
        for (const std::string& part : split_at_commas(workload)) {
            replay::Source source = parse_workload(part);
            (is_services(source) ? services : sources).push_back(std::move(source));
        }
    if (sources.empty())
        throw InputError("--workload", "services alone have no end", workload_remedy);
    sources.insert(sources.end(), services.begin(), services.end());
    return sources;
}

void check_shares(const std::vector<replay::Source>& sources, double load) {
    double shares = 0;
    bool rest = false;
    for (const replay::Source& source : sources) {
        shares += source.share;
        rest = rest || source.share == 0;
    }
    if (shares > 1)
        throw InputError("--workload", "the shares exceed the cluster", "write a total of up to 1");
    if (rest && load > 0 && shares >= load)
        throw InputError("--workload",
                         fmt::format("the shares leave nothing of --load {} for the rest", load),
                         "write smaller shares or a larger --load");
}

}  // namespace nvl72block::cli
