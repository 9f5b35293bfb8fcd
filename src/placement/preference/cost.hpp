// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order of preferences as one number of several words: each preference is a bit field, the
// first preference in the highest bits, so that comparing the words compares the preferences and
// adding the words adds them all.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "placement/state/tally.hpp"

namespace nvl72block {

/// A cost is `words()` consecutive 64-bit words, most significant first.
inline constexpr std::size_t max_cost_words = 16;
using Cost = std::array<std::uint64_t, max_cost_words>;
inline constexpr Cost no_cost{};

/// One preference of a layout, or its part about one weight class or level.
struct Component {
    enum class Kind { heavier, weight_sum, demand, broken, wasted, used, left, fullest, balance };
    Kind kind = Kind::heavier;
    std::size_t level = 0;                ///< of broken, used and left; of heavier the weight class
    std::uint16_t word = max_cost_words;  ///< that of all words: it has no room and is not kept
    std::uint16_t shift = 0;
    std::uint64_t mask = 0;

    [[nodiscard]] bool kept() const { return word < max_cost_words; }
    [[nodiscard]] std::uint64_t of(const std::uint64_t* cost) const {
        return (cost[word] >> shift) & mask;
    }
};

/// What the order is for: the preferences as they are; the same, but first the least sum of weights
/// instead of as many of the lightest as possible (totals.cpp says what for); the number of base
/// blocks, for which blocks above them do not count.
enum class Aim : std::uint8_t { preferences, total_weight, base_blocks };

class CostLayout {
  public:
    /// `island_rule`: how carved base blocks are cut.
    CostLayout(const Tally& tally, const Request& request, std::uint32_t nodes, Aim aim = {},
               const IslandRule& island_rule = {});

    /// What the costs are of.
    [[nodiscard]] const Tally& tally() const { return *tally_; }
    [[nodiscard]] std::size_t words() const { return words_; }
    /// What the bit fields mean, the first preference first; those without room are left out.
    [[nodiscard]] std::span<const Component> components() const { return components_; }
    /// Slots are kept, for which few large gaps serve better than many small ones: no block stays
    /// whole for its own sake, blocks above the base blocks do not count, the fullest base blocks
    /// are filled first, and nodes are shared out unevenly.
    [[nodiscard]] bool keeps_slots() const { return !tally_->slots().empty(); }
    /// Only base blocks cost anything.
    [[nodiscard]] bool flat() const { return levels_.size() == 1 && !keeps_slots(); }
    /// The last preferences found no room and do not count.
    [[nodiscard]] bool incomplete() const { return incomplete_; }

    /// Adds what taking `nodes` nodes from base block `block` costs at level 0.
    void add_block(Cost& cost, BlockIndex block, std::uint32_t nodes) const;
    /// Adds what taking `nodes` nodes from a block of a higher level costs at that level; `breaks`:
    /// a whole base block of it is broken.
    void add_aggregate(Cost& cost, std::size_t level, std::uint32_t index, std::uint32_t nodes,
                       bool breaks) const;
    /// The slots that a vertex loses with `nodes` nodes, by their value.
    [[nodiscard]] std::uint64_t lost_slots(std::size_t level, std::uint32_t index,
                                           std::uint32_t nodes) const {
        const std::span<const Slots> slots = tally_->slots();
        if (slots.empty() || level >= slots.size() || slots[level].empty()) return 0;
        return lost_value(slots[level], tally_->idle(level, index),
                          tally_->idle_taken(level, index, nodes));
    }
    /// Whether a whole base block is broken at this cost.
    [[nodiscard]] bool breaks(const std::uint64_t* cost) const {
        return broken_mask_ != 0 && (cost[levels_[0].broken.word] & broken_mask_) != 0;
    }

    /// What weights add to a cost lies in the first words: so many.
    [[nodiscard]] std::size_t weight_words() const;
    /// Appends what each of `units` further units of `unit_nodes` nodes adds to the weights of a
    /// base block that gives `nodes` nodes without them: weight_words() words per unit.
    void append_unit_weights(std::vector<std::uint64_t>& weights, BlockIndex block,
                             std::uint32_t nodes, std::uint32_t unit_nodes,
                             std::uint32_t units) const;

    void add(Cost& sum, const Cost& other) const {
        for (std::size_t i = 0; i < words_; ++i) sum[i] += other[i];
    }
    [[nodiscard]] bool less(const Cost& a, const Cost& b) const {
        for (std::size_t i = 0; i < words_; ++i)
            if (a[i] != b[i]) return a[i] < b[i];
        return false;
    }

  private:
    Component add_component(std::uint64_t largest, Component::Kind kind, std::size_t level = 0);
    void add_demand();
    void add_broken_or_wasted(const Request& request);
    void add_used();
    void add_gaps(std::uint32_t nodes);
    static void put(std::uint64_t* cost, const Component& component, std::uint64_t value) {
        if (component.kept()) cost[component.word] += value << component.shift;
    }
    using ClassCounts = std::array<std::uint32_t, max_weight_classes>;
    void put_weights(std::uint64_t* cost, const ClassCounts& counts, std::uint32_t nodes) const;
    [[nodiscard]] ClassCounts class_counts(BlockIndex block, std::uint32_t nodes) const;

    const Tally* tally_;
    IslandRule island_rule_;
    bool incomplete_ = false;
    std::size_t words_ = 1;
    unsigned bits_left_ = word_bits;
    static constexpr unsigned word_bits = 63;  // the top bit stays clear: it marks "impossible"
    std::vector<Component> components_;
    std::vector<Component> heavier_;  // per weight class but the last
    struct Level {
        Component broken, used, left;
    };
    std::vector<Level> levels_;  // those that count, slots aside
    Component demand_, wasted_, fullest_, balance_, weight_sum_;
    std::uint64_t broken_mask_ = 0;    // of levels_[0], to ask whether anything was broken
    std::uint64_t most_in_block_ = 0;  // usable nodes of a base block
};

/// The cost that stands for "impossible": larger than every real one.
[[nodiscard]] constexpr Cost impossible_cost() {
    Cost cost{};
    cost[0] = ~std::uint64_t{0};
    return cost;
}
[[nodiscard]] inline bool is_impossible(const std::uint64_t* cost) {
    return (cost[0] >> 63) != 0;
}

}  // namespace nvl72block
