// SPDX-License-Identifier: GPL-2.0-or-later
//
// The demand of a cluster as its queue shows it: what runs and waits now, and what did so lately.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nvl72block/demand.hpp"
#include "nvl72block/demand_history.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

/// A job of the queue, as its record tells it.
struct QueueJob {
    enum class State { other, waiting, running };
    State state = State::other;      ///< a suspended job runs
    std::uint64_t priority = 0;      ///< 0: held
    std::int64_t begin = 0;          ///< it waits until then for nothing else, in seconds
    NodeSetView reach = {};          ///< the nodes that it has; while it waits, its partition's
    std::uint32_t nodes = 0;         ///< that it has, or needs at least
    std::uint32_t segment_size = 0;  ///< nodes per segment; 0: not segmented
    std::uint64_t cpus = 0;          ///< on all its nodes; 0: not known
    bool whole_nodes = false;        ///< it shares none with other jobs
    std::uint32_t array_tasks = 1;   ///< that wait as this record
};

/// Counts the queue's jobs again and again. What a count finds enters a history of node-seconds
/// (DemandHistory); the jobs of the latest count weigh as if they had been there for a day, and a
/// cluster without jobs or history wants slots of the size of its blocks (Ground::sizes). A history
/// from the accounting is the cluster's own, however short: then sizes of blocks do not count.
class LearnedDemand {
  public:
    /// Jobs of the latest count weigh so many seconds each.
    static constexpr double present_seconds = 24.0 * 3600;
    /// What a cluster without history is taken to want, blocks of every level, weighs as if it had
    /// asked for all nodes for so many seconds; less and less, until the history is as long as
    /// `full_history_seconds` of all nodes (tests/RESULTS.md has other values).
    static constexpr double prior_seconds = 24.0 * 3600;
    static constexpr double full_history_seconds = 3 * 24.0 * 3600;
    /// After a longer pause between two counts, in seconds, nobody knows what the queue was like:
    /// the later count stands for so much of it.
    static constexpr std::int64_t longest_pause = 3600;

    /// A count of all jobs begins at `time`, in seconds since any fixed time.
    void begin(std::int64_t time);
    /// One job that runs or could: it asks for slots of `slot_nodes` nodes (its segment size, or
    /// its node count without segments), `nodes` nodes in all; a part of a node is a fraction.
    /// Ignored: 0 nodes; amounts that are not above 0.
    void observe(std::uint32_t slot_nodes, double nodes);
    /// The same of a job's record; whether it counts: it runs, or waits only for what others have,
    /// with at least one of its nodes in a block. A job that shares nodes asks for as many of them
    /// as its CPUs fill, each of `cpus_a_node` (0: not known); no job asks for more than all nodes.
    bool observe(const Topology& topology, double cpus_a_node, const QueueJob& job);
    /// The node whose CPUs are `cpus_a_node`, as those of a cluster of racks are alike: the first
    /// one in a block.
    [[nodiscard]] static std::optional<NodeIndex> measuring_node(const Topology& topology);
    /// What is known of the cluster, in nodes.
    struct Ground {
        /// Of the blocks of the base level and of each level that has two complete ones: to keep
        /// the only one whole leaves the jobs of the first days the rest of the cluster, and the
        /// long ones among them break each smaller block there.
        std::vector<std::uint32_t> sizes;
        std::uint32_t nodes = 0;    ///< in all
        std::uint32_t largest = 0;  ///< block of any level; DemandHistory::Frame::largest

        [[nodiscard]] static Ground of(const Topology& topology);
    };
    /// Ends the count.
    void finish(const Ground& ground);

    LearnedDemand() = default;
    /// Goes on with what nobody but the caller has learned.
    explicit LearnedDemand(DemandHistory history) : history_(std::move(history)) {}
    /// Goes on with what jobs in the accounting asked for.
    [[nodiscard]] static LearnedDemand from_accounting(DemandHistory history);

    [[nodiscard]] const DemandHistory& history() const { return history_; }
    /// Takes the history of `other`, from the accounting, in place of its own if that has more
    /// node-seconds as of `now`, by more than a hundredth. A history that was adopted is not
    /// adopted again: what came since was added to it. Nothing counts twice where both know the
    /// same jobs.
    bool adopt(const LearnedDemand& other, std::int64_t now);

    /// As of the last finish(); off before it.
    [[nodiscard]] const Demand& demand() const { return demand_; }

    /// The history as lines of text, complete with an end mark, for a file.
    [[nodiscard]] std::string to_text() const;
    /// Takes over what to_text() gave; false with a sentence in `error`, and nothing is changed,
    /// when the text is another or not complete. A history from after `now` (the clock was set
    /// back) counts as of now.
    [[nodiscard]] bool restore(std::string_view text, std::int64_t now, std::string& error);

  private:
    [[nodiscard]] double prior_amount(const Ground& ground) const;

    DemandHistory history_;
    bool from_accounting_ = false;
    std::optional<std::int64_t> counted_;  // when the last count began
    std::int64_t begun_ = 0;
    std::map<std::uint32_t, double> present_;  // nodes by size of slot, of the count under way
    Demand demand_;
};

}  // namespace nvl72block
