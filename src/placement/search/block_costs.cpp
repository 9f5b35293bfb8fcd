// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/block_costs.hpp"

#include <algorithm>

namespace nvl72block {
namespace {

LabelTable costs_of(const Tally& tally, const CostLayout& layout, const Problem& problem,
                    const ShapeTree& tree, const ShapeTree::Shape& shape) {
    const BlockIndex block = shape.example;
    const std::uint32_t forced =
        tree.below_units(0) ? tally.required(0, block) : block_range(tally, problem, block).least;
    const std::uint32_t least =
        problem.scope_level == 0 ? problem.units : tree.least_units(0, shape.most.units);
    LabelTable table;
    const std::uint32_t first = std::max(least, forced);
    if (first <= shape.most.units) table.reserve(shape.most.units - first + 1U, layout.words());
    for (std::uint32_t units = first; units <= shape.most.units; ++units) {
        Cost cost{};
        layout.add_block(cost, block, units * tree.unit_nodes(0));
        const LabelKey key =
            units > 0 ? LabelKey{units, shape.most.limited, shape.most.blocks} : LabelKey{};
        table.append(key, 0, cost.data());
    }
    table.seal();
    return table;
}

}  // namespace

std::vector<LabelTable> block_costs(const Tally& tally, const CostLayout& layout,
                                    const Problem& problem, const ShapeTree& tree, Effort& effort) {
    std::vector<LabelTable> tables;
    tables.reserve(tree.shapes(0).size());
    for (const ShapeTree::Shape& shape : tree.shapes(0)) {
        tables.push_back(costs_of(tally, layout, problem, tree, shape));
        effort.steps += tables.back().size() * tally.weight_classes().size();
    }
    return tables;
}

std::uint64_t block_costs_steps(const Tally& tally, const ShapeTree& tree) {
    std::uint64_t labels = 0;
    for (const ShapeTree::Shape& shape : tree.shapes(0))
        labels += shape.most.units - tree.least_units(0, shape.most.units) + 1U;
    return labels * tally.weight_classes().size();
}

}  // namespace nvl72block
