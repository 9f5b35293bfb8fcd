// SPDX-License-Identifier: GPL-2.0-or-later
//
// Base blocks that the fabric has carved into several islands (NVLink cliques): what each island
// offers. An offer is always a number of usable nodes that this job could get from some part of the
// cluster; what a node has of CPUs and GPUs is a matter of resource_bound.hpp.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nvl72block/placement.hpp"

namespace nvl72block {

/// Usable nodes of one weight class in a base block or an island.
struct ClassOffer {
    std::uint32_t free = 0;
    std::uint32_t required = 0;  ///< of these

    [[nodiscard]] std::uint32_t optional() const { return free - required; }
    void add(bool is_required) {
        ++free;
        required += is_required ? 1 : 0;
    }
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes its own 0 for a pointer
    auto operator<=>(const ClassOffer&) const = default;
};

/// What makes nodes light.
struct WeightOrder {
    std::span<const std::uint64_t> classes;  ///< Tally::weight_classes()
    bool total = false;                      ///< the least sum of weights, as CostLayout has it
};

/// Nodes of each weight class among the best `nodes` of some classes, the lightest class first:
/// what is required, then the lightest. Adds them to `counts`.
void add_class_counts(std::span<const ClassOffer> classes, std::uint32_t nodes,
                      std::span<std::uint32_t> counts);

/// One island of a carved base block.
struct IslandOffer {
    std::uint32_t island = 0;  ///< as in Islands::island_of
    std::uint32_t free = 0;
    std::uint32_t required = 0;
    std::span<const ClassOffer> classes;  ///< empty when weights do not matter

    [[nodiscard]] std::strong_ordering operator<=>(const IslandOffer& other) const;
    [[nodiscard]] bool operator==(const IslandOffer& other) const {
        return std::is_eq(*this <=> other);
    }
};

/// How a base block's nodes must be cut by island.
struct IslandRule {
    bool holds = false;       ///< false: islands do not matter
    bool one_island = false;  ///< all nodes come from one island; else from any, but
    std::uint32_t nodes = 1;  ///< each island gives a multiple of this
};

/// The offers of all carved base blocks. A block counts as carved when usable nodes lie in more
/// than one of its islands.
class IslandOffers {
  public:
    IslandOffers() = default;
    /// Every usable node in a block has an island. `class_of`: the weight class of each, of
    /// `classes`; empty if there is one class.
    IslandOffers(const Topology& topology, const Request& request, const State& state,
                 std::span<const std::uint8_t> class_of, std::size_t classes);
    /// The same with the base blocks in another order. What is made ready for one is for both.
    IslandOffers(const IslandOffers& other, std::span<const BlockIndex> order)
        : carved_(other.carved_), order_(order.begin(), order.end()) {}

    /// Makes ready the best splits of segments, all amounts of all blocks in one pass. Returns the
    /// steps that this took; 0 if there is nothing to do, or it was done before.
    [[nodiscard]] std::uint64_t prepare(const IslandRule& rule, const WeightOrder& order) const;
    /// The steps that it takes for segments of `nodes` nodes; 0 for no segments.
    [[nodiscard]] std::uint64_t steps_to_prepare(std::uint32_t nodes, std::size_t classes) const;

    /// Adds the nodes of each weight class among `nodes` nodes of a carved block, by the best
    /// split.
    void add_class_counts(BlockIndex block, const IslandRule& rule, std::uint32_t nodes,
                          const WeightOrder& order, std::span<std::uint32_t> counts) const;

    /// The best way to take `nodes` nodes from a carved block, one count an offer, as IslandSplit
    /// judges it, then the first islands; empty if there is no way.
    [[nodiscard]] std::vector<std::uint32_t> split(BlockIndex block, const IslandRule& rule,
                                                   std::uint32_t nodes,
                                                   const WeightOrder& order) const;

    /// Whether any block is carved.
    [[nodiscard]] bool any() const { return carved_ != nullptr; }
    /// Empty for a block that is not carved.
    [[nodiscard]] std::span<const IslandOffer> of(BlockIndex block) const {
        if (!carved_) return {};
        return carved_->offers_of(position(block));
    }

  private:
    /// Where in Carved what belongs to a block begins.
    struct Block {
        std::size_t offers = 0;
        std::size_t splits = 0, counts = 0;
        std::uint32_t amounts = 0;  // that splits are known of: 0, 1, 2 … units
    };
    struct Carved {
        std::vector<Block> blocks;  // and where they end
        std::vector<IslandOffer> offers;
        std::vector<ClassOffer> classes;  // of the offers
        // The rule and order that what follows is for; no nodes: none yet.
        std::uint32_t nodes = 0;
        bool total = false;
        std::vector<std::uint32_t> splits;  // by amount, then offer: nodes
        std::vector<std::uint32_t> counts;  // by amount, then weight class: nodes

        [[nodiscard]] std::span<const IslandOffer> offers_of(BlockIndex position) const {
            const std::size_t first = blocks[position].offers;
            return std::span(offers).subspan(first, blocks[position + 1].offers - first);
        }
    };
    [[nodiscard]] BlockIndex position(BlockIndex block) const {
        return order_.empty() ? block : order_[block];
    }
    [[nodiscard]] bool is_prepared(const IslandRule& rule, const WeightOrder& order) const {
        return !rule.one_island && carved_->nodes == rule.nodes && carved_->total == order.total;
    }

    std::shared_ptr<Carved> carved_;  // nothing where no block is carved
    std::vector<BlockIndex> order_;   // empty: that of the file
};

/// The least and the most units (Problem) that some part of the cluster can give. `least` above
/// `most`: the required nodes there cannot be served.
struct UnitRange {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
};

/// What the islands of a carved block can give together, in units of rule.nodes.
[[nodiscard]] UnitRange island_range(std::span<const IslandOffer> offers, const IslandRule& rule);

}  // namespace nvl72block
