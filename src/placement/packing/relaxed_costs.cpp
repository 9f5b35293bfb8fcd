// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/relaxed_costs.hpp"

#include <algorithm>

namespace nvl72block {
namespace {

Problem plain_job(const PackedVertex& vertex, std::uint32_t least, std::uint32_t most) {
    Problem job;
    job.nodes = least * vertex.problem.unit_nodes;
    job.units = most * vertex.problem.unit_nodes;
    job.scope_level = vertex.level();
    job.max_base_blocks = vertex.problem.max_base_blocks;
    return job;
}

}  // namespace

RelaxedCosts::RelaxedCosts(const PackedVertex& vertex, std::uint32_t least, std::uint32_t most,
                           Effort& effort)
    : vertex_(vertex),
      nodes_(plain_job(vertex, least, most)),
      tree_(vertex.tally, nodes_, vertex.index, vertex.index + 1,
            most * vertex.problem.segment_rule.limit),
      costs_(block_costs(vertex.tally, vertex.layout, nodes_, tree_, effort)),
      prices_(vertex.tally, vertex.layout, nodes_, tree_, costs_, effort),
      effort_(effort),
      search_(vertex.tally, vertex.layout, nodes_, tree_, costs_, prices_, known_, effort) {}

bool RelaxedCosts::find() {
    const std::uint64_t steps_per_sum = 1 + vertex_.layout.words() / 4;
    if (tree_.work() * steps_per_sum > effort_.left()) return false;
    if (prices_.possible()) search_.fill();
    found_ = !search_.ended();
    return found_;
}

std::vector<LabelKey> RelaxedCosts::amounts(std::uint32_t segments) const {
    const std::uint32_t nodes = segments * vertex_.problem.unit_nodes;
    const LabelTable& labels = search_.table(vertex_.level(), vertex_.index);
    const auto [begin, end] = labels.with_units(nodes, nodes);
    std::vector<LabelKey> amounts;
    for (std::size_t i = begin; i < end; ++i) amounts.push_back(labels.key(i));
    return amounts;
}

Cost RelaxedCosts::cost(const LabelKey& amount) const {
    const LabelTable& labels = search_.table(vertex_.level(), vertex_.index);
    Cost cost{};
    std::copy_n(labels.cost(labels.find(amount)), vertex_.layout.words(), cost.begin());
    return cost;
}

std::vector<Share> RelaxedCosts::taken(const LabelKey& amount) const {
    std::vector<Share> shares;
    read(vertex_.level(), vertex_.index, amount, shares);
    return shares;
}

void RelaxedCosts::read(std::size_t level, std::uint32_t index, const LabelKey& amount,
                        std::vector<Share>& shares) const {
    Division division;
    search_.emit(level, index, amount, division);
    shares.insert(shares.end(), division.shares.begin(), division.shares.end());
}

}  // namespace nvl72block
