// SPDX-License-Identifier: GPL-2.0-or-later
//
// What keeps the exact search small: prices for whatever is scarce. docs/placement-search.md has
// the reasons and an example ("Prices").
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "placement/search/label_table.hpp"
#include "placement/search/shape_tree.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

class Prices {
  public:
    /// `costs`: block_costs() of the tree.
    Prices(const CostLayout& layout, const ShapeTree& tree, const std::vector<LabelTable>& costs,
           Effort& effort);

    /// Prices the limits on lower blocks and base blocks; the tree must have one scope.
    void price_limits();
    /// Prices what an answer as good as one of cost `known` may have no more of.
    void price_components(const Cost& known);

    /// Whether the tree's scopes can hold an answer (as good as the one given).
    [[nodiscard]] bool possible() const { return slack_ >= 0; }
    [[nodiscard]] std::int64_t slack() const { return slack_; }

    /// What an amount of a base block is worth.
    [[nodiscard]] std::int64_t worth_of_block(std::uint32_t nodes, const std::uint64_t* cost) const;
    /// What a used vertex above level 0 is worth less than its children.
    [[nodiscard]] std::int64_t charge(std::size_t level, std::uint32_t vertex, bool breaks) const {
        return charges_[level][breaks && tally_.whole(level, vertex) ? 1 : 0];
    }
    /// The most that a vertex of a shape can be worth, and the most without breaking a whole block.
    [[nodiscard]] std::int64_t most_worth(std::size_t level, std::uint32_t shape,
                                          bool breaks) const {
        return most_worth_[level][shape][breaks ? 1 : 0].worth;
    }
    /// Whether a vertex of the shape lies below a whole block whose breaking has a price: then an
    /// amount that breaks nothing is measured by the best that breaks nothing.
    [[nodiscard]] bool below_whole(std::size_t level, std::uint32_t shape) const {
        return below_whole_[level][shape] != 0;
    }
    /// Most vertices of a level that an answer may use.
    [[nodiscard]] std::uint32_t most_used(std::size_t level) const;

  private:
    /// Something that has a price. A limit on blocks is one on what is used of their level.
    struct Scarce {
        Component component;
        std::int64_t bound = 0;  // the most that an answer may have
        std::int64_t price = 0;
    };
    struct Best {
        std::int64_t worth = 0;
        std::int64_t used = 0;  // of the last of scarce_, where that much is reached
    };
    using MostWorth = std::array<Best, 2>;  // without breaking a whole block, and in any case

    /// Whether there are steps for so many trials: half of what was left at first is for the
    /// search.
    [[nodiscard]] bool may_try(std::uint64_t trials = 1) const {
        const std::uint64_t steps = labels_ * (1 + scarce_.size() / 2) + children_;
        return effort_.steps + trials * steps <= last_step_;
    }
    /// Of what was added to the scarce last, also how much the best parts use.
    void evaluate();
    void evaluate_block(std::size_t shape);
    void evaluate_aggregate(std::size_t level, std::size_t shape);
    /// What a price of the scarce that was added last leads to.
    struct Point {
        std::int64_t price = 0;
        std::int64_t slack = 0;
        std::int64_t slope = 0;
    };
    Point try_price(std::int64_t price);
    Point find_price();
    bool adjust();
    [[nodiscard]] bool price(const Component& component, std::int64_t bound);
    void find_below_whole();

    const Tally& tally_;
    const CostLayout& layout_;
    const Problem& problem_;
    const ShapeTree& tree_;
    const std::vector<LabelTable>& costs_;
    Effort& effort_;
    std::vector<Scarce> scarce_;
    std::vector<std::array<std::int64_t, 2>> charges_;    // per level; the second if broken
    std::vector<std::vector<MostWorth>> most_worth_;      // per level, per shape
    std::vector<std::vector<std::uint8_t>> below_whole_;  // the same
    std::uint64_t last_step_;
    std::uint64_t labels_ = 0, children_ = 0;  // that a trial looks at
    std::int64_t slack_ = 0;
};

}  // namespace nvl72block
