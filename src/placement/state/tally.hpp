// SPDX-License-Identifier: GPL-2.0-or-later
//
// The count phase: what each block of each level has to offer for one decision.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "nvl72block/placement.hpp"
#include "placement/state/island_offers.hpp"
#include "placement/state/slots.hpp"

namespace nvl72block {

/// Most weight classes that a decision tells apart; beyond it the heaviest nodes form one class.
inline constexpr std::size_t max_weight_classes = 16;

/// The position of a weight among ascending classes, of which there is at least one: the last one
/// takes all that are heavier.
[[nodiscard]] inline std::size_t weight_class_of(std::span<const std::uint64_t> classes,
                                                 std::uint64_t weight) {
    const auto at = std::lower_bound(classes.begin(), classes.end() - 1, weight);
    return static_cast<std::size_t>(at - classes.begin());
}

/// Counts for every block of every level, in flat arrays. A "vertex" is a block of a level, given
/// as (level, index); level levels().size() with index 0 is the whole.
class Tally {
  public:
    Tally(const Topology& topology, const Request& request, const State& state);
    /// The same counts with the base blocks in another order, which must keep the members of every
    /// block of every level together (canonical_order.hpp).
    Tally(const Tally& other, std::span<const BlockIndex> order);

    [[nodiscard]] const Topology& topology() const { return *topology_; }
    [[nodiscard]] std::size_t whole_level() const { return topology_->levels().size(); }
    [[nodiscard]] std::uint32_t vertices(std::size_t level) const {
        return level == whole_level() ? 1 : topology_->levels()[level].aggregates;
    }
    [[nodiscard]] std::size_t vertices_in_all() const { return free_.size(); }
    /// Children of a vertex above level 0: the vertices [first, last) of the level below.
    [[nodiscard]] std::uint32_t first_child(std::size_t level, std::uint32_t index) const {
        return static_cast<std::uint32_t>(std::uint64_t{index} << child_shift_[level]);
    }
    [[nodiscard]] std::uint32_t last_child(std::size_t level, std::uint32_t index) const {
        const std::uint64_t last = (std::uint64_t{index} + 1) << child_shift_[level];
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(last, vertices(level - 1)));
    }
    /// Base blocks of a vertex: [first, last).
    [[nodiscard]] BlockIndex first_block(std::size_t level, std::uint32_t index) const {
        return level == whole_level() ? 0 : topology_->first_block(level, index);
    }
    [[nodiscard]] BlockIndex last_block(std::size_t level, std::uint32_t index) const {
        return level == whole_level() ? topology_->block_count()
                                      : topology_->last_block(level, index);
    }

    [[nodiscard]] std::uint32_t free(std::size_t level, std::uint32_t index) const {
        return free_[offset_[level] + index];
    }
    [[nodiscard]] std::uint32_t required(std::size_t level, std::uint32_t index) const {
        return required_.empty() ? 0 : required_[offset_[level] + index];
    }
    /// Idle nodes, usable or not; the usable ones where the state does not tell (State::idle).
    [[nodiscard]] std::uint32_t idle(std::size_t level, std::uint32_t index) const {
        return idle_.empty() ? free(level, index) : idle_[offset_[level] + index];
    }
    /// Idle nodes that the job takes with `nodes` nodes of a vertex, which is to give its usable
    /// nodes that are not idle first.
    [[nodiscard]] std::uint32_t idle_taken(std::size_t level, std::uint32_t index,
                                           std::uint32_t nodes) const {
        if (shared_.empty()) return nodes;
        const std::uint32_t shared = shared_[offset_[level] + index];
        return nodes > shared ? nodes - shared : 0;
    }
    [[nodiscard]] bool whole(std::size_t level, std::uint32_t index) const {
        return whole_[offset_[level] + index] != 0;
    }
    /// Nodes that a whole base block can give and stay whole; 0 for a broken one.
    [[nodiscard]] std::uint32_t spare(BlockIndex block) const {
        const std::uint32_t planned = topology_->planning_size();
        if (idle(0, block) < planned) return 0;
        if (shared_.empty()) return idle(0, block) - planned;
        return std::min(free(0, block), idle(0, block) - planned + shared_[block]);
    }
    /// Slots to be kept, by level; empty where there is no demand.
    [[nodiscard]] std::span<const Slots> slots() const { return slots_; }
    /// Whether two vertices of a level cost the same for the same amount, but for what is below.
    [[nodiscard]] bool alike(std::size_t level, std::uint32_t a, std::uint32_t b) const {
        const std::size_t first = offset_[level] + a, second = offset_[level] + b;
        return free_[first] == free_[second] && whole_[first] == whole_[second] &&
               (idle_.empty() ||
                (idle_[first] == idle_[second] && shared_[first] == shared_[second]));
    }

    [[nodiscard]] std::uint32_t in_blocks() const { return free(whole_level(), 0); }
    [[nodiscard]] std::uint32_t required_in_blocks() const { return required(whole_level(), 0); }
    [[nodiscard]] std::uint32_t outside() const { return outside_; }
    [[nodiscard]] std::uint32_t required_outside() const { return required_outside_; }
    [[nodiscard]] std::uint32_t required_unusable() const { return required_unusable_; }

    /// Distinct weights of usable nodes in blocks, ascending; one entry when weights do not matter.
    [[nodiscard]] std::span<const std::uint64_t> weight_classes() const { return classes_; }
    /// Usable (required) nodes of a base block in a weight class; only with several classes.
    [[nodiscard]] std::uint32_t class_free(BlockIndex block, std::size_t weight_class) const {
        return class_free_[block * classes_.size() + weight_class];
    }
    [[nodiscard]] std::uint32_t class_required(BlockIndex block, std::size_t weight_class) const {
        return class_required_[block * classes_.size() + weight_class];
    }
    /// More weights than classes: the heaviest count as one.
    [[nodiscard]] bool weights_merged() const { return weights_merged_; }

    /// The islands of carved base blocks; none when the request heeds no cliques.
    [[nodiscard]] const IslandOffers& islands() const { return islands_; }

    /// Orders base blocks by what they offer; equal if no search can tell them apart.
    [[nodiscard]] std::strong_ordering compare(BlockIndex a, BlockIndex b) const;

  private:
    void set_offsets();
    void set_child_shifts();
    void count_base_blocks(const Request& request, const State& state);
    void count_idle(const State& state);
    void find_slots(const Request& request);
    void count_aggregates();
    void count_weights(const Request& request, const State& state);

    const Topology* topology_;
    std::vector<std::size_t> offset_;    // per level, the whole included
    std::vector<unsigned> child_shift_;  // the same: binary logarithm of the most children
    std::vector<std::uint32_t> free_;
    std::vector<std::uint32_t> required_;  // empty when nothing is required
    std::vector<std::uint8_t> whole_;
    // Empty when the state does not tell, or the idle nodes are the usable ones.
    std::vector<std::uint32_t> idle_;
    std::vector<std::uint32_t> shared_;  // the same: usable, not idle
    std::vector<Slots> slots_;           // per level; empty without demand
    std::vector<std::uint64_t> classes_;
    std::vector<std::uint32_t> class_free_, class_required_;
    IslandOffers islands_;
    bool weights_merged_ = false;
    std::uint32_t outside_ = 0, required_outside_ = 0, required_unusable_ = 0;
};

}  // namespace nvl72block
