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

/// Amounts by size of slot, each halved every half-life. Copies are independent.
class DemandHistory {
  public:
    /// Two weeks, in seconds.
    static constexpr double default_half_life = 14.0 * 24 * 3600;
    /// Sizes that are told apart; beyond it those with the smallest amounts are forgotten.
    static constexpr std::size_t most_sizes = 256;

    /// `half_life` in seconds, above 0.
    explicit DemandHistory(double half_life = default_half_life) : half_life_(half_life) {}

    /// A job, or the part of one, that asked at `time` (seconds, from any origin) for slots of
    /// `slot_nodes` nodes: the segment size, or the node count of a job without segments. `amount`
    /// is the number of nodes it asked for, or any other measure that is the same in all calls. A
    /// time before the latest one counts as the latest. 0 nodes and amounts that are not above 0
    /// are ignored.
    void add(std::int64_t time, std::uint32_t slot_nodes, double amount);

    /// What is added to what was asked for, and what is left out of it.
    struct Frame {
        /// On a cluster without history: so much (in the measure of the amounts, not halved) for
        /// slots of the planning size.
        std::uint32_t prior_nodes = 1;
        double prior_amount = 0;
        /// Larger sizes are left out: what no base block holds is better served by whole blocks
        /// (docs/replay.md). 0: none are.
        std::uint32_t largest = 0;
    };

    /// What was asked for until `time`. Sizes whose amount times nodes is less than an eighth of
    /// that of a larger size are left out: they find room anyway, and keeping slots for them costs
    /// others (docs/replay.md).
    [[nodiscard]] Demand demand(std::int64_t time, const Frame& frame) const;

    /// For a file: the amounts as of latest(), by ascending size, and back.
    [[nodiscard]] std::vector<Demand::Amount> amounts() const;
    [[nodiscard]] std::int64_t latest() const { return latest_; }
    void restore(std::int64_t latest, std::span<const Demand::Amount> amounts);

    [[nodiscard]] bool empty() const { return amounts_.empty(); }

  private:
    [[nodiscard]] double decay_until(std::int64_t time) const;
    void move_to(std::int64_t time);
    void forget_smallest();

    double half_life_;
    std::int64_t latest_ = 0;
    std::map<std::uint32_t, double> amounts_;  // by size, as of latest_
};

}  // namespace nvl72block
