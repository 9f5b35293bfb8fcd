// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which node counts are worth a search: walks over the counts that the offers do not allow.
//
// Counts are "alike" where the same levels limit them. Under such limits a larger count is offered
// ever less for what it has more: one lower block more never gives more than the one before it
// gave. So where the smallest count of a rule is not offered, no larger one that is alike is
// offered. With required nodes that holds once all of their lower blocks may be used, if no lower
// block has more nodes than are planned; if some have, what lacks tells how many rules to pass
// over.
#pragma once

#include <cstdint>

#include "placement/counts/decision.hpp"

namespace nvl72block {

struct CountInterval {
    std::uint64_t least = 1;
    std::uint64_t most = 1;
};

class OfferedCounts {
  public:
    /// `level`: as Decision::problem() has it.
    explicit OfferedCounts(const Decision& decision, std::size_t level = 0)
        : decision_(decision), level_(level) {}

    [[nodiscard]] bool has(const Problem& problem) const {
        return decision_.most(problem) >= problem.nodes;
    }
    /// The counts alike a problem's, up to all nodes in blocks; of `one_rule`: those that may also
    /// use as many lower blocks.
    [[nodiscard]] CountInterval alike(const Problem& problem, bool one_rule = false) const;

    /// The next larger count that may be offered, where that of `problem` is not.
    [[nodiscard]] std::uint64_t above(const Problem& problem) const;
    /// The next smaller one; 0 if there is none.
    [[nodiscard]] std::uint64_t below(const Problem& problem) const;

  private:
    /// The nodes that a lower block of a problem's limit has by plan.
    [[nodiscard]] std::uint64_t planned_of(const Problem& problem) const {
        return decision_.topology().levels()[problem.limited_level].nodes;
    }
    /// The first count, under the limits of a problem's, that may use all lower blocks with
    /// required nodes; 0 where nothing is limited or required.
    [[nodiscard]] std::uint64_t first_with_required(const Problem& problem) const;
    /// The most usable nodes of a lower block; 0 where nothing is required.
    [[nodiscard]] std::uint64_t largest_lower(const Problem& problem) const;

    const Decision& decision_;
    std::size_t level_;
};

}  // namespace nvl72block
