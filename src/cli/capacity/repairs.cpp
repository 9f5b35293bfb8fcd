// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/capacity/repairs.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "cli/question/node_use.hpp"
#include "cli/question/partition_rules.hpp"
#include "cli/question/queue_order.hpp"
#include "cli/question/repair.hpp"

namespace nvl72block::cli {
namespace {

/// Each job is a question to the engine for each repair.
constexpr std::size_t most_jobs = 16;
constexpr std::size_t most_repairs = 24;
constexpr std::size_t most_sizes = 4;

/// A waiting job that does not fit now, and what it could get.
struct Waiting {
    JobQuestion question;
    Offer offer;
};

class Search {
  public:
    Search(const ClusterState& state, const Viewer& viewer, const Availability& nodes,
           const JobMix& mix)
        : state_(state),
          viewer_(viewer),
          free_(nodes.free),
          idle_(idle_once_repaired(state, viewer, nodes.drained)),
          in_service_(visible_nodes(state, viewer)) {
        in_service_.subtract(nodes.drained);
        choose_sizes(mix);
        choose_jobs();
    }

    std::vector<Repair> run() {
        std::vector<NodeSet> sets;
        for (const Waiting& job : waiting_) add(sets, needed(job));
        const auto for_jobs = static_cast<std::ptrdiff_t>(sets.size());
        for (BlockIndex block = 0; block < topology_.block_count(); ++block)
            add(sets, fewest_in(block));
        std::vector<Repair> found;
        found.reserve(sets.size());
        for (NodeSet& nodes : sets) found.push_back(gains_of(std::move(nodes)));
        std::stable_sort(found.begin() + for_jobs, found.end(),
                         [&](const Repair& one, const Repair& other) {
                             return value_of(one) > value_of(other);
                         });
        if (found.size() > most_repairs) found.resize(most_repairs);
        for (Repair& each : found) each.jobs = started_by(each.nodes);
        std::ranges::stable_sort(found, std::greater<>(), [&](const Repair& each) {
            return std::tuple(per_node(each, nodes_started(each)), value_of(each));
        });
        return found;
    }

  private:
    void choose_sizes(const JobMix& mix) {
        std::set<std::uint32_t, std::greater<>> sizes{topology_.planning_size()};
        for (const JobMixShare& share : mix.shares)
            if (sizes.size() <= most_sizes && share.size > 1 &&
                share.size < topology_.planning_size())
                sizes.insert(share.size);
        sizes_.assign(sizes.begin(), sizes.end());
    }

    void choose_jobs() {
        if (idle_.empty() || !viewer_.partition->up) return;
        const Occupancy occupancy(state_);
        std::size_t asked = 0;
        for (const JobRecord* job : jobs_in_line(state_)) {
            if (!is_of(*job, *viewer_.partition) || !waits_for_nodes(state_, *job) ||
                !nothing_else_holds(*job))
                continue;
            if (++asked > most_jobs) return;
            JobQuestion question = job_question(state_, *job, job->segment_size, viewer_.partition);
            Offer offer = offer_at(state_, occupancy, question, question.viewer, state_.now);
            if (question.not_considered.empty() && !question.request.exclusive &&
                is_within_limits(*viewer_.partition, *job) &&
                !fits(state_, question, question.request, offer))
                waiting_.push_back({std::move(question), std::move(offer)});
        }
    }

    [[nodiscard]] NodeSet needed(const Waiting& job) const {
        return needed_repairs(state_, job.question, job.offer, idle_);
    }

    [[nodiscard]] std::uint32_t more(BlockIndex block, const NodeSet& before, std::uint32_t added,
                                     std::uint32_t size) const {
        const std::uint32_t had = topology_.count(block, before);
        return (had + added) / size - had / size;
    }

    /// Whether the block has all planned nodes only with those that are added.
    [[nodiscard]] bool becomes_whole(BlockIndex block, const NodeSet& before,
                                     std::uint32_t added) const {
        const std::uint32_t had = topology_.count(block, before);
        const std::uint32_t planned = topology_.planning_size();
        return had < planned && had + added >= planned;
    }

    /// The fewest nodes of a block that gain a segment now, or else later.
    [[nodiscard]] NodeSet fewest_in(BlockIndex block) const {
        NodeSet nodes(state_.nodes.size());
        const std::uint32_t all = topology_.count(block, idle_);
        std::uint32_t fewest = 0;
        for (const NodeSet* before : {&free_, &in_service_})
            for (std::uint32_t added = 1; added <= all && fewest == 0; ++added)
                for (const std::uint32_t size : sizes_)
                    if (more(block, *before, added, size) > 0) fewest = added;
        topology_.for_each(block, idle_, [&](NodeIndex node) {
            if (fewest == 0) return;
            nodes.set(node);
            --fewest;
        });
        return nodes;
    }

    static void add(std::vector<NodeSet>& sets, NodeSet nodes) {
        if (!nodes.empty() && std::ranges::find(sets, nodes) == sets.end())
            sets.push_back(std::move(nodes));
    }

    [[nodiscard]] Repair gains_of(NodeSet nodes) const {
        Repair repair;
        for (const std::uint32_t size : sizes_) repair.segments.push_back({size, 0, 0});
        for (BlockIndex block = 0; block < topology_.block_count(); ++block) {
            const std::uint32_t added = topology_.count(block, nodes);
            if (added == 0) continue;
            repair.blocks.push_back(block);
            repair.whole_now += becomes_whole(block, free_, added) ? 1 : 0;
            repair.whole_later += becomes_whole(block, in_service_, added) ? 1 : 0;
            for (SegmentGain& each : repair.segments) {
                each.now += more(block, free_, added, each.size);
                each.later += more(block, in_service_, added, each.size);
            }
        }
        std::erase_if(repair.segments,
                      [](const SegmentGain& each) { return each.now == 0 && each.later == 0; });
        repair.nodes = std::move(nodes);
        return repair;
    }

    [[nodiscard]] std::vector<const JobRecord*> started_by(const NodeSet& nodes) const {
        std::vector<const JobRecord*> jobs;
        for (const Waiting& job : waiting_)
            if (fits(state_, job.question, job.question.request,
                     with_idle(state_, job.question, job.offer, nodes)))
                jobs.push_back(job.question.job);
        return jobs;
    }

    static std::uint64_t nodes_started(const Repair& repair) {
        std::uint64_t nodes = 0;
        for (const JobRecord* job : repair.jobs) nodes += job->min_nodes;
        return nodes;
    }

    /// A gain for each repaired node, as a whole number.
    static std::uint64_t per_node(const Repair& repair, std::uint64_t gain) {
        constexpr std::uint64_t precision = 1000;
        return gain * precision / repair.nodes.count();
    }

    /// Nodes in whole segments of the largest size that gains, now before later.
    static std::tuple<std::uint64_t, std::uint64_t> value_of(const Repair& repair) {
        std::uint64_t now = 0;
        std::uint64_t later = 0;
        for (const SegmentGain& each : repair.segments) {
            now = std::max<std::uint64_t>(now, std::uint64_t{each.now} * each.size);
            later = std::max<std::uint64_t>(later, std::uint64_t{each.later} * each.size);
        }
        return {per_node(repair, now), per_node(repair, later)};
    }

    const ClusterState& state_;
    const Viewer& viewer_;
    const Topology& topology_ = state_.topology();
    const NodeSet& free_;
    NodeSet idle_;
    NodeSet in_service_;
    std::vector<std::uint32_t> sizes_;
    std::vector<Waiting> waiting_;
};

}  // namespace

std::vector<Repair> repairs(const ClusterState& state, const Viewer& viewer,
                            const Availability& nodes, const JobMix& mix) {
    return Search(state, viewer, nodes, mix).run();
}

}  // namespace nvl72block::cli
