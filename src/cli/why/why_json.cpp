// SPDX-License-Identifier: GPL-2.0-or-later
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/question/partition_rules.hpp"
#include "cli/why/why_report.hpp"

namespace nvl72block::cli {
namespace {

using Json = nlohmann::ordered_json;

/// null without a time.
Json time_json(const std::optional<SlurmTime>& time) {
    return time ? Json(time_text(*time)) : Json(nullptr);
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
    const auto longest = longest_run(*question.job, *question.viewer.partition);
    json["duration"] = longest ? Json(*longest) : Json(nullptr);
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
    Json holders = Json::array();
    for (const JobRecord* job : forecast.ended) {
        jobs.push_back(job->label());
        holders.push_back({{"job", job->label()},
                           {"user", job->user},
                           {"nodes", count_of_both(job->nodes, forecast.nodes)},
                           {"end", time_json(job->end)}});
    }
    Json released = Json::array();
    for (const ReservationRecord* each : forecast.released) released.push_back(each->name);
    return {{"start", time_json(forecast.start)},
            {"seconds", forecast.start ? Json(*forecast.start - state.now) : Json(nullptr)},
            {"after_jobs", std::move(jobs)},
            {"holders", std::move(holders)},
            {"after_reservations", std::move(released)},
            {"more_blocks", forecast.more_blocks},
            {"endless_nodes", forecast.endless_nodes}};
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
            {"start", time_json(said.start)},
            {"preempted", said.preempted}};
}

Json suggestions_json(const ClusterState& state, const Diagnosis& diagnosis) {
    Json json = Json::array();
    for (const Suggestion& each : diagnosis.suggestions) {
        Json suggestion;
        if (each.repaired.empty())
            suggestion["option"] = each.option;
        else
            suggestion["repaired"] = state.cluster.nodes.hostlist(each.repaired);
        suggestion["because"] = each.because;
        json.push_back(std::move(suggestion));
    }
    return json;
}

}  // namespace

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
    json["planned_start"] = time_json(diagnosis.planned_start);
    if (!diagnosis.fits()) {
        json["forecast"] =
            diagnosis.answer_fits() ? Json(nullptr) : forecast_json(state, diagnosis.forecast);
        json["suggestions"] = suggestions_json(state, diagnosis);
    }
    return json;
}

Json running_json(const ClusterState& state, const JobQuestion& question,
                  const PlaceQuality& quality) {
    Json json = job_json(state, question);
    json["nodes"] = state.cluster.nodes.hostlist(question.job->nodes);
    json["base_blocks"] = quality.base_blocks;
    json["fewest_base_blocks"] = quality.fewest_blocks;
    json["segments"] = quality.segments;
    json["whole_segments"] = quality.whole_segments;
    json["outside_blocks"] = quality.outside;
    json["receipt"] = question.job->told.empty() ? Json(nullptr) : Json(question.job->told);
    if (!quality.cliques_known) return json;
    Json crossed = Json::array();
    for (const BlockIndex block : quality.crossed)
        crossed.push_back(state.topology().block_name(block));
    json["cliques"] = {{"used", quality.cliques},
                       {"nodes_without_clique", quality.without_clique},
                       {"whole_segments", quality.segments_in_clique},
                       {"crossed_in_blocks", std::move(crossed)}};
    return json;
}

}  // namespace nvl72block::cli
