// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/why_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "cli/why/pending_reason.hpp"
#include "cli/why/required_nodes.hpp"
#include "text/excerpt.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_listed = 5;

std::string job_line(const JobQuestion& question) {
    const JobRecord& job = *question.job;
    return fmt::format("job {} ({}) of {}, {} in partition {}\n", job.label(), excerpt(job.name),
                       job.user, job.state_text, question.viewer.partition->name);
}

std::string block_name(const Topology& topology, BlockIndex block) {
    return block == no_block ? "no block" : topology.block_name(block);
}

/// The first ones, and how many more there are.
std::string some_of(const std::vector<std::string>& names) {
    const auto first = std::span(names).first(std::min(most_listed, names.size()));
    std::string text = fmt::format("{}", fmt::join(first, ", "));
    if (names.size() > first.size())
        text += fmt::format(" and {} more", names.size() - first.size());
    return text;
}

std::uint32_t nodes_in_both(const NodeSet& one, const NodeSet& other) {
    std::uint32_t count = 0;
    one.for_each([&](NodeIndex node) { count += other.test(node) ? 1 : 0; });
    return count;
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
    std::string text = "out of service:";
    std::size_t listed = 0;
    for (const DrainedBlock& each : diagnosis.drained) {
        if (listed == most_listed) break;
        text += fmt::format("{} {} in {} ({})", listed++ == 0 ? "" : ",", each.nodes.count(),
                            block_name(state.topology(), each.block),
                            state.cluster.nodes.hostlist(each.nodes));
    }
    if (diagnosis.drained.size() > listed)
        text += fmt::format(", and nodes in {} more", diagnosis.drained.size() - listed);
    return text + '\n';
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
                       plural(nodes_in_both(job.nodes, wanted), "node"),
                       job.end ? short_time(*job.end, state.now) : "no end");
}

std::string ended_before(const ClusterState& state, const Forecast& forecast) {
    std::vector<std::string> names;
    for (const JobRecord* job : forecast.ended)
        names.push_back(holder(state, *job, forecast.nodes));
    for (const ReservationRecord* each : forecast.released)
        names.push_back("reservation " + each->name);
    return names.empty() ? "" : ", when these have ended: " + some_of(names);
}

/// ", with 2 more base blocks that have 16 usable nodes".
std::string more_blocks(const Diagnosis& diagnosis) {
    const std::uint32_t more = diagnosis.forecast.more_blocks;
    if (more == 0) return "";
    return fmt::format(", with {} more base {} {} usable {}", more,
                       more == 1 ? "block that has" : "blocks that have", diagnosis.counts.wanted,
                       diagnosis.counts.wanted == 1 ? "node" : "nodes");
}

std::string forecast_line(const ClusterState& state, const Diagnosis& diagnosis) {
    const Forecast& forecast = diagnosis.forecast;
    if (forecast.start)
        return fmt::format("could start at {} (in {}) if no other job comes first{}{}\n",
                           short_time(*forecast.start, state.now),
                           duration_text(*forecast.start - state.now), more_blocks(diagnosis),
                           ended_before(state, forecast));
    std::string text = "would not start even when all jobs with a known end have ended";
    if (forecast.endless_nodes > 0)
        text += fmt::format("; {} used by jobs without one or that are not shown",
                            plural(forecast.endless_nodes, "node") +
                                (forecast.endless_nodes == 1 ? " is" : " are"));
    return text + '\n';
}

/// The reasons for which nodes are out of service, each once.
std::string repair_reasons(const ClusterState& state, const NodeSet& nodes) {
    std::vector<std::string> reasons;
    nodes.for_each([&](NodeIndex node) {
        const std::string& reason = state.nodes[node].reason;
        if (!reason.empty() && std::ranges::find(reasons, reason) == reasons.end())
            reasons.push_back(reason);
    });
    std::string text;
    for (const std::string& reason : reasons) text += (text.empty() ? "" : "; ") + reason;
    return text;
}

std::string suggestion_line(const ClusterState& state, const Suggestion& suggestion) {
    std::string text = suggestion.option;
    std::string because = suggestion.because;
    if (!suggestion.repaired.empty()) {
        text = fmt::format("{} back in service", state.cluster.nodes.hostlist(suggestion.repaired));
        because = repair_reasons(state, suggestion.repaired);
    }
    return fmt::format("  {}{}\n", text, because.empty() ? "" : fmt::format(" ({})", because));
}

/// Backfill's, after the jobs before it; nullopt: none, or past.
std::optional<SlurmTime> planned_start(const ClusterState& state, const JobRecord& job) {
    return job.start && *job.start > state.now && job.eligible.value_or(state.now) <= state.now
               ? job.start
               : std::nullopt;
}

std::string reason_line(const JobRecord& job) {
    std::string text =
        fmt::format("Slurm's reason: {}: {}", job.reason, explain_reason(job.reason));
    if (!job.dependency.empty()) text += fmt::format(" ({})", job.dependency);
    return text + '\n';
}

/// Those that slurmctld looks at first, and when it plans to start the job after them.
std::string queue_lines(const ClusterState& state, const JobRecord& job,
                        const Diagnosis& diagnosis) {
    std::vector<std::string> names;
    for (const JobRecord* each : diagnosis.before)
        names.push_back(fmt::format("{} of {} ({})", each->label(), each->user,
                                    plural(each->min_nodes, "node")));
    std::string text;
    if (!names.empty())
        text +=
            fmt::format("{} before it: {}\n", plural(names.size(), "pending job"), some_of(names));
    if (const auto start = planned_start(state, job))
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

std::string verdict(const Diagnosis& diagnosis, bool certain) {
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
                       diagnosis.will_run ? "as slurmctld found" : "by the records",
                       plural(placement.nodes.count(), "node"),
                       plural(placement.blocks.size(), "base block"),
                       certain ? "; something other than its blocks keeps it waiting" : "");
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
    if (!question.not_considered.empty())
        text += fmt::format("not considered: {}; the answer may be too hopeful\n",
                            fmt::join(question.not_considered, ", "));
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
        text += fmt::format(
            "; segments of {}: {} of {} whole in a clique", question.request.segment_size,
            std::min(quality.segments_in_clique, quality.segments), quality.segments);
    text += '\n';
    if (quality.crossed.empty())
        return text + "no base block has nodes of the job in several cliques\n";
    std::vector<std::string> names;
    for (const BlockIndex block : quality.crossed)
        names.push_back(state.topology().block_name(block));
    return text + "base blocks with nodes of the job in several cliques: " + some_of(names) + '\n';
}

Json request_json(const JobQuestion& question) {
    const Request& request = question.request;
    Json json = {{"words", request_words(question)},
                 {"min_nodes", request.min_nodes},
                 {"max_nodes", request.max_nodes},
                 {"segment_size", request.segment_size},
                 {"spread_segments", request.spread_segments},
                 {"consolidate_segments", request.consolidate_segments},
                 {"exclusive_topo", request.exclusive}};
    json["duration"] = question.viewer.duration ? Json(*question.viewer.duration) : Json(nullptr);
    return json;
}

Json job_json(const ClusterState& state, const JobQuestion& question) {
    const JobRecord& job = *question.job;
    return {{"job", job.label()},
            {"name", job.name},
            {"user", job.user},
            {"state", job.state_text},
            {"partition", question.viewer.partition->name},
            {"time", time_text(state.now)},
            {"request", request_json(question)},
            {"remarks", question.remarks},
            {"not_considered", question.not_considered}};
}

Json blocks_json(const ClusterState& state, const Diagnosis& diagnosis) {
    Json lacking = Json::array();
    for (const BaseBlockRoom::Short& each : diagnosis.counts.lacking)
        lacking.push_back({{"usable", each.usable}, {"blocks", each.blocks}});
    Json drained = Json::array();
    for (const DrainedBlock& each : diagnosis.drained)
        drained.push_back(
            {{"block", each.block == no_block ? Json(nullptr)
                                              : Json(state.topology().block_name(each.block))},
             {"nodes", state.cluster.nodes.hostlist(each.nodes)},
             {"count", each.nodes.count()}});
    return {{"wanted_per_block", diagnosis.counts.wanted},
            {"enough", diagnosis.counts.enough},
            {"lacking", std::move(lacking)},
            {"empty", diagnosis.counts.empty},
            {"level_size", diagnosis.counts.level_size},
            {"enough_in_one_block_of_level", diagnosis.counts.enough_together},
            {"out_of_service", std::move(drained)}};
}

Json forecast_json(const ClusterState& state, const Forecast& forecast) {
    Json jobs = Json::array();
    for (const JobRecord* job : forecast.ended) jobs.push_back(job->label());
    Json json;
    json["start"] = forecast.start ? Json(time_text(*forecast.start)) : Json(nullptr);
    json["seconds"] = forecast.start ? Json(*forecast.start - state.now) : Json(nullptr);
    json["after_jobs"] = std::move(jobs);
    Json holders = Json::array();
    for (const JobRecord* job : forecast.ended)
        holders.push_back({{"job", job->label()},
                           {"user", job->user},
                           {"nodes", nodes_in_both(job->nodes, forecast.nodes)},
                           {"end", job->end ? Json(time_text(*job->end)) : Json(nullptr)}});
    json["holders"] = std::move(holders);
    Json released = Json::array();
    for (const ReservationRecord* each : forecast.released) released.push_back(each->name);
    json["after_reservations"] = std::move(released);
    json["more_blocks"] = forecast.more_blocks;
    json["endless_nodes"] = forecast.endless_nodes;
    return json;
}

Json refusal_json(const Diagnosis& diagnosis) {
    const auto* refusal = std::get_if<Refusal>(&diagnosis.answer);
    Json json;
    json["source"] = diagnosis.told ? "slurmctld" : "records";
    json["code"] = refusal != nullptr ? Json(to_string(refusal->reason)) : Json(nullptr);
    json["sentence"] = diagnosis.told ? diagnosis.told->sentence : sentence(*refusal);
    json["permanent"] = diagnosis.permanent();
    json["proven"] = refusal == nullptr || refusal->proven;
    return json;
}

Json will_run_json(const ClusterState& state, const Diagnosis& diagnosis) {
    if (!diagnosis.will_run) return nullptr;
    const WillRun& said = *diagnosis.will_run;
    return {{"partition", said.partition},
            {"nodes", state.cluster.nodes.hostlist(said.nodes)},
            {"start", said.start ? Json(time_text(*said.start)) : Json(nullptr)},
            {"preempted", said.preempted}};
}

Json suggestions_json(const ClusterState& state, const Diagnosis& diagnosis) {
    Json json = Json::array();
    for (const Suggestion& each : diagnosis.suggestions)
        json.push_back(each.repaired.empty()
                           ? Json{{"option", each.option}, {"because", each.because}}
                           : Json{{"repaired", state.cluster.nodes.hostlist(each.repaired)},
                                  {"because", repair_reasons(state, each.repaired)}});
    return json;
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
    return text + (question.viewer.duration
                       ? fmt::format(", for up to {}", duration_text(*question.viewer.duration))
                       : ", without a time limit");
}

std::string pending_text(const ClusterState& state, const JobQuestion& question,
                         const Diagnosis& diagnosis) {
    std::string text = job_line(question);
    text += fmt::format("asks for: {}\n", request_words(question));
    text += remark_lines(question) + state_line(diagnosis) +
            verdict(diagnosis, question.not_considered.empty()) + will_run_line(state, diagnosis);
    if (!diagnosis.fits())
        text += required_lines(state, question, diagnosis) + counts_line(diagnosis.counts) +
                drained_line(state, diagnosis);
    text += reason_line(*question.job) + queue_lines(state, *question.job, diagnosis);
    if (diagnosis.fits() || diagnosis.permanent()) return text;
    if (!diagnosis.answer_fits()) text += forecast_line(state, diagnosis);
    if (diagnosis.suggestions.empty())
        return text + (question.not_considered.empty() && !diagnosis.answer_fits()
                           ? "no single change would let it start now\n"
                           : "");
    text += "would start now with any one of these, if nothing else holds it:\n";
    for (const Suggestion& suggestion : diagnosis.suggestions)
        text += suggestion_line(state, suggestion);
    return text;
}

Json pending_json(const ClusterState& state, const JobQuestion& question,
                  const Diagnosis& diagnosis) {
    Json json = job_json(state, question);
    json["usable"] = diagnosis.usable.count();
    json["busy"] = diagnosis.busy.count();
    json["out_of_service"] = diagnosis.nodes.drained.count();
    json["reserved"] = diagnosis.nodes.reserved.count();
    json["fits"] = diagnosis.fits();
    json["will_run"] = will_run_json(state, diagnosis);
    if (!diagnosis.fits()) {
        json["refusal"] = refusal_json(diagnosis);
        json["blocks"] = blocks_json(state, diagnosis);
        json["required_not_usable"] = Json::array();
        for (const RequiredNode& each : required_not_usable(state, question, diagnosis))
            json["required_not_usable"].push_back({{"node", each.name}, {"because", each.because}});
    }
    json["reason"] = {{"slurm", question.job->reason},
                      {"words", explain_reason(question.job->reason)},
                      {"jobs_of_higher_priority", diagnosis.before.size()}};
    json["before"] = Json::array();
    for (const JobRecord* each : diagnosis.before)
        json["before"].push_back({{"job", each->label()},
                                  {"user", each->user},
                                  {"nodes", each->min_nodes},
                                  {"priority", each->priority}});
    const auto planned = planned_start(state, *question.job);
    json["planned_start"] = planned ? Json(time_text(*planned)) : Json(nullptr);
    if (!diagnosis.fits()) {
        json["forecast"] =
            diagnosis.answer_fits() ? Json(nullptr) : forecast_json(state, diagnosis.forecast);
        json["suggestions"] = suggestions_json(state, diagnosis);
    }
    return json;
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
        text += fmt::format("segments of {}: {} of {} whole in a base block\n",
                            question.request.segment_size,
                            std::min(quality.whole_segments, quality.segments), quality.segments);
    text += clique_lines(state, question, quality);
    for (BlockIndex block = 0; block < state.topology().block_count(); ++block)
        if (const std::uint32_t count = state.topology().count(block, job.nodes); count > 0)
            text += fmt::format("  {}: {}\n", state.topology().block_name(block),
                                plural(count, "node"));
    if (!job.told.empty()) text += fmt::format("by slurmctld: {}\n", job.told);
    if (job.end) text += fmt::format("ends by {}\n", short_time(*job.end, state.now));
    return text;
}

Json running_json(const ClusterState& state, const JobQuestion& question,
                  const PlaceQuality& quality) {
    Json json = job_json(state, question);
    json["nodes"] = state.cluster.nodes.hostlist(question.job->nodes);
    json["base_blocks"] = quality.base_blocks;
    json["fewest_base_blocks"] = quality.fewest_blocks;
    json["segments"] = quality.segments;
    json["whole_segments"] = std::min(quality.whole_segments, quality.segments);
    json["outside_blocks"] = quality.outside;
    json["receipt"] = question.job->told.empty() ? Json(nullptr) : Json(question.job->told);
    if (!quality.cliques_known) return json;
    Json crossed = Json::array();
    for (const BlockIndex block : quality.crossed)
        crossed.push_back(state.topology().block_name(block));
    json["cliques"] = {{"used", quality.cliques},
                       {"nodes_without_clique", quality.without_clique},
                       {"whole_segments", std::min(quality.segments_in_clique, quality.segments)},
                       {"crossed_in_blocks", std::move(crossed)}};
    return json;
}

}  // namespace nvl72block::cli
