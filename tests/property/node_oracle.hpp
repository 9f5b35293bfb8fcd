// SPDX-License-Identifier: GPL-2.0-or-later
//
// The exhaustive search for what oracle.hpp does not see: nodes of one base block that differ in
// CPUs, GPUs or the island of their clique. Written from docs/placement.md. Exponential in the
// nodes: for a dozen of them.
#pragma once

#include <optional>

#include "oracle.hpp"

namespace nvl72block::oracle {

/// The best answer. Outside all blocks only its number of nodes counts.
struct NodeOptimum {
    std::uint32_t nodes = 0;
    bool outside = false;
    Rank rank;
};

/// One state and one request. `rules` remembers how vectors of nodes can be cut; its shape is that
/// of `topology`.
class NodeOracle {
  public:
    NodeOracle(Oracle& rules, const Topology& topology, const Request& request, const State& state);

    /// The best answer, or nothing if no node set satisfies the rules and holds the totals.
    [[nodiscard]] std::optional<NodeOptimum> solve();

    /// The smallest count that the rules of segments allow, whatever is usable.
    [[nodiscard]] std::uint32_t smallest_count() const;
    /// The nodes that a job of so many nodes may get.
    [[nodiscard]] const NodeSet& usable_for(std::uint32_t nodes) const {
        return view_for(nodes).usable;
    }

    /// The rank of an answer among those of as many nodes.
    [[nodiscard]] Rank rank_of(const Placement& placement) const;

  private:
    /// Nodes of one base block that are taken in a fixed order, the first `least` always.
    struct Item {
        BlockIndex block = 0;
        std::uint32_t island = 0;
        std::uint32_t least = 0;
        std::vector<NodeIndex> nodes;
    };

    /// What jobs see that heed islands, or that do not.
    struct View {
        NodeSet usable;
        std::optional<Facts> facts;
        std::vector<Item> items;
        bool required_usable = true;
    };

    [[nodiscard]] View make_view(bool heeds) const;
    [[nodiscard]] std::vector<Item> make_items(const View& view, bool heeds) const;
    [[nodiscard]] const View& view_for(std::uint32_t nodes) const;

    [[nodiscard]] std::optional<NodeOptimum> solve_range();
    [[nodiscard]] std::optional<NodeOptimum> solve_sized();
    [[nodiscard]] std::optional<NodeOptimum> solve_outside() const;
    [[nodiscard]] bool outside_holds(std::uint32_t nodes) const;

    /// The best of `nodes` nodes; with `level`, anywhere in one block of it.
    [[nodiscard]] std::optional<Rank> best_of(std::uint32_t nodes,
                                              std::optional<std::size_t> level);
    void enumerate(std::size_t item, std::uint32_t rest);
    void judge();
    [[nodiscard]] bool legal();
    [[nodiscard]] bool islands_allow(std::uint32_t nodes) const;

    Oracle& rules_;
    const Topology& topology_;
    const Request& request_;
    const State& state_;
    View heeding_, plain_;
    // The enumeration's own:
    const View* view_ = nullptr;
    std::optional<std::size_t> level_;
    Counts taken_;  ///< by item
    Counts of_block_;
    std::vector<NodeIndex> chosen_;
    std::optional<Rank> best_;
};

}  // namespace nvl72block::oracle
