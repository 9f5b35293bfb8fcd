// SPDX-License-Identifier: GPL-2.0-or-later
//
// The exact choice: dynamic programming over the containment tree, bottom up, with one cost table
// a vertex. Vertices that offer the same share one table, so a site of equal racks costs little
// however large it is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/cost_table.hpp"
#include "placement/problem.hpp"
#include "placement/segment_packing.hpp"

namespace nvl72block {

struct Amount;

class TreeSearch {
  public:
    TreeSearch(const Tally& tally, const CostLayout& layout, const Problem& problem);

    /// Steps that run() will take (cost sums formed), without what packing needs.
    [[nodiscard]] std::uint64_t work() const { return work_; }
    /// Steps that packing took in run().
    [[nodiscard]] std::uint64_t packing_steps() const { return packing_steps_; }

    /// The best plan, or nullopt if there is none. Exact unless exact() says otherwise.
    [[nodiscard]] std::optional<Plan> run(std::uint64_t packing_budget);

    /// The same with tables up to the unit level only, and the greedy choice above it: for so many
    /// packed segments that run() would take too long. Heeds no max_base_blocks.
    [[nodiscard]] std::optional<Plan> run_packing(std::uint64_t packing_budget);
    [[nodiscard]] bool exact() const { return exact_; }
    /// Without a plan from run() or run_packing() there is none.
    [[nodiscard]] bool complete() const { return complete_; }
    /// Some segments must be packed, which only this search can do.
    [[nodiscard]] bool packs() const { return packs_; }

  private:
    using At = CostTable::At;

    /// What vertices of equal offer share.
    struct Shape {
        std::uint32_t example = 0;          ///< a vertex of this shape
        std::vector<CostTable> suffix;      ///< suffix[c]: children c, c+1, … together
        CostTable table;                    ///< the vertex itself
        Packing packing;                    ///< at the unit level, where packing was needed
        std::vector<std::uint32_t> parts;   ///< packing: vertex of each part
        std::vector<std::uint32_t> groups;  ///< packing: group of each part
        At max;                             ///< dimensions of `table`
    };

    // Shapes (tree_shapes.cpp)
    void find_shapes();
    [[nodiscard]] std::size_t hash_vertex(std::size_t level, std::uint32_t index) const;
    [[nodiscard]] bool same_offer(std::size_t level, std::uint32_t a, std::uint32_t b) const;
    void set_dimensions(std::size_t level, Shape& shape);
    [[nodiscard]] bool needs_packing(std::uint32_t index) const;
    [[nodiscard]] std::uint64_t merge_work(std::size_t level, const Shape& shape) const;
    /// The least that a part with at most `most` units must give: what the rest of its scope
    /// cannot.
    [[nodiscard]] std::uint32_t least_units(std::size_t level, std::uint32_t most) const {
        return below_units(level) || most <= slack_ ? 0 : most - slack_;
    }
    void find_slack();
    [[nodiscard]] std::uint64_t offered_units(std::uint32_t scope) const;
    [[nodiscard]] At suffix_max(std::size_t level, const Shape& shape, std::uint32_t child) const;

    // Tables
    [[nodiscard]] bool below_units(std::size_t level) const {
        return problem_.large_segments() && level < problem_.unit_level;
    }
    [[nodiscard]] std::uint32_t unit_nodes(std::size_t level) const {
        return below_units(level) ? 1 : problem_.unit_nodes;
    }
    [[nodiscard]] bool is_packed(std::size_t level, const Shape& shape) const {
        return problem_.large_segments() && level == problem_.unit_level &&
               needs_packing(shape.example);
    }
    /// Packing of spread segments looks at base blocks alone.
    [[nodiscard]] bool skipped(std::size_t level) const {
        return problem_.spread && level > 0 && below_units(level);
    }
    void fill_level(std::size_t level, std::uint64_t packing_budget);
    void fill_base_block(Shape& shape);
    void fill_aggregate(std::size_t level, Shape& shape);
    void fill_packed(std::size_t level, Shape& shape, std::uint64_t budget);
    [[nodiscard]] std::vector<Cost> packed_costs(std::size_t level, const Shape& shape,
                                                 const PackingState& state) const;
    bool add_taken(Cost& cost, std::size_t level, std::uint32_t index, const Shape& shape,
                   const PackingState& state, std::size_t& part, std::uint32_t& nodes) const;
    [[nodiscard]] std::vector<std::vector<Cost>> sums_of_parts(const Shape& shape,
                                                               const PackingState& state) const;
    [[nodiscard]] std::uint32_t child_count(const Shape& shape) const;
    [[nodiscard]] const CostTable& child_table(const Shape& shape, std::uint32_t position) const;
    [[nodiscard]] static std::uint32_t taken_from(const Shape& shape, const PackingState& state,
                                                  std::uint32_t position);
    void merge_children(std::size_t level, Shape& shape);
    void finish(std::size_t level, Shape& shape, const CostTable& merged);
    [[nodiscard]] const Shape& child_shape(std::size_t level, std::uint32_t child) const {
        return shapes_[level - 1][shape_of_[level - 1][child]];
    }

    // Choice of the scope and reading the plan back
    struct Found {
        std::uint32_t scope = 0;
        At at;
        Cost cost = impossible_cost();
    };
    [[nodiscard]] Found best_scope() const;
    void emit(std::size_t level, std::uint32_t index, const At& at, Plan& plan) const;
    void emit_children(std::size_t level, std::uint32_t index, At at, const Cost& target,
                       Plan& plan) const;
    void emit_packed(std::size_t level, std::uint32_t index, const At& at, Plan& plan) const;
    [[nodiscard]] static bool lower_index(const Shape& shape, const PackingState& a,
                                          const PackingState& b);
    void emit_packed_lower(std::size_t level, std::uint32_t index, const At& at,
                           const PackingState& best, Plan& plan) const;
    [[nodiscard]] std::vector<std::vector<Share>> shares_of_parts(std::size_t level,
                                                                  std::uint32_t index, const At& at,
                                                                  const PackingState& best) const;
    void emit_packed_segment(const Shape& shape, std::uint32_t index, const PackingState& state,
                             Plan& plan) const;
    [[nodiscard]] bool all_possible(const std::vector<Amount>& way) const;
    [[nodiscard]] At unfinished(std::size_t level, const At& at) const;

    const Tally& tally_;
    const CostLayout& layout_;
    const Problem& problem_;
    std::vector<std::vector<std::uint32_t>> shape_of_;  // per level, per vertex
    std::vector<std::vector<Shape>> shapes_;            // per level
    std::uint32_t slack_ = 0;  // most units that any scope offers beyond what is asked for
    std::uint64_t work_ = 0;
    std::uint64_t packing_steps_ = 0;
    bool exact_ = true;
    bool complete_ = true;
    bool packs_ = false;
};

}  // namespace nvl72block
