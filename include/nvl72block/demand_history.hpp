// SPDX-License-Identifier: GPL-2.0-or-later
//
// Demand learned from the jobs of a cluster, where what came long ago counts for less.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "nvl72block/demand.hpp"

namespace nvl72block {

/// Node-seconds by size of slot, each halved every half-life. Copies are independent.
class DemandHistory {
  public:
    /// Two weeks, in seconds.
    static constexpr double default_half_life = 14.0 * 24 * 3600;
    /// Times and amounts beyond these are nobody's: the year 9999, and 30 million times as many
    /// node-seconds as a cluster of 2^24 nodes has in a history.
    static constexpr std::int64_t latest_time = 253402300799;
    static constexpr double most_amount = 1e21;
    /// Sizes that are told apart; beyond it those with the smallest amounts are forgotten.
    static constexpr std::size_t most_sizes = 256;

    /// `half_life` in seconds, above 0.
    explicit DemandHistory(double half_life = default_half_life) : half_life_(half_life) {}

    /// What was asked for in slots of one size.
    struct Entry {
        std::uint32_t nodes = 0;  ///< per slot
        double amount = 0;        ///< node-seconds
    };

    /// A job, or the part of one, that took or awaited nodes until `time` (seconds, from any
    /// origin) in slots of Entry::nodes: the segment size, or the node count of a job without
    /// segments. A time before the latest one counts as the latest. 0 nodes and amounts that are
    /// not above 0 are ignored; a size has at most most_amount.
    void add(std::int64_t time, const Entry& entry);

    /// A job that had nodes for some time.
    struct Run {
        std::uint32_t nodes = 0;
        std::int64_t begin = 0;
        std::int64_t end = 0;
    };
    /// Node-seconds that add() would have of `run` at `time`, not before its end, if it had counted
    /// the job all the while.
    [[nodiscard]] double amount_of(const Run& run, std::int64_t time) const;

    /// What is added to what was asked for, and what is left out of it.
    struct Frame {
        /// On a cluster without history: so many node-seconds, not halved, divided equally among
        /// slots of these sizes.
        std::span<const std::uint32_t> prior_sizes = {};
        double prior_amount = 0;
        /// Nodes of the largest block of any level: larger sizes have no slots. 0: not known, none
        /// are left out.
        std::uint32_t largest = 0;
    };

    /// What was asked for until `time`, without sizes that only the whole cluster holds and slots
    /// of one node (a node taken is one slot less, wherever it is). tests/RESULTS.md has replays
    /// with more left out: none made waits shorter.
    [[nodiscard]] Demand demand(std::int64_t time, const Frame& frame) const;

    /// For a file: the entries as of latest(), by ascending size, and back.
    [[nodiscard]] std::vector<Entry> entries() const;
    [[nodiscard]] std::int64_t latest() const { return latest_; }
    void restore(std::int64_t latest, std::span<const Entry> entries);

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    /// Node-seconds of all sizes, as halved until `time`.
    [[nodiscard]] double amount(std::int64_t time) const;

  private:
    [[nodiscard]] double decay_until(std::int64_t time) const;
    void move_to(std::int64_t time);
    void forget_smallest();

    double half_life_;
    std::int64_t latest_ = 0;
    std::map<std::uint32_t, Entry> entries_;  // by size, as of latest_
};

}  // namespace nvl72block
