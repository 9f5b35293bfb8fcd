// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/state/slots.hpp"

#include <algorithm>
#include <numeric>

namespace nvl72block {
namespace {

struct Kept {
    std::size_t level = 0;
    Slot slot;
    std::uint64_t worth = 0;
};

std::vector<Kept> slots_that_matter(const Topology& topology, std::span<const DemandSize> demand,
                                    bool single_nodes_matter) {
    std::vector<Kept> kept;
    for (const DemandSize& size : demand) {
        const std::size_t level = slot_level(topology, size.nodes);
        if (level == topology.levels().size() || (size.nodes == 1 && !single_nodes_matter))
            continue;
        kept.push_back({level, {size.nodes, 1}, std::uint64_t{size.share} * size.nodes});
    }
    // Where nodes are shared, idle ones are given last.
    const bool has_single = std::ranges::any_of(demand, [](const auto& d) { return d.nodes == 1; });
    if (single_nodes_matter && !has_single && !kept.empty()) kept.push_back({0, {1, 1}, 0});
    return kept;
}

}  // namespace

std::vector<Slots> slots_by_level(const Topology& topology, std::span<const DemandSize> demand,
                                  bool single_nodes_matter) {
    std::vector<Kept> kept = slots_that_matter(topology, demand, single_nodes_matter);
    if (kept.empty()) return {};
    std::uint64_t most = 0;
    for (const Kept& each : kept) most = std::max(most, each.worth);
    std::uint32_t common = 0;
    for (Kept& each : kept) {
        const std::uint64_t value = (2 * each.worth * most_slot_value + most) / (2 * most);
        each.slot.value = static_cast<std::uint32_t>(std::max<std::uint64_t>(value, 1));
        common = std::gcd(common, each.slot.value);
    }
    std::vector<Slots> slots(topology.levels().size());
    for (const Kept& each : kept)
        slots[each.level].push_back({each.slot.nodes, each.slot.value / common});
    return slots;
}

}  // namespace nvl72block
