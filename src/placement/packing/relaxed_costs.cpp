// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/relaxed_costs.hpp"

#include <algorithm>
#include <map>

namespace nvl72block {

RelaxedCosts::RelaxedCosts(const PackedVertex& vertex, std::uint32_t most, Effort& effort)
    : vertex_(vertex),
      effort_(effort),
      tables_(vertex.tally, vertex.layout,
              {most * vertex.problem.unit_nodes, 0, vertex.problem.max_base_blocks}, effort) {
    find_parts(most);
    if (!tables_.ok()) return;
    std::vector<std::uint32_t> nodes;
    nodes.reserve(parts_.size());
    for (const LabelTable* part : parts_) nodes.push_back(part->most_units());
    if (!tables_.affordable(nodes)) return;
    joined_ = tables_.join_all(parts_);
    ok_ = tables_.ok();
}

/// Of children that offer the same no more than the segments can use: lower ones come first.
void RelaxedCosts::find_parts(std::uint32_t most) {
    const Tally& tally = vertex_.tally;
    const std::uint64_t usable = std::uint64_t{most} * vertex_.problem.segment_rule.limit;
    std::map<const LabelTable*, std::uint64_t> copies;
    for (std::uint32_t child = tally.first_child(vertex_.level(), vertex_.index);
         child < tally.last_child(vertex_.level(), vertex_.index); ++child) {
        if (tally.free(vertex_.lower(), child) == 0) continue;
        const LabelTable* table = tables_.of(vertex_.lower(), child);
        if (table == nullptr) return;
        ++effort_.steps;
        if (copies[table]++ >= usable && tally.required(vertex_.lower(), child) == 0) continue;
        children_.push_back(child);
        parts_.push_back(table);
    }
}

std::vector<LabelKey> RelaxedCosts::amounts(std::uint32_t segments) const {
    const std::uint32_t nodes = segments * vertex_.problem.unit_nodes;
    const auto [begin, end] = joined_.back().with_units(nodes, nodes);
    std::vector<LabelKey> amounts;
    for (std::size_t i = begin; i < end; ++i) amounts.push_back(joined_.back().key(i));
    return amounts;
}

Cost RelaxedCosts::cost(const LabelKey& amount) const {
    const LabelTable& sums = joined_.back();
    Cost cost{};
    std::copy_n(sums.cost(sums.find(amount)), vertex_.layout.words(), cost.begin());
    vertex_.layout.add_aggregate(cost, vertex_.level(), vertex_.index, amount.units);
    return cost;
}

std::vector<Share> RelaxedCosts::taken(const LabelKey& amount) {
    std::vector<Share> shares;
    const std::vector<LabelKey> given = tables_.split_all(parts_, joined_, amount);
    for (std::size_t i = 0; i < given.size(); ++i)
        tables_.read(vertex_.lower(), children_[i], given[i], shares);
    return shares;
}

}  // namespace nvl72block
