// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "cli/question/left_out.hpp"
#include "cli/question/partition_rules.hpp"
#include "cli/question/queue_order.hpp"
#include "cli/why/asked_job.hpp"

namespace nvl72block::cli {
namespace {

/// Of the base blocks that have enough, the most in one block that could hold the whole job.
void count_together(const Topology& topology, const Request& request, NodeSetView usable,
                    BaseBlockRoom& counts) {
    const auto levels = topology.levels();
    for (std::size_t level = 0; level < levels.size(); ++level) {
        if (levels[level].nodes < request.min_nodes) continue;
        if (level == 0) return;  // one base block could hold it
        counts.level_size = levels[level].nodes;
        for (std::uint32_t each = 0; each < levels[level].aggregates; ++each) {
            std::uint32_t enough = 0;
            for (BlockIndex block = topology.first_block(level, each);
                 block < topology.last_block(level, each); ++block)
                if (topology.count(block, usable) >= counts.wanted) ++enough;
            counts.enough_together = std::max(counts.enough_together, enough);
        }
        return;
    }
}

BaseBlockRoom block_counts(const Topology& topology, const Request& request, NodeSetView usable) {
    BaseBlockRoom counts;
    const std::uint32_t wanted = request.segment_size != 0
                                     ? std::min(request.segment_size, request.min_nodes)
                                     : request.min_nodes;
    if (wanted > topology.planning_size()) return counts;
    counts.wanted = wanted;
    std::map<std::uint32_t, std::uint32_t, std::greater<>> lacking;
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        if (topology.is_hole(block)) continue;
        const std::uint32_t free = topology.count(block, usable);
        if (free >= wanted)
            ++counts.enough;
        else if (free == 0)
            ++counts.empty;
        else
            ++lacking[free];
    }
    for (const auto& [free, blocks] : lacking) counts.lacking.push_back({free, blocks});
    count_together(topology, request, usable, counts);
    return counts;
}

std::vector<DrainedBlock> drained_blocks(const Topology& topology, const NodeSet& drained) {
    std::map<BlockIndex, NodeSet> by_block;
    drained.for_each([&](NodeIndex node) {
        by_block.try_emplace(topology.block_of(node), drained.size()).first->second.set(node);
    });
    std::vector<DrainedBlock> blocks;
    blocks.reserve(by_block.size());
    for (auto& [block, nodes] : by_block) blocks.push_back({block, std::move(nodes)});
    std::ranges::stable_sort(blocks, std::greater<>(),
                             [](const DrainedBlock& each) { return each.nodes.count(); });
    return blocks;
}

std::optional<SlurmTime> planned_start(const ClusterState& state, const JobRecord& job) {
    const bool planned = job.start && *job.start > state.now;
    return planned && first_start(job, state.now) == state.now ? job.start : std::nullopt;
}

std::uint32_t blocks_needed(const Topology& topology, std::uint32_t nodes, std::uint32_t unit) {
    std::vector<std::uint32_t> offers;
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        offers.push_back(topology.block_nodes(block) / unit * unit);
    std::ranges::sort(offers, std::greater<>());
    std::uint32_t blocks = 0;
    for (std::uint32_t held = 0; held < nodes && blocks < offers.size(); ++blocks)
        held += offers[blocks];
    return blocks;
}

Placement placement_on(const Topology& topology, const NodeSet& nodes) {
    Placement placement;
    placement.nodes = nodes;
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        if (topology.count(block, nodes) > 0) placement.blocks.push_back(block);
    return placement;
}

/// What the job's nodes are for NVLink; `segment` is 0 for a job without segments of base blocks.
void add_cliques(const Topology& topology, const CliqueMap& cliques, const NodeSet& nodes,
                 std::uint32_t segment, PlaceQuality& quality) {
    quality.cliques_known = true;
    std::map<CliqueIndex, std::uint32_t> nodes_of;
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        std::map<CliqueIndex, std::uint32_t> here;
        topology.for_each(block, nodes, [&](NodeIndex node) { ++here[cliques.clique_of(node)]; });
        here.erase(no_clique);
        if (here.size() > 1) quality.crossed.push_back(block);
        // A segment lies in one base block: a clique that spans two counts in each of them.
        for (const auto& [clique, count] : here)
            if (segment > 0) quality.segments_in_clique += count / segment;
    }
    nodes.for_each([&](NodeIndex node) { ++nodes_of[cliques.clique_of(node)]; });
    if (const auto without = nodes_of.find(no_clique); without != nodes_of.end()) {
        quality.without_clique = without->second;
        nodes_of.erase(without);
    }
    quality.cliques = static_cast<std::uint32_t>(nodes_of.size());
}

/// Whether Slurm adds time to the job's start, for jobs of its or a higher priority.
bool is_delayed(const ClusterState& state, const JobQuestion& question) {
    return std::ranges::any_of(state.jobs, [&](const JobRecord& other) {
        return other.state == JobState::pending && other.id != question.job->id &&
               other.priority >= question.job->priority && is_of(other, *question.viewer.partition);
    });
}

/// "3 of the 8 nodes that it would get are "
std::string some_nodes(std::uint32_t some, const WillRun& said) {
    return fmt::format("{} of the {} nodes that it would get {} ", some, said.nodes.count(),
                       some == 1 ? "is" : "are");
}

/// Of a start on these nodes that is neither at once nor delayed by other jobs. Where slurmctld
/// does not name what it waits for, it can be the start that backfill planned before.
std::string why_later(const ClusterState& state, const WillRun& said, const NodeSet& usable) {
    NodeSet missing = said.nodes;
    missing.subtract(usable);
    if (!missing.empty()) return some_nodes(missing.count(), said) + "not free now";
    return fmt::format(
        "the nodes that it would get are usable by the records; slurmctld would "
        "start it there {}",
        said.start ? "at " + short_time(*said.start, state.now) : "later");
}

/// Nodes of a start at once that Slurm's test counts as free, and its start does not: those that
/// jobs are about to leave, and those that another user's jobs keep (--exclusive=user). Empty where
/// there are none.
std::string not_free(const ClusterState& state, const Occupancy& occupancy, const JobRecord& job,
                     const WillRun& said) {
    std::uint32_t completing = 0;
    std::uint32_t kept = 0;
    said.nodes.for_each([&](NodeIndex node) {
        completing += state.nodes[node].has(flag_completing) ? 1 : 0;
        kept += occupancy.is_kept_by_another_user(node, state.now, job) ? 1 : 0;
    });
    if (completing > 0) return some_nodes(completing, said) + "still completing";
    return kept > 0 ? some_nodes(kept, said) + "in use by another user's jobs" : "";
}

/// Whether slurmctld's test tells about the nodes that the job waits for. Nodes named with -w are
/// all that it tries, also where the job needs more of them; how many nodes of a feature the job
/// needs (-C 'a*4') it leaves out.
bool tells_about_nodes(const ClusterState& state, const JobQuestion& question,
                       const WillRun& said) {
    const bool names_too_few =
        !question.required.empty() && (question.request.sized_by_totals ||
                                       question.required.count() < question.request.min_nodes);
    return waits_for_nodes(state, *question.job) && !(said.nodes.empty() && names_too_few) &&
           question.job->features.find('*') == std::string::npos;
}

/// A start at once is one; a delayed one is, too, where slurmctld's nodes are free now.
void hear(const ClusterState& state, const Occupancy& occupancy, const JobQuestion& question,
          const WillRun& said, Diagnosis& result) {
    std::string taken = said.at_once ? not_free(state, occupancy, *question.job, said) : "";
    result.will_run = said;
    // Where too few nodes are in service, no plugin is asked: the sentence is that of before.
    if (!said.told.empty() && !(said.nodes.empty() && said.told == question.job->told))
        result.told = told_in(said.told);
    if (said.nodes.empty()) {
        if (!result.told)
            result.told = {"no nodes for it, even when all running jobs have ended", {}};
    } else if (!taken.empty()) {
        result.told.reset();
        // Where the records have other nodes, the job starts there.
        if (!result.answer_fits()) result.told = {std::move(taken), {}};
    } else if (said.at_once ||
               (!result.told && count_of_both(said.nodes, result.usable) == said.nodes.count() &&
                is_delayed(state, question))) {
        result.told.reset();
        result.answer = placement_on(state.topology(), said.nodes);
        result.start_heard = true;
    } else if (!result.told) {
        result.told = {why_later(state, said, result.usable), {}};
    }
}

}  // namespace

Diagnosis diagnose(const ClusterState& state, const JobQuestion& question,
                   const std::optional<WillRun>& will_run) {
    Diagnosis result;
    result.nodes = availability(state, question.viewer);
    const Occupancy occupancy(state);
    const Offer offer = offer_at(state, occupancy, question, question.viewer, state.now);
    result.usable = offer.usable;
    result.busy = result.nodes.busy;
    result.busy.subtract(result.usable);
    if (auto refusal = refused_by_partition(*question.viewer.partition, *question.job))
        result.answer = *std::move(refusal);
    else
        result.answer = ask(state, question, question.request, offer, result.nodes.drained);
    result.told = told_by_plugin(*question.job, state.now);
    const bool heard = will_run && tells_about_nodes(state, question, *will_run);
    if (heard && !result.permanent()) hear(state, occupancy, question, *will_run, result);
    result.counts = block_counts(state.topology(), question.request, result.usable);
    result.drained = drained_blocks(state.topology(), result.nodes.drained);
    result.before = jobs_before(state, *question.job, *question.viewer.partition);
    result.planned_start = planned_start(state, *question.job);
    if (result.fits() || result.permanent()) return result;
    if (result.told && question.not_considered.empty())
        for (const std::string& option : result.told->options)
            result.suggestions.push_back({option, NodeSet(), ""});
    if (result.answer_fits()) return result;
    result.forecast = forecast(state, occupancy, question);
    // slurmctld's test ends all running jobs, but no reservation.
    if (heard && will_run->nodes.empty() && result.forecast.released.empty()) result.forecast = {};
    if (result.forecast.start && result.counts.wanted > 0) {
        const std::uint32_t then =
            block_counts(state.topology(), question.request, result.forecast.usable).enough;
        result.forecast.more_blocks = then - std::min(then, result.counts.enough);
    }
    // Nothing starts a job now whose time has not come.
    if (!question.not_considered.empty() || first_start(*question.job, state.now) > state.now)
        return result;
    std::ranges::move(suggestions(state, occupancy, question, result.nodes, result.told),
                      std::back_inserter(result.suggestions));
    return result;
}

std::pair<JobQuestion, Diagnosis> diagnose(const ClusterState& state, const JobRecord& job,
                                           const AskSlurmctld& ask) {
    const bool told = told_by_plugin(job, state.now).has_value();
    // Of several partitions, slurmctld tests them only up to the first that could ever take it.
    const bool may_ask = ask && job.partition.find(',') == std::string::npos;
    const auto answer = [&](std::uint32_t segment_size, const PartitionRecord* partition,
                            const std::optional<WillRun>& said = std::nullopt) {
        JobQuestion question = job_question(state, job, segment_size, partition);
        const auto add = [&](std::string remark) {
            if (!remark.empty()) question.remarks.push_back(std::move(remark));
        };
        add(of_another_plugin(state));
        if (said && said->segment_size) std::erase(question.not_considered, hidden_segments);
        Diagnosis diagnosis = diagnose(state, question, said);
        if (diagnosis.start_heard) std::erase(question.not_considered, hidden_segments);
        if (!diagnosis.told && !diagnosis.answer_fits()) add(too_pessimistic(question));
        return std::pair(std::move(question), std::move(diagnosis));
    };
    const auto as_asked = [&](const std::optional<WillRun>& said) {
        return answer(std::max(job.segment_size, said->segment_size.value_or(0)),
                      state.find_partition(said->partition), said);
    };
    if (!told && may_ask)
        if (const auto said = ask(job)) return as_asked(said);
    for (const PartitionRecord& partition : state.partitions) {
        if (told) break;
        if (partition.name == job.partition || !is_of(job, partition) || !partition.up ||
            !is_within_limits(partition, job))
            continue;
        auto there = answer(job.segment_size, &partition);
        if (there.second.fits()) return there;
    }
    auto first = answer(job.segment_size, nullptr);
    if (told && may_ask && first.second.answer_fits())
        if (const auto said = ask(job)) return as_asked(said);
    return first;
}

PlaceQuality place_quality(const Topology& topology, const JobRecord& job,
                           std::uint32_t segment_size, const CliqueMap* cliques) {
    PlaceQuality quality;
    const std::uint32_t nodes = job.nodes.count();
    const bool within_blocks =
        segment_size > 0 && segment_size <= topology.planning_size() && nodes % segment_size == 0;
    std::uint32_t inside = 0;
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        const std::uint32_t here = topology.count(block, job.nodes);
        inside += here;
        if (here > 0) ++quality.base_blocks;
        if (within_blocks) quality.whole_segments += here / segment_size;
    }
    quality.outside = nodes - inside;
    quality.segments = within_blocks ? nodes / segment_size : 0;
    quality.fewest_blocks = blocks_needed(topology, inside, within_blocks ? segment_size : 1);
    if (cliques != nullptr)
        add_cliques(topology, *cliques, job.nodes, within_blocks ? segment_size : 0, quality);
    return quality;
}

}  // namespace nvl72block::cli
