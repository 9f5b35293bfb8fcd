// SPDX-License-Identifier: GPL-2.0-or-later
//
// The least cost of as many nodes as some segments have, as if segments could be cut anyhow: a
// lower bound on the cost of every way to give these segments. These are the tables of the exact
// search for a plain job in the vertex.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/packing/packing.hpp"
#include "placement/search/tree_search.hpp"

namespace nvl72block {

class RelaxedCosts {
  public:
    /// For `least` to `most` segments. The costs of base blocks are known at once.
    RelaxedCosts(const PackedVertex& vertex, std::uint32_t least, std::uint32_t most,
                 Effort& effort)
        : vertex_(vertex),
          nodes_(plain_job(vertex, least, most)),
          tree_(vertex.tally(), nodes_, vertex.index, vertex.index + 1,
                most * vertex.problem.segment_rule.limit),
          search_(vertex.layout, tree_, {}, effort),
          effort_(effort) {}

    /// Makes the tables of all amounts, if there are enough steps and room.
    void find() {
        const std::uint64_t steps_per_sum = 1 + vertex_.layout.words() / 4;
        if (tree_.work() * steps_per_sum > effort_.left()) return;
        if (search_.prices().possible()) search_.fill();
        found_ = !search_.ended();
    }
    /// Whether find() has made them.
    [[nodiscard]] bool found() const { return found_; }
    /// The tables, and the nodes of each of their labels.
    [[nodiscard]] const TreeSearch& search() const { return search_; }
    /// By nodes, and base blocks (0 where these are not limited): what these cost in the vertex,
    /// its own cost included. None of an amount that is impossible.
    [[nodiscard]] const LabelTable& table() const {
        return search_.table(vertex_.level(), vertex_.index);
    }

  private:
    static Problem plain_job(const PackedVertex& vertex, std::uint32_t least, std::uint32_t most) {
        Problem job;
        job.nodes = least * vertex.problem.unit_nodes;
        job.units = most * vertex.problem.unit_nodes;
        job.scope_level = vertex.level();
        job.max_base_blocks = vertex.problem.max_base_blocks;
        return job;
    }

    const PackedVertex& vertex_;
    const Problem nodes_;  // a plain job in the vertex
    const ShapeTree tree_;
    TreeSearch search_;
    Effort& effort_;
    bool found_ = false;
};

}  // namespace nvl72block
