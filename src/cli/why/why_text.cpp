// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cli/question/left_out.hpp"
#include "cli/question/partition_rules.hpp"
#include "cli/question/queue_order.hpp"
#include "cli/why/why_report.hpp"
#include "text/excerpt.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::size_t most_listed = 5;

std::string job_line(const JobQuestion& question) {
    const JobRecord& job = *question.job;
    return fmt::format("job {} ({}) of {}, {} in partition {}\n", job.label(), excerpt(job.name),
                       job.user, job.state_text, question.viewer.partition->name);
}

std::string block_name(const Topology& topology, BlockIndex block) {
    return block == no_block ? "no block" : topology.block_name(block);
}

/// The first ones in words, and how many more there are.
template <typename Each, typename Words>
std::string some_of(const std::vector<Each>& all, const Words& words,
                    const char* others = " and ") {
    std::string text;
    for (const Each& each : std::span(all).first(std::min(most_listed, all.size())))
        text += (text.empty() ? "" : ", ") + words(each);
    if (all.size() > most_listed)
        text += fmt::format("{}{} more", others, all.size() - most_listed);
    return text;
}

/// "base blocks with 16 or more usable nodes: 5, 3 of them in one block of 72; with 15: 6; with
/// none: 1".
std::string counts_line(const BaseBlockRoom& counts) {
    if (counts.wanted == 0) return "";
    std::string text =
        fmt::format("base blocks with {} or more usable nodes: {}", counts.wanted, counts.enough);
    if (counts.level_size > 0 && counts.enough > 0)
        text += fmt::format(", {} of them in one block of {}", counts.enough_together,
                            counts.level_size);
    const std::size_t listed = std::min(most_listed, counts.lacking.size());
    for (std::size_t i = 0; i < listed; ++i)
        text += fmt::format("; with {}: {}", counts.lacking[i].usable, counts.lacking[i].blocks);
    std::uint32_t rest = 0;
    for (std::size_t i = listed; i < counts.lacking.size(); ++i) rest += counts.lacking[i].blocks;
    if (rest > 0) {
        const std::uint32_t least = counts.lacking.back().usable;
        const std::uint32_t most = counts.lacking[listed].usable;
        text += fmt::format(
            "; with {}: {}",
            least == most ? fmt::to_string(least) : fmt::format("{} to {}", least, most), rest);
    }
    if (counts.empty > 0) text += fmt::format("; with none: {}", counts.empty);
    return text + '\n';
}

std::string drained_line(const ClusterState& state, const Diagnosis& diagnosis) {
    if (diagnosis.drained.empty()) return "";
    const auto words = [&](const DrainedBlock& each) {
        return fmt::format("{} in {} ({})", each.nodes.count(),
                           block_name(state.topology(), each.block),
                           state.cluster.nodes.hostlist(each.nodes));
    };
    return fmt::format("out of service: {}\n",
                       some_of(diagnosis.drained, words, ", and nodes in "));
}

std::string required_lines(const ClusterState& state, const JobQuestion& question,
                           const Diagnosis& diagnosis) {
    std::string text;
    const std::vector<RequiredNode> nodes = required_not_usable(state, question, diagnosis);
    const std::size_t listed = std::min(most_listed, nodes.size());
    for (std::size_t i = 0; i < listed; ++i)
        text += fmt::format("requires {}: {}\n", nodes[i].name, nodes[i].because);
    if (nodes.size() > listed)
        text += fmt::format("and {} more that it cannot use now\n",
                            plural(nodes.size() - listed, "node"));
    return text;
}

/// "4703 of bob (18 nodes, 22:00)": what it holds of the nodes that the job would get.
std::string holder(const ClusterState& state, const JobRecord& job, const NodeSet& wanted) {
    return fmt::format("{} of {} ({}, {})", job.label(), job.user,
                       plural(count_of_both(job.nodes, wanted), "node"),
                       job.end ? short_time(*job.end, state.now) : "no end");
}

std::string ended_before(const ClusterState& state, const Forecast& forecast) {
    std::vector<std::string> names;
    for (const JobRecord* job : forecast.ended)
        names.push_back(holder(state, *job, forecast.nodes));
    for (const ReservationRecord* each : forecast.released)
        names.push_back("reservation " + each->name);
    const auto as_it_is = [](const std::string& name) { return name; };
    return names.empty() ? "" : ", when these have ended: " + some_of(names, as_it_is);
}

/// ", with 2 more base blocks that have 16 usable nodes".
std::string more_blocks(const Diagnosis& diagnosis) {
    const std::uint32_t more = diagnosis.forecast.more_blocks;
    if (more == 0) return "";
    return fmt::format(", with {} more base {} {}", more,
                       more == 1 ? "block that has" : "blocks that have",
                       plural(diagnosis.counts.wanted, "usable node"));
}

std::string forecast_line(const ClusterState& state, const JobQuestion& question,
                          const Diagnosis& diagnosis) {
    const Forecast& forecast = diagnosis.forecast;
    if (forecast.start)
        return fmt::format(
            "could start at {} (in {}) if no other job comes first{}{}{}{}\n",
            short_time(*forecast.start, state.now), duration_text(*forecast.start - state.now),
            nothing_else_holds(*question.job) ? "" : " and nothing else holds it",
            is_too_late(question, *forecast.start) ? ", too late for its deadline" : "",
            more_blocks(diagnosis), ended_before(state, forecast));
    std::string text = "would not start even when all jobs with a known end have ended";
    if (forecast.endless_nodes > 0)
        text += fmt::format("; {} used by jobs without one or that are not shown",
                            plural(forecast.endless_nodes, "node") +
                                (forecast.endless_nodes == 1 ? " is" : " are"));
    return text + '\n';
}

std::string suggestion_line(const ClusterState& state, const Suggestion& suggestion) {
    const std::string& because = suggestion.because;
    return fmt::format("  {}{}\n",
                       suggestion.repaired.empty()
                           ? suggestion.option
                           : state.cluster.nodes.hostlist(suggestion.repaired) + " back in service",
                       because.empty() ? "" : fmt::format(" ({})", because));
}

std::string reason_line(const JobRecord& job) {
    std::string text =
        fmt::format("Slurm's reason: {}: {}", job.reason, explain_reason(job.reason));
    if (!job.dependency.empty()) text += fmt::format(" ({})", job.dependency);
    return text + '\n';
}

/// Those that slurmctld looks at first, and when it plans to start the job after them.
std::string queue_lines(const ClusterState& state, const Diagnosis& diagnosis) {
    const auto words = [](const JobRecord* job) {
        return fmt::format("{} of {} ({})", job->label(), job->user,
                           plural(job->min_nodes, "node"));
    };
    std::string text;
    if (!diagnosis.before.empty())
        text += fmt::format("{} before it: {}\n", plural(diagnosis.before.size(), "pending job"),
                            some_of(diagnosis.before, words));
    if (const auto start = diagnosis.planned_start)
        text += fmt::format("slurmctld plans to start it at {} (in {})\n",
                            short_time(*start, state.now), duration_text(*start - state.now));
    return text;
}

std::string state_line(const Diagnosis& diagnosis) {
    const Availability& nodes = diagnosis.nodes;
    return fmt::format("now: {} of {} usable, {} busy, {} out of service, {} reserved\n",
                       diagnosis.usable.count(),
                       plural(nodes.free.count() + nodes.busy.count() + nodes.drained.count() +
                                  nodes.reserved.count(),
                              "node"),
                       diagnosis.busy.count(), nodes.drained.count(), nodes.reserved.count());
}

/// Why a job waits that fits now.
std::string kept_by(const JobQuestion& question) {
    if (question.job->reason == "Priority") return ", but jobs of higher priority are ahead of it";
    return question.not_considered.empty() ? "; something other than its blocks keeps it waiting"
                                           : "";
}

std::string verdict(const JobQuestion& question, const Diagnosis& diagnosis) {
    if (diagnosis.told)
        return fmt::format("does not fit, as slurmctld found: {}\n{}", diagnosis.told->sentence,
                           diagnosis.answer_fits()
                               ? "note: by the records it fits now: slurmctld keeps nodes for "
                                 "other jobs, counts what they do not show, or has not tested it "
                                 "since they changed\n"
                               : "");
    if (!diagnosis.fits())
        return "does not fit, by the records: " + sentence(std::get<Refusal>(diagnosis.answer)) +
               '\n';
    const auto& placement = std::get<Placement>(diagnosis.answer);
    return fmt::format("fits now, {}: on {} in {}{}\n",
                       diagnosis.start_heard ? "as slurmctld found" : "by the records",
                       plural(placement.nodes.count(), "node"),
                       plural(placement.blocks.size(), "base block"), kept_by(question));
}

std::string will_run_line(const ClusterState& state, const Diagnosis& diagnosis) {
    if (!diagnosis.will_run || diagnosis.will_run->nodes.empty()) return "";
    const std::string& preempted = diagnosis.will_run->preempted;
    return fmt::format("slurmctld would give it {}{}\n",
                       state.cluster.nodes.hostlist(diagnosis.will_run->nodes),
                       preempted.empty() ? "" : ", after preempting jobs " + preempted);
}

std::string remark_lines(const JobQuestion& question) {
    std::string text;
    for (const std::string& remark : question.remarks) text += "note: " + remark + '\n';
    if (const std::string remark = too_hopeful(question); !remark.empty()) text += remark + '\n';
    return text;
}

/// How a running job's nodes lie in the NVLink cliques; nothing where no node names one.
std::string clique_lines(const ClusterState& state, const JobQuestion& question,
                         const PlaceQuality& quality) {
    if (!quality.cliques_known) return "";
    std::string text = fmt::format("NVLink cliques in use: {}", quality.cliques);
    if (quality.without_clique > 0)
        text += fmt::format("; {} without one", plural(quality.without_clique, "node"));
    if (quality.segments > 0)
        text += fmt::format("; segments of {}: {} of {} whole in a clique",
                            question.request.segment_size, quality.segments_in_clique,
                            quality.segments);
    text += '\n';
    if (quality.crossed.empty())
        return text + "no base block has nodes of the job in several cliques\n";
    const auto name = [&](BlockIndex block) { return state.topology().block_name(block); };
    return text + "base blocks with nodes of the job in several cliques: " +
           some_of(quality.crossed, name) + '\n';
}

}  // namespace

std::string request_words(const JobQuestion& question) {
    const Request& request = question.request;
    std::string text = plural(request.min_nodes, "node");
    if (request.sized_by_totals)
        text = fmt::format("nodes with {} in all, {} or more", plural(request.cpus, "CPU"),
                           request.min_nodes);
    else if (request.max_nodes != request.min_nodes)
        text = fmt::format("{} to {} nodes", request.min_nodes, request.max_nodes);
    if (request.segment_size != 0)
        text += request.min_nodes % request.segment_size == 0
                    ? fmt::format(" as {} of {}",
                                  plural(request.min_nodes / request.segment_size, "segment"),
                                  request.segment_size)
                    : fmt::format(" in segments of {}", request.segment_size);
    if (request.spread_segments) text += ", no two in one base block";
    if (request.consolidate_segments) text += ", all in one aggregated block";
    if (request.exclusive) text += ", exclusive base blocks";
    if (request.gpus > 0) text += fmt::format(", {} in all", plural(request.gpus, "GPU"));
    if (!question.required.empty())
        text += fmt::format(", {} of them by name", question.required.count());
    if (!question.job->features.empty())
        text += fmt::format(", with features {}", question.job->features);
    if (!question.job->reservation.empty())
        text += fmt::format(", in reservation {}", question.job->reservation);
    const auto longest = longest_run(*question.job, *question.viewer.partition);
    text +=
        longest ? fmt::format(", for up to {}", duration_text(*longest)) : ", without a time limit";
    if (question.viewer.duration != longest)
        text += fmt::format(", {} at least", duration_text(*question.viewer.duration));
    return text;
}

std::string pending_text(const ClusterState& state, const JobQuestion& question,
                         const Diagnosis& diagnosis) {
    std::string text = job_line(question);
    text += fmt::format("asks for: {}\n", request_words(question));
    text += remark_lines(question) + state_line(diagnosis) + verdict(question, diagnosis) +
            will_run_line(state, diagnosis);
    if (!diagnosis.fits())
        text += required_lines(state, question, diagnosis) + counts_line(diagnosis.counts) +
                drained_line(state, diagnosis);
    text += reason_line(*question.job) + queue_lines(state, diagnosis);
    if (diagnosis.fits() || diagnosis.permanent()) return text;
    if (!diagnosis.answer_fits()) text += forecast_line(state, question, diagnosis);
    if (diagnosis.suggestions.empty())
        return text + (question.not_considered.empty() && !diagnosis.answer_fits()
                           ? "no single change would let it start now\n"
                           : "");
    text += "would start now with any one of these, if nothing else holds it:\n";
    for (const Suggestion& suggestion : diagnosis.suggestions)
        text += suggestion_line(state, suggestion);
    return text;
}

std::string running_text(const ClusterState& state, const JobQuestion& question,
                         const PlaceQuality& quality) {
    const JobRecord& job = *question.job;
    std::string text = job_line(question);
    text += fmt::format("has: {} in {}; the fewest possible in an empty cluster: {}\n",
                        plural(job.nodes.count(), "node"),
                        plural(quality.base_blocks, "base block"), quality.fewest_blocks);
    if (quality.outside > 0)
        text += fmt::format("{} in no block\n", plural(quality.outside, "node"));
    if (quality.segments > 0)
        text +=
            fmt::format("segments of {}: {} of {} whole in a base block\n",
                        question.request.segment_size, quality.whole_segments, quality.segments);
    text += clique_lines(state, question, quality);
    for (BlockIndex block = 0; block < state.topology().block_count(); ++block)
        if (const std::uint32_t count = state.topology().count(block, job.nodes); count > 0)
            text += fmt::format("  {}: {}\n", state.topology().block_name(block),
                                plural(count, "node"));
    if (!job.told.empty()) text += fmt::format("by slurmctld: {}\n", job.told);
    if (job.end) text += fmt::format("ends by {}\n", short_time(*job.end, state.now));
    return text;
}

}  // namespace nvl72block::cli
