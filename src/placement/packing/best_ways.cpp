// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/best_ways.hpp"

#include <algorithm>

#include "placement/packing/segment_cut.hpp"
#include "placement/preference/taken_nodes.hpp"

namespace nvl72block {

void BestWays::propose(std::uint32_t segments, std::vector<Share> taken, const PartGroups& groups) {
    const std::uint32_t limit = vertex_.problem.max_base_blocks;
    if (limit != 0 && taken.size() > limit) return;
    std::ranges::sort(taken, std::less{}, &Share::block);
    effort_.steps += 2 * taken.size();
    const Cost cost = cost_of_taken(vertex_.layout, vertex_.level(), taken);
    if (!vertex_.layout.less(cost, this->cost(segments, taken.size()))) return;
    std::vector<std::vector<Share>> shares = cut(taken, groups);
    for (std::vector<Share>& segment : shares) {
        std::ranges::sort(segment, std::less{}, &Share::block);
        effort_.steps += segment.size();
    }
    cheapest_[key(segments, taken.size())] = {segments, static_cast<std::uint32_t>(taken.size()),
                                              cost, std::move(shares)};
}

bool BestWays::has(std::uint32_t segments) const {
    const auto known = cheapest_.lower_bound({segments, 0});
    return known != cheapest_.end() && known->first.first == segments;
}

Cost BestWays::cost(std::uint32_t segments, std::size_t blocks) const {
    const auto known = cheapest_.find(key(segments, blocks));
    return known == cheapest_.end() ? impossible_cost() : known->second.cost;
}

std::vector<PackedWay> BestWays::take() {
    std::vector<PackedWay> ways;
    ways.reserve(cheapest_.size());
    for (auto& [key, way] : cheapest_) ways.push_back(std::move(way));
    return ways;
}

std::uint32_t BestWays::part_of(BlockIndex block) const {
    const std::uint32_t vertex = vertex_.tally().topology().aggregate_of(part_level_, block);
    return static_cast<std::uint32_t>(std::lower_bound(parts_.begin(), parts_.end(), vertex) -
                                      parts_.begin());
}

/// Each group's nodes in segments; a part gives its base blocks to them one after another.
std::vector<std::vector<Share>> BestWays::cut(const std::vector<Share>& taken,
                                              const PartGroups& groups) {
    std::vector<std::vector<Share>> given(parts_.size());
    for (const Share& share : taken) given[part_of(share.block)].push_back(share);
    std::vector<std::vector<Share>> segments;
    for (const PartGroup& group : groups) {
        std::vector<PartAmount> amounts;
        for (const std::uint32_t part : group.parts) {
            std::uint32_t nodes = 0;
            for (const Share& share : given[part]) nodes += share.nodes;
            amounts.push_back({part, nodes});
        }
        for (const std::vector<PartAmount>& segment : cut_segments(
                 std::move(amounts), group.segments, rule_.nodes, rule_.max_parts, effort_)) {
            std::vector<Share>& shares = segments.emplace_back();
            for (PartAmount amount : segment)
                while (amount.nodes > 0) {
                    Share& from = given[amount.part].back();
                    const std::uint32_t nodes = std::min(amount.nodes, from.nodes);
                    shares.push_back({from.block, nodes});
                    amount.nodes -= nodes;
                    from.nodes -= nodes;
                    if (from.nodes == 0) given[amount.part].pop_back();
                    ++effort_.steps;
                }
        }
    }
    effort_.steps += parts_.size();
    return segments;
}

}  // namespace nvl72block
