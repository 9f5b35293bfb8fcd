// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which vertices offer the same: they share one shape and one table, so that a cluster of equal
// racks costs little however large it is.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "placement/packing/packing.hpp"
#include "placement/rules/problem.hpp"
#include "placement/search/label_table.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

class ShapeTree {
  public:
    struct Shape {
        std::uint32_t example = 0;  ///< a vertex of this shape
        LabelKey most;              ///< the largest amounts, as far as the problem can use them
    };

    /// The vertices below some scopes.
    ShapeTree(const Tally& tally, const Problem& problem, Vertices scopes);

    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] Vertices scopes() const { return scopes_; }
    [[nodiscard]] const std::vector<Shape>& shapes(std::size_t level) const {
        return shapes_[level];
    }
    [[nodiscard]] std::uint32_t shape_of(std::size_t level, std::uint32_t vertex) const {
        return shape_of_[level][vertex - first_[level]];
    }
    [[nodiscard]] const Shape& shape(std::size_t level, std::uint32_t vertex) const {
        return shapes_[level][shape_of(level, vertex)];
    }

    /// Below the unit level of large segments amounts are single nodes.
    [[nodiscard]] bool below_units(std::size_t level) const {
        return problem_.large_segments() && level < problem_.unit_level;
    }
    [[nodiscard]] bool converts(std::size_t level) const {
        return problem_.large_segments() && level == problem_.unit_level;
    }
    [[nodiscard]] std::uint32_t unit_nodes(std::size_t level) const {
        return below_units(level) ? 1 : problem_.unit_nodes;
    }
    /// The fewest units that a scope must give.
    [[nodiscard]] std::uint32_t wanted_units() const {
        return problem_.nodes / problem_.unit_nodes;
    }
    /// Whether segments must be packed at this vertex (packing.hpp).
    [[nodiscard]] bool is_packed(std::size_t level, const Shape& shape) const {
        return converts(level) && needs_packing(tally_, problem_, shape.example);
    }

    /// An upper bound of the steps that a search takes which keeps every amount that the rest of
    /// its scope leaves possible; packing not counted.
    [[nodiscard]] std::uint64_t work() const;
    /// No fewer than the labels that block_costs() makes.
    [[nodiscard]] std::uint64_t block_labels() const;
    /// The least that a part with at most `most` units must give: what the rest of its scope
    /// cannot.
    [[nodiscard]] std::uint32_t least_units(std::size_t level, std::uint32_t most) const {
        return below_units(level) || most <= slack_ ? 0 : most - slack_;
    }
    /// Of the amounts of two parts of this level, as far as the problem can use it.
    [[nodiscard]] LabelKey usable_sum(std::size_t level, const LabelKey& a,
                                      const LabelKey& b) const {
        return {std::min(a.units + b.units, below_units(level) ? problem_.nodes : problem_.units),
                std::min(a.limited + b.limited, problem_.limit),
                std::min(a.blocks + b.blocks, problem_.max_base_blocks)};
    }

  private:
    void find_shapes(std::size_t level);
    [[nodiscard]] std::strong_ordering compare(std::size_t level, std::uint32_t a,
                                               std::uint32_t b) const;
    void set_most(std::size_t level, Shape& shape);
    void find_slack();
    [[nodiscard]] std::uint64_t merge_work(std::size_t level, const Shape& shape) const;

    const Tally& tally_;
    const Problem& problem_;
    Vertices scopes_;
    std::vector<std::uint32_t> first_;                  // per level: the first vertex
    std::vector<std::vector<std::uint32_t>> shape_of_;  // per level, per vertex from first_ on
    std::vector<std::vector<Shape>> shapes_;            // per level
    std::uint32_t slack_ = 0;  // most units that any scope offers beyond what is asked for
};

/// What every amount costs that a base block can give: tables by shape of level 0; the labels have
/// no worth yet. A job that lies in one base block needs only the label of its own size.
[[nodiscard]] std::vector<LabelTable> block_costs(const CostLayout& layout, const ShapeTree& tree,
                                                  Effort& effort);

}  // namespace nvl72block
