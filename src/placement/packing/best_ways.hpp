// SPDX-License-Identifier: GPL-2.0-or-later
//
// The best ways that packing has found, and how the nodes of a way are cut into segments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "placement/packing/packing.hpp"
#include "placement/packing/part_groups.hpp"
#include "placement/packing/segment_cut.hpp"
#include "placement/preference/taken_nodes.hpp"

namespace nvl72block {

class BestWays {
  public:
    /// Segments are made of the blocks `parts` of a level, in ascending order.
    BestWays(const PackedVertex& vertex, const SegmentRule& rule, std::size_t part_level,
             const std::vector<SegmentPart>& parts, Effort& effort)
        : vertex_(vertex), rule_(rule), part_level_(part_level), parts_(parts), effort_(effort) {}

    /// Keeps what takes these nodes (no base block twice) from these groups, if it is better than
    /// what is known, within the limit on base blocks.
    void propose(std::uint32_t segments, std::vector<Share> taken, const PartGroups& groups) {
        const std::uint32_t limit = vertex_.problem.max_base_blocks;
        if (limit != 0 && taken.size() > limit) return;
        std::ranges::sort(taken, std::less{}, &Share::block);
        effort_.steps += steps_per_construction + 2 * taken.size();
        const Cost cost = cost_of_taken(vertex_.layout, vertex_.level(), taken);
        const auto blocks = static_cast<std::uint32_t>(taken.size());
        if (!vertex_.layout.less(cost, this->cost(segments, blocks))) return;
        cheapest_[key(segments, blocks)] = {segments, blocks, cost, cut(std::move(taken), groups)};
    }

    [[nodiscard]] bool has(std::uint32_t segments) const {
        const auto known = cheapest_.lower_bound({segments, 0});
        return known != cheapest_.end() && known->first.first == segments;
    }
    /// By so many base blocks, where these are limited.
    [[nodiscard]] Cost cost(std::uint32_t segments, std::size_t blocks) const {
        const auto known = cheapest_.find(key(segments, blocks));
        return known == cheapest_.end() ? impossible_cost() : known->second.cost;
    }
    /// Ends its use.
    [[nodiscard]] std::vector<PackedWay> take() {
        std::vector<PackedWay> ways;
        ways.reserve(cheapest_.size());
        for (auto& [key, way] : cheapest_) ways.push_back(std::move(way));
        return ways;
    }

    /// The position of a part.
    [[nodiscard]] std::uint32_t position_of(std::uint32_t part) const {
        const auto at = std::ranges::lower_bound(parts_, part, std::less{}, &SegmentPart::vertex);
        return static_cast<std::uint32_t>(at - parts_.begin());
    }

  private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;  // segments, base blocks

    [[nodiscard]] Key key(std::uint32_t segments, std::size_t blocks) const {
        return {segments,
                vertex_.problem.max_base_blocks == 0 ? 0 : static_cast<std::uint32_t>(blocks)};
    }
    /// Each group's nodes in segments; a part gives its base blocks to them one after another.
    /// `taken` ascends.
    [[nodiscard]] std::vector<std::vector<Share>> cut(std::vector<Share> taken,
                                                      const PartGroups& groups) {
        std::vector<std::span<Share>> given(parts_.size());  // of `taken`
        const Topology& topology = vertex_.tally().topology();
        for (Share& share : taken) {
            auto& of_part = given[position_of(topology.aggregate_of(part_level_, share.block))];
            of_part = {of_part.empty() ? &share : of_part.data(), of_part.size() + 1};
        }
        std::vector<std::vector<Share>> segments;
        for (const PartGroup& group : groups) {
            std::vector<Share> amounts;
            for (const std::uint32_t part : group.parts) {
                std::uint32_t nodes = 0;
                for (const Share& share : given[part]) nodes += share.nodes;
                if (nodes > 0) amounts.push_back({part, nodes});
            }
            SegmentCut cutter(std::move(amounts), rule_, effort_);
            for (const std::vector<Share>& segment : cutter.run(group.segments)) {
                std::vector<Share>& shares = segments.emplace_back();
                for (Share amount : segment)
                    while (amount.nodes > 0) {
                        Share& from = given[amount.block].back();
                        const std::uint32_t nodes = std::min(amount.nodes, from.nodes);
                        shares.push_back({from.block, nodes});
                        amount.nodes -= nodes;
                        from.nodes -= nodes;
                        if (from.nodes > 0) continue;
                        given[amount.block] =
                            given[amount.block].first(given[amount.block].size() - 1);
                    }
                std::ranges::sort(shares, std::less{}, &Share::block);
                effort_.steps += 2 * shares.size();
            }
        }
        effort_.steps += parts_.size();
        return segments;
    }

    const PackedVertex& vertex_;
    SegmentRule rule_;
    std::size_t part_level_;
    const std::vector<SegmentPart>& parts_;
    Effort& effort_;
    std::map<Key, PackedWay> cheapest_;
};

}  // namespace nvl72block
