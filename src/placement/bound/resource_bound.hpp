// SPDX-License-Identifier: GPL-2.0-or-later
//
// The most CPUs or GPUs that so many nodes can have under a rule: an upper bound, to pass over node
// counts that cannot hold a total.
#pragma once

#include <span>
#include <vector>

#include "placement/bound/priced.hpp"

namespace nvl72block {

class ResourceBound {
  public:
    /// `per_node`: the CPUs or GPUs of each node, of which there are to be `total`.
    ResourceBound(const Tally& tally, const State& state, std::span<const std::uint32_t> per_node,
                  std::uint64_t total);

    /// Whether problem.nodes nodes may have the total, or with `or_fewer` also fewer of them. Adds
    /// what it looks at to `steps`.
    [[nodiscard]] bool may_hold(const Problem& problem, bool or_fewer, std::uint64_t& steps) const;

    /// What `nodes` of the best nodes have beyond the total, wherever they lie.
    [[nodiscard]] std::uint64_t slack(std::uint32_t nodes) const {
        const std::uint64_t most = std::uint64_t{largest_} * nodes;
        return most - std::min(most, total_);
    }

    /// Whether any `nodes` nodes have it.
    [[nodiscard]] bool surely_holds(std::uint32_t nodes) const {
        return std::uint64_t{smallest_} * nodes >= total_;
    }

  private:
    /// What the best `nodes` nodes of a base block are worth beyond `price` each.
    [[nodiscard]] std::uint64_t surplus(BlockIndex block, std::uint32_t nodes,
                                        std::uint64_t price) const;

    /// The nodes of a base block that have a value or more.
    struct Richest {
        std::uint32_t value = 0;
        std::uint32_t nodes = 0;
        std::uint64_t sum = 0;
    };
    const Tally& tally_;
    std::uint64_t total_;
    std::vector<std::uint32_t> begin_{0};      // per base block, plus one
    std::vector<Richest> richest_;             // by falling value inside a block
    mutable std::vector<std::uint32_t> dear_;  // per base block: the end of those above a price
    std::uint32_t smallest_ = ~std::uint32_t{0};
    std::uint32_t largest_ = 0;
    // Prices at which the total was missed by most, or nearly missed: by the rule, and by the cap.
    mutable std::uint64_t price_ = 0;
    mutable std::uint64_t price_capped_ = 0;
};

}  // namespace nvl72block
