// SPDX-License-Identifier: GPL-2.0-or-later
//
// The exact choice: dynamic programming over the containment tree, bottom up, with one table per
// shape of vertices that holds the least cost of every amount that the shape can give. Amounts that
// cannot be part of an answer as good as the best known one are left out (prices.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/packing/packing.hpp"
#include "placement/rules/problem.hpp"
#include "placement/search/label_table.hpp"
#include "placement/search/prices.hpp"
#include "placement/search/shape_tree.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

class TreeSearch {
  public:
    /// `known`: the best answer known, if any.
    TreeSearch(const CostLayout& layout, const ShapeTree& tree,
               const std::optional<Division>& known, Effort& effort);
    TreeSearch(const TreeSearch&) = delete;
    TreeSearch& operator=(const TreeSearch&) = delete;

    /// What the search leaves out; more may be priced before it begins.
    [[nodiscard]] Prices& prices() { return prices_; }
    /// The best division; nullopt if there is none that is as good as the best known. If the budget
    /// ended, the best of those looked at by then.
    [[nodiscard]] std::optional<Division> run();
    /// The tables alone: what every vertex can give.
    void fill();
    /// The budget ended before every amount was looked at.
    [[nodiscard]] bool ended() const { return ended_; }
    /// Nothing is better than what run() has found.
    [[nodiscard]] bool exact() const { return !ended_ && exact_; }
    /// Without a division there is none (as good as the best known).
    [[nodiscard]] bool complete() const { return !ended_ && complete_; }

    /// What every amount of a base block costs, known before the search begins.
    [[nodiscard]] const LabelTable& costs_of(BlockIndex block) const {
        return costs_[tree_.shape_of(0, block)];
    }
    /// What a vertex can give.
    [[nodiscard]] const LabelTable& table(std::size_t level, std::uint32_t vertex) const {
        return vertices_[level][tree_.shape_of(level, vertex)].table;
    }
    /// Appends what each base block of a vertex gives for one of its labels.
    void emit(std::size_t level, std::uint32_t index, const LabelKey& key,
              Division& division) const;

  private:
    struct Vertex {
        std::vector<std::uint32_t> active;  // positions of the children that may give something
        std::vector<LabelTable> joined;     // together(i), but for the last of active
        LabelTable table;                   // the vertex itself
        PackedWays packed;                  // where segments are packed
    };

    /// What the children active[at], active[at + 1], … of a vertex give together.
    [[nodiscard]] const LabelTable& together(std::size_t level, std::uint32_t shape,
                                             std::size_t at) const;
    void fill_blocks();
    void fill_packed(std::size_t level, std::uint32_t shape);
    /// What a sum of labels must keep to.
    struct Frame {
        std::int64_t most_worth = 0;           // worth of the parts at best
        std::int64_t most_worth_unbroken = 0;  // the same without breaking a whole block
        bool below_whole = false;
        LabelKey most;
        std::uint32_t least_units = 0;
    };
    [[nodiscard]] std::vector<std::uint32_t> active_children(std::size_t level, std::uint32_t shape,
                                                             Frame& others) const;
    void join_children(std::size_t level, std::uint32_t shape);
    [[nodiscard]] Frame frame_of(std::size_t level, std::uint32_t shape) const;
    [[nodiscard]] LabelTable join(const LabelTable& left, const LabelTable& right,
                                  const Frame& frame);
    void add_child(Frame& frame, std::size_t level, std::uint32_t child) const;
    void note(const LabelTable& table);
    void finish(std::size_t level, std::uint32_t shape, const LabelTable& joined);
    [[nodiscard]] bool keeps(std::int64_t worth, const std::uint64_t* cost,
                             const Frame& frame) const;
    [[nodiscard]] bool too_costly(const std::uint64_t* a,
                                  const std::uint64_t* b = no_cost.data()) const {
        if (is_impossible(known_.data())) return false;  // none is known
        for (std::size_t i = 0; i < layout_.words(); ++i)
            if (a[i] + b[i] != known_[i]) return a[i] + b[i] > known_[i];
        return false;
    }

    struct Found {
        std::uint32_t scope = 0;
        std::vector<LabelKey> keys;  // all that cost the same
        Cost cost = impossible_cost();
    };
    void add_above(Cost& cost, std::uint32_t scope) const;
    [[nodiscard]] Found best_scope() const;
    [[nodiscard]] Division division_of(const Found& found);
    [[nodiscard]] LabelKey amount_of(const PackedWay& way) const;
    void emit_packed(std::size_t level, std::uint32_t index, const LabelKey& key,
                     Division& division) const;
    void emit_children(std::size_t level, std::uint32_t index, LabelKey key,
                       Division& division) const;

    const Tally& tally_;
    const CostLayout& layout_;
    const Problem& problem_;
    const ShapeTree& tree_;
    const std::vector<LabelTable> costs_;  // block_costs() of the tree
    Prices prices_;
    const Cost known_;  // of the best answer known
    Effort& effort_;
    LabelCollector collector_;
    std::vector<std::vector<Vertex>> vertices_;  // per level, per shape
    std::size_t bytes_ = 0;
    bool ended_ = false;
    bool exact_ = true;
    bool complete_ = true;
};

}  // namespace nvl72block
