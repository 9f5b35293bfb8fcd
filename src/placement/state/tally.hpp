// SPDX-License-Identifier: GPL-2.0-or-later
//
// The count phase: what each block of each level has to offer for one decision.
#pragma once

#include <algorithm>
#include <boost/iterator/counting_iterator.hpp>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "demand/slots.hpp"
#include "nvl72block/placement.hpp"
#include "placement/state/island_offers.hpp"

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

/// Vertices [first, last) of a level.
struct Vertices {
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    [[nodiscard]] auto begin() const { return boost::make_counting_iterator(first); }
    [[nodiscard]] auto end() const { return boost::make_counting_iterator(last); }
    [[nodiscard]] std::uint32_t size() const { return last - first; }
};

/// Counts for every block of every level, in flat arrays. A "vertex" is a block of a level, given
/// as (level, index); level levels().size() with index 0 is the whole.
class Tally {
  public:
    Tally(const Topology& topology, const Request& request, const State& state);
    /// The same counts with the base blocks in another order, which must keep the members of every
    /// block of every level together (canonical_order()).
    Tally(const Tally& other, std::span<const BlockIndex> order);

    [[nodiscard]] const Topology& topology() const { return *topology_; }
    [[nodiscard]] std::size_t whole_level() const { return whole_level_; }
    [[nodiscard]] std::uint32_t vertices(std::size_t level) const {
        return static_cast<std::uint32_t>(levels_[level + 1].offset - levels_[level].offset);
    }
    [[nodiscard]] std::size_t vertices_in_all() const { return counts_.size(); }
    /// The vertices of the level `lower` that lie in a vertex, or are it.
    [[nodiscard]] Vertices below(std::size_t level, std::uint32_t index, std::size_t lower) const {
        const unsigned shift = levels_[level].exponent - levels_[lower].exponent;
        const std::uint64_t last = (std::uint64_t{index} + 1) << shift;
        return {static_cast<std::uint32_t>(std::uint64_t{index} << shift),
                static_cast<std::uint32_t>(std::min<std::uint64_t>(last, vertices(lower)))};
    }
    [[nodiscard]] Vertices children(std::size_t level, std::uint32_t index) const {
        return below(level, index, level - 1);
    }
    [[nodiscard]] Vertices blocks(std::size_t level, std::uint32_t index) const {
        return below(level, index, 0);
    }

    [[nodiscard]] std::uint32_t free(std::size_t level, std::uint32_t index) const {
        return of(level, index).free;
    }
    [[nodiscard]] std::uint32_t required(std::size_t level, std::uint32_t index) const {
        return of(level, index).required;
    }
    /// Idle nodes, usable or not; the usable ones where the state does not tell (State::idle).
    [[nodiscard]] std::uint32_t idle(std::size_t level, std::uint32_t index) const {
        return of(level, index).idle;
    }
    /// Idle nodes that the job takes with `nodes` nodes of a vertex, which is to give its usable
    /// nodes that are not idle first.
    [[nodiscard]] std::uint32_t idle_taken(std::size_t level, std::uint32_t index,
                                           std::uint32_t nodes) const {
        const std::uint32_t shared = of(level, index).shared;
        return nodes > shared ? nodes - shared : 0;
    }
    [[nodiscard]] bool whole(std::size_t level, std::uint32_t index) const {
        return whole_[levels_[level].offset + index] != 0;
    }
    /// Nodes that a whole base block can give and stay whole; 0 for a broken one.
    [[nodiscard]] std::uint32_t spare(BlockIndex block) const {
        const std::uint32_t planned = topology_->planning_size();
        const Counts& counts = counts_[block];
        if (counts.idle < planned) return 0;
        return std::min(counts.free, counts.idle - planned + counts.shared);
    }
    /// Whether `nodes` nodes break a whole base block.
    [[nodiscard]] bool breaks(BlockIndex block, std::uint32_t nodes) const {
        return whole(0, block) && nodes > spare(block);
    }
    /// Slots to be kept, by level; empty where there is no demand.
    [[nodiscard]] std::span<const Slots> slots() const { return slots_; }
    /// Whether two vertices of a level cost the same for the same amount, but for what is below.
    [[nodiscard]] bool alike(std::size_t level, std::uint32_t a, std::uint32_t b) const {
        const Counts &x = of(level, a), &y = of(level, b);
        return x.free == y.free && x.idle == y.idle && x.shared == y.shared &&
               whole(level, a) == whole(level, b);
    }

    /// Steps that counting took.
    [[nodiscard]] std::uint64_t steps() const {
        const std::uint64_t passes = (class_offers_.empty() ? 0 : 2) + (islands_.any() ? 2 : 0);
        return vertices_in_all() + passes * in_blocks();
    }
    [[nodiscard]] std::uint32_t in_blocks() const { return free(whole_level(), 0); }
    [[nodiscard]] std::uint32_t required_in_blocks() const { return required(whole_level(), 0); }
    [[nodiscard]] std::uint32_t outside() const { return outside_; }
    [[nodiscard]] std::uint32_t required_outside() const { return required_outside_; }
    [[nodiscard]] std::uint32_t required_unusable() const { return required_unusable_; }

    /// Distinct weights of usable nodes in blocks, ascending; one entry when weights do not matter.
    [[nodiscard]] std::span<const std::uint64_t> weight_classes() const { return classes_; }
    /// What a base block offers of each weight class; only with several classes.
    [[nodiscard]] std::span<const ClassOffer> class_offers(BlockIndex block) const {
        return std::span(class_offers_).subspan(block * classes_.size(), classes_.size());
    }
    /// Usable nodes of the lightest weight in a vertex; only with several classes.
    [[nodiscard]] std::uint32_t lightest(std::size_t level, std::uint32_t index) const {
        std::uint32_t nodes = 0;
        for (const BlockIndex block : blocks(level, index)) nodes += class_offers(block)[0].free;
        return nodes;
    }
    /// More weights than classes: the heaviest count as one.
    [[nodiscard]] bool weights_merged() const { return weights_merged_; }

    /// The islands of carved base blocks; none when the request heeds no cliques.
    [[nodiscard]] const IslandOffers& islands() const { return islands_; }

    /// Orders base blocks by what they offer; equal if no search can tell them apart.
    [[nodiscard]] std::strong_ordering compare(BlockIndex a, BlockIndex b) const;

  private:
    /// Nodes of a vertex.
    struct Counts {
        std::uint32_t free = 0;
        std::uint32_t required = 0;
        std::uint32_t idle = 0;    // the free ones where the state does not tell
        std::uint32_t shared = 0;  // free, not idle

        Counts& operator+=(const Counts& other) {
            free += other.free;
            required += other.required;
            idle += other.idle;
            shared += other.shared;
            return *this;
        }
        // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes its own 0 for a pointer
        auto operator<=>(const Counts&) const = default;
    };
    [[nodiscard]] const Counts& of(std::size_t level, std::uint32_t index) const {
        return counts_[levels_[level].offset + index];
    }
    [[nodiscard]] std::strong_ordering compare_all(BlockIndex a, BlockIndex b) const;
    void rank_blocks() const;
    void set_levels();
    void count_base_blocks(const Request& request, const State& state);
    void count_aggregates();
    /// Returns the weight class of each usable node in a block; empty if there is one class.
    std::vector<std::uint8_t> count_weights(const Request& request, const State& state);

    const Topology* topology_;
    std::size_t whole_level_ = topology_->levels().size();
    struct LevelStart {
        std::size_t offset = 0;  // of its vertices in counts_ and whole_
        unsigned exponent = 0;   // log2 of the base blocks that a vertex joins
    };
    std::vector<LevelStart> levels_;  // the whole included, and where they end
    std::vector<Counts> counts_;
    std::vector<std::uint8_t> whole_;
    std::vector<Slots> slots_;  // per level; empty without demand
    std::vector<std::uint64_t> classes_;
    std::vector<ClassOffer> class_offers_;  // per block and class; empty with one class
    IslandOffers islands_;
    mutable std::vector<std::uint32_t> ranks_;  // by compare_all(); made when first asked for
    bool weights_merged_ = false;
    std::uint32_t outside_ = 0, required_outside_ = 0, required_unusable_ = 0;
};

/// The base blocks in canonical order: order[k] is the block that has position k. Complete blocks
/// of each level are sorted by what they offer inside their block of the level above, those that
/// offer the same in file order; an incomplete one stays last. So every block keeps its members.
[[nodiscard]] std::vector<BlockIndex> canonical_order(const Tally& tally);

}  // namespace nvl72block
