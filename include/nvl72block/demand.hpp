// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the jobs of a cluster ask for: sizes of slots and how much of the demand each has. A
// decision prefers placements that keep slots of these sizes (docs/placement.md, "Demand").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

/// A size of slots: of segments, and of jobs without segments, with so many nodes.
struct DemandSize {
    std::uint32_t nodes = 0;  ///< per slot, 1 or more
    std::uint32_t share = 0;  ///< thousandths of the nodes in demand that ask for it, 1 or more

    bool operator==(const DemandSize&) const = default;
};

/// Most sizes of a demand; of more, those with the largest shares are kept.
inline constexpr std::size_t most_demand_sizes = 8;

/// Ascending, none twice; none at all is "off". Immutable.
class Demand {
  public:
    /// Off: no slots are kept.
    Demand() = default;
    /// From amounts in any unit, in any order; equal sizes add up. Shares below a thousandth are
    /// left out, as are sizes of 0 nodes and amounts that are not above 0.
    struct Amount {
        std::uint32_t nodes = 0;
        double amount = 0;
    };
    [[nodiscard]] static Demand of(std::span<const Amount> amounts);

    /// Reads the stated form "16:0.8+4:0.2": NODES:SHARE, joined by "+"; a size stands for segments
    /// and for jobs without segments. Shares are relative to their sum. nullopt with a sentence in
    /// `error` that quotes what is wrong and says what to write.
    [[nodiscard]] static std::optional<Demand> parse(std::string_view text, std::string& error);

    [[nodiscard]] std::span<const DemandSize> sizes() const { return sizes_; }
    [[nodiscard]] bool empty() const { return sizes_.empty(); }

    bool operator==(const Demand&) const = default;

  private:
    std::vector<DemandSize> sizes_;
};

/// The stated form, largest size first; "off" for none.
[[nodiscard]] std::string to_string(const Demand& demand);

/// The level whose blocks hold slots of `nodes` nodes, as a position in Topology::levels(): that
/// of the base blocks if one of them has so many nodes, otherwise that of the plain rule;
/// levels().size() is the whole cluster.
[[nodiscard]] std::size_t slot_level(const Topology& topology, std::uint32_t nodes);

/// What a job that takes `taken` leaves of the slots that the `idle` nodes hold, the largest size
/// first: "3 of 4 slots of 16 nodes, 15 of 16 of 4". Without sizes that only the whole cluster
/// holds, of one node, or that had no slot; "" where nothing is left to tell.
[[nodiscard]] std::string kept_slots(const Topology& topology, const Demand& demand,
                                     NodeSetView idle, NodeSetView taken);

}  // namespace nvl72block
