// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/shadow/shadow_report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <nlohmann/json.hpp>

#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::size_t most_listed = 10;

std::string local_time(std::int64_t seconds) {
    const auto time = static_cast<std::time_t>(seconds);
    return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(time));
}

std::string microseconds(const DecisionTimes& times) {
    constexpr std::uint64_t nanoseconds = 1000;
    return fmt::format("median {} us, 99 of 100 at most {} us, longest {} us",
                       times.median / nanoseconds, times.most_of_100 / nanoseconds,
                       times.longest / nanoseconds);
}

/// "1 of 4 (25 %)"
std::string part(std::size_t count, std::size_t of) {
    return of == 0 ? fmt::format("{}", count)
                   : fmt::format("{} of {} ({:.1f} %)", count, of,
                                 100.0 * static_cast<double>(count) / static_cast<double>(of));
}

std::string answer_text(const std::optional<NodeSet>& nodes, const RackUse& use) {
    if (!nodes) return "no nodes";
    return fmt::format("{} in {}", plural(nodes->count(), "node"), plural(use.racks, "rack"));
}

std::string request_text(const ShadowRecord& record) {
    const std::string_view least = record.text("min");
    const std::string_view most = record.text("max");
    std::string text =
        fmt::format("{}{} nodes", least, least == most ? "" : fmt::format(" to {}", most));
    if (const auto segment = record.number("segment"))
        text += fmt::format(", segments of {}", *segment);
    for (const char* key : {"tres.job", "tres.node", "tres.socket", "tres.task"})
        if (!record.text(key).empty()) text += fmt::format(", {}", record.text(key));
    if (const auto switches = record.number("switches"))
        text += fmt::format(", --switches={}", *switches);
    return text;
}

/// All that is known of a decision that must not be.
std::string full_text(const ShadowFile& file, std::size_t number) {
    const ShadowDecision& decision = file.decisions[number];
    std::string text = "  " + decision_line(file, number) + "\n";
    for (const auto& [key, value] : decision.record.fields)
        text += fmt::format("      {}={}\n", key, value);
    return text;
}

void append_list(const ShadowFile& file, const std::vector<std::size_t>& numbers,
                 std::string_view title, std::string& text) {
    if (numbers.empty()) return;
    text += fmt::format("\n{}\n", title);
    for (std::size_t i = 0; i < std::min(numbers.size(), most_listed); ++i)
        text += fmt::format("  {}\n", decision_line(file, numbers[i]));
    if (numbers.size() > most_listed)
        text += fmt::format("  and {} more\n", numbers.size() - most_listed);
}

nlohmann::ordered_json times_json(const DecisionTimes& times) {
    return {
        {"median_ns", times.median}, {"p99_ns", times.most_of_100}, {"longest_ns", times.longest}};
}

nlohmann::ordered_json decision_json(const ShadowFile& file, std::size_t number) {
    const ShadowDecision& decision = file.decisions[number];
    nlohmann::ordered_json json = {
        {"decision", number + 1},
        {"time", decision.time},
        {"job", decision.job},
        {"request", request_text(decision.record)},
        {"block_nodes", node_ranges(decision.block.value_or(NodeSet()))},
        {"block_racks", decision.block_use.racks},
        {"nvl72block_nodes", node_ranges(decision.ours.value_or(NodeSet()))},
        {"nvl72block_racks", decision.ours_use.racks}};
    if (!decision.record.text("why").empty()) json["why"] = decision.record.text("why");
    if (decision.waited) json["waited_seconds"] = *decision.waited;
    return json;
}

nlohmann::ordered_json list_json(const ShadowFile& file, const std::vector<std::size_t>& numbers) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const std::size_t number : numbers) list.push_back(decision_json(file, number));
    return list;
}

}  // namespace

const std::vector<std::string>& shadow_limits() {
    static const std::vector<std::string> limits = {
        "Each decision was compared in the state that topology/block had left. After the first "
        "difference two clusters would have gone separate ways, so the differences do not add up; "
        "nvl72block replay compares whole histories.",
        "Jobs that topology/block held and nvl72block would have placed: they might have taken "
        "nodes from jobs that started instead.",
        "The last decision before slurmctld ended is missing, and so are jobs whose end was not "
        "seen; forecasts and tests at submission are not counted."};
    return limits;
}

std::string decision_line(const ShadowFile& file, std::size_t number) {
    const ShadowDecision& decision = file.decisions[number];
    std::string line = fmt::format(
        "{} job {}: {}: topology/block {}, nvl72block {}", local_time(decision.time), decision.job,
        request_text(decision.record), answer_text(decision.block, decision.block_use),
        decision.waits ? "would wait for --switches"
                       : answer_text(decision.ours, decision.ours_use));
    if (!decision.record.text("why").empty())
        line += fmt::format(" ({})", decision.record.text("why"));
    if (decision.unlike)
        line += fmt::format("; it got {} nodes of {} to {}, {} CPUs of {} and {} GPUs of {}",
                            decision.block->count(), decision.record.number("min").value_or(0),
                            decision.record.number("max").value_or(0),
                            decision.record.number("cpus.block").value_or(0),
                            decision.record.number("min.cpus").value_or(0),
                            decision.record.number("gpus.block").value_or(0),
                            decision.record.number("gpus").value_or(0));
    if (decision.waited) line += fmt::format("; waited {} s", *decision.waited);
    return line + fmt::format(" (--export {})", number + 1);
}

ShadowFigures shadow_figures(const ShadowFile& file, const ShadowSummary& summary) {
    const std::size_t released = summary.held.size() - summary.still_held;
    ShadowFigures figures = {
        {"decisions recorded", fmt::format("{}", summary.decisions)},
        {"started by topology/block", fmt::format("{}", summary.started)},
        {"  nvl72block: the same nodes", part(summary.same_nodes, summary.started)},
        {"  other nodes in as many racks", part(summary.same_racks, summary.started)},
        {"  fewer racks",
         fmt::format("{}, {} racks fewer", part(summary.fewer_racks, summary.started),
                     summary.racks_saved)},
        {"  more racks", fmt::format("{}, {} racks more", part(summary.more_racks, summary.started),
                                     summary.racks_lost)},
        {"  would wait for --switches", fmt::format("{}", summary.ours_waits.size())},
        {"  would hold (must be 0)", fmt::format("{}", summary.ours_holds.size())},
        {"  would hold, started unlike the request", fmt::format("{}", summary.unlike.size())},
        {"whole racks kept",
         fmt::format("{} that topology/block broke; {} broken by nvl72block alone",
                     summary.whole_racks_kept, summary.whole_racks_broken)},
        {"held by topology/block, placed by nvl72block",
         fmt::format("{}; {} of them ended the wait, after {} s in all; {} still wait",
                     summary.held.size(), released, summary.waited_seconds, summary.still_held)},
        {"held by both", fmt::format("{} evaluations", file.both_held)},
        {"time of topology/block", microseconds(summary.block_time)},
        {"time of nvl72block", microseconds(summary.ours_time)},
    };
    figures.emplace_back("faults of nvl72block", fmt::format("{}", file.faults.size()));
    if (file.switched_off != 0)
        figures.emplace_back("comparison switched off", fmt::format("{}, after too many faults",
                                                                    local_time(file.switched_off)));
    if (file.lost != 0)
        figures.emplace_back("records not written", fmt::format("{} times", file.lost));
    if (file.damaged != 0)
        figures.emplace_back("damaged lines, left out", fmt::format("{}", file.damaged));
    if (file.unsettled != 0)
        figures.emplace_back("answers without a known end", fmt::format("{}", file.unsettled));
    return figures;
}

std::string shadow_text(const ShadowFile& file, const ShadowSummary& summary) {
    std::string text;
    if (!file.decisions.empty())
        text += fmt::format("Decisions from {} to {}\n\n", local_time(file.decisions.front().time),
                            local_time(file.decisions.back().time));
    for (const auto& [name, value] : shadow_figures(file, summary))
        text += fmt::format("{:<45}  {}\n", name, value);
    if (!summary.ours_holds.empty()) {
        text += "\nSTARTED BY topology/block, HELD BY nvl72block: please report each\n";
        for (const std::size_t number : summary.ours_holds) text += full_text(file, number);
    }
    append_list(
        file, summary.unlike,
        "Held by nvl72block, started by topology/block with fewer CPUs, or with more or fewer "
        "nodes or GPUs, than the job had asked for:",
        text);
    append_list(file, summary.ours_waits, "nvl72block would have waited for --switches:", text);
    append_list(file, summary.held, "Held by topology/block, placed by nvl72block:", text);
    append_list(file, summary.worst_racks, "The largest differences in racks:", text);
    if (!file.faults.empty()) text += "\nFaults of nvl72block, please report them:\n";
    for (std::size_t i = 0; i < std::min(file.faults.size(), most_listed); ++i)
        text += fmt::format("  {} {}: {}\n", local_time(file.faults[i].time), file.faults[i].kind,
                            file.faults[i].what);
    text += "\nWhat this comparison leaves open:\n";
    for (const std::string& limit : shadow_limits()) text += fmt::format("  {}\n", limit);
    return text;
}

nlohmann::ordered_json shadow_json(const ShadowFile& file, const ShadowSummary& summary) {
    nlohmann::ordered_json faults = nlohmann::ordered_json::array();
    for (const ShadowFault& fault : file.faults)
        faults.push_back({{"time", fault.time}, {"kind", fault.kind}, {"what", fault.what}});
    return {{"decisions", summary.decisions},
            {"started", summary.started},
            {"same_nodes", summary.same_nodes},
            {"same_racks", summary.same_racks},
            {"fewer_racks", summary.fewer_racks},
            {"more_racks", summary.more_racks},
            {"racks_saved", summary.racks_saved},
            {"racks_lost", summary.racks_lost},
            {"whole_racks_kept", summary.whole_racks_kept},
            {"whole_racks_broken", summary.whole_racks_broken},
            {"held_by_block", summary.held.size()},
            {"still_held", summary.still_held},
            {"waited_seconds", summary.waited_seconds},
            {"held_by_nvl72block", summary.ours_holds.size()},
            {"started_unlike_the_request", summary.unlike.size()},
            {"nvl72block_waits_for_switches", summary.ours_waits.size()},
            {"held_by_both", file.both_held},
            {"block_time", times_json(summary.block_time)},
            {"nvl72block_time", times_json(summary.ours_time)},
            {"questions", file.questions},
            {"unsettled", file.unsettled},
            {"lost", file.lost},
            {"damaged", file.damaged},
            {"switched_off", file.switched_off},
            {"faults", faults},
            {"held", list_json(file, summary.held)},
            {"held_by_nvl72block_in_full", list_json(file, summary.ours_holds)},
            {"worst_racks", list_json(file, summary.worst_racks)},
            {"limits", shadow_limits()}};
}

}  // namespace nvl72block::cli
