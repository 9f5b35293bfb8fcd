// SPDX-License-Identifier: GPL-2.0-or-later
//
// Base blocks that the fabric has carved into several places (NVLink cliques): what each place
// offers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nvl72block/placement.hpp"

namespace nvl72block {

/// One place of a carved base block. The counts by weight class are empty when weights do not
/// matter.
struct PlaceOffer {
    std::uint32_t place = 0;  ///< as in CliquePlaces::place_of
    std::uint32_t free = 0;
    std::uint32_t required = 0;
    std::vector<std::uint32_t> class_free, class_required;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes its own 0 for a pointer
    auto operator<=>(const PlaceOffer&) const = default;
};

/// The offers of all carved base blocks. A block counts as carved when usable nodes lie in more
/// than one of its places.
class PlaceOffers {
  public:
    PlaceOffers() = default;
    /// `classes` as in Tally::weight_classes(). Every usable node in a block has a place.
    PlaceOffers(const Topology& topology, const Request& request, const State& state,
                std::span<const std::uint64_t> classes);
    /// The same with the base blocks in another order.
    PlaceOffers(const PlaceOffers& other, std::span<const BlockIndex> order);

    /// Empty for a block that is not carved.
    [[nodiscard]] std::span<const PlaceOffer> of(BlockIndex block) const {
        if (begin_.empty()) return {};
        return std::span(offers_).subspan(begin_[block], begin_[block + 1] - begin_[block]);
    }

  private:
    std::vector<std::uint32_t> begin_;  // per block, plus one; empty when no block is carved
    std::vector<PlaceOffer> offers_;
};

/// How a base block's nodes must be cut by place.
struct PlaceRule {
    bool holds = false;       ///< false: places do not matter
    bool one_place = false;   ///< all nodes come from one place; else from any, but
    std::uint32_t nodes = 1;  ///< each place gives a multiple of this
};

/// The least and the most units that some part of the site can give. `least` above `most`: the
/// required nodes there cannot be served.
struct UnitRange {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
};

/// What the places of a carved block can give together, in units of rule.nodes.
[[nodiscard]] UnitRange place_range(std::span<const PlaceOffer> offers, const PlaceRule& rule);

/// The best way to take `nodes` nodes from a carved block, one count an offer: least weight, then
/// fewest places, then least left over in them, then the first places. Empty if there is no way.
/// `total_weight` as in CostLayout.
[[nodiscard]] std::vector<std::uint32_t> split_by_place(std::span<const PlaceOffer> offers,
                                                        const PlaceRule& rule, std::uint32_t nodes,
                                                        std::span<const std::uint64_t> classes,
                                                        bool total_weight);

/// Nodes of each weight class among the first `nodes` of an offer: required ones, then the
/// lightest. Adds them to `counts`.
void add_class_counts(const PlaceOffer& offer, std::uint32_t nodes,
                      std::span<std::uint32_t> counts);

}  // namespace nvl72block
