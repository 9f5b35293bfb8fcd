// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/relaxed_costs.hpp"

#include <map>

namespace nvl72block {

RelaxedCosts::RelaxedCosts(const PackedVertex& vertex, std::uint32_t most, Effort& effort)
    : vertex_(vertex),
      effort_(effort),
      tables_(vertex.tally, vertex.layout, most * vertex.problem.unit_nodes,
              vertex.problem.max_base_blocks, effort) {
    find_parts(most);
    if (!tables_.ok()) return;
    std::vector<std::uint32_t> nodes;
    nodes.reserve(parts_.size());
    for (const AmountTable* part : parts_) nodes.push_back(part->nodes());
    if (!tables_.affordable(nodes)) return;
    joined_ = tables_.join_all(parts_);
    ok_ = tables_.ok();
}

/// Of children that offer the same no more than the segments can use: lower ones come first.
void RelaxedCosts::find_parts(std::uint32_t most) {
    const Tally& tally = vertex_.tally;
    const std::uint64_t usable = std::uint64_t{most} * vertex_.problem.segment_rule.limit;
    std::map<const AmountTable*, std::uint64_t> copies;
    for (std::uint32_t child = tally.first_child(vertex_.level(), vertex_.index);
         child < tally.last_child(vertex_.level(), vertex_.index); ++child) {
        if (tally.free(vertex_.lower(), child) == 0) continue;
        const AmountTable* table = tables_.of(vertex_.lower(), child);
        if (table == nullptr) return;
        ++effort_.steps;
        if (copies[table]++ >= usable && tally.required(vertex_.lower(), child) == 0) continue;
        children_.push_back(child);
        parts_.push_back(table);
    }
}

bool RelaxedCosts::possible(std::uint32_t segments, std::uint32_t blocks) const {
    const std::uint32_t nodes = segments * vertex_.problem.unit_nodes;
    return nodes <= joined_.back().nodes() && blocks <= joined_.back().blocks() &&
           !is_impossible(joined_.back().at(nodes, blocks));
}

Cost RelaxedCosts::cost(std::uint32_t segments, std::uint32_t blocks) const {
    const std::uint32_t nodes = segments * vertex_.problem.unit_nodes;
    Cost cost = joined_.back().at(nodes, blocks);
    vertex_.layout.add_aggregate(cost, vertex_.level(), vertex_.index, nodes);
    return cost;
}

std::vector<Share> RelaxedCosts::taken(std::uint32_t segments, std::uint32_t blocks) {
    std::vector<Share> shares;
    const std::vector<AmountAt> picks =
        tables_.split_all(parts_, joined_, {segments * vertex_.problem.unit_nodes, blocks});
    for (std::size_t i = 0; i < picks.size(); ++i)
        tables_.read(vertex_.lower(), children_[i], picks[i], shares);
    return shares;
}

}  // namespace nvl72block
