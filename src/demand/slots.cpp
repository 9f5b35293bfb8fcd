// SPDX-License-Identifier: GPL-2.0-or-later
#include "demand/slots.hpp"

#include <algorithm>
#include <numeric>

namespace nvl72block {

std::vector<Slots> slots_by_level(const Topology& topology, std::span<const DemandSize> demand,
                                  bool single_nodes_matter) {
    std::vector<DemandSize> kept;
    for (const DemandSize& size : demand)
        if (slot_level(topology, size.nodes) < topology.levels().size() &&
            (size.nodes > 1 || single_nodes_matter))
            kept.push_back(size);
    if (kept.empty()) return {};
    // Where nodes are shared, idle ones are given last.
    if (single_nodes_matter && std::ranges::find(kept, 1U, &DemandSize::nodes) == kept.end())
        kept.push_back({1, 0});
    const auto worth = [](const DemandSize& size) {
        return std::uint64_t{size.share} * size.nodes;
    };
    const std::uint64_t most = worth(*std::ranges::max_element(kept, {}, worth));
    const auto value = [&](const DemandSize& size) {
        const std::uint64_t rounded = (2 * worth(size) * most_slot_value + most) / (2 * most);
        return std::max(static_cast<std::uint32_t>(rounded), 1U);
    };
    std::uint32_t common = 0;
    for (const DemandSize& size : kept) common = std::gcd(common, value(size));
    std::vector<Slots> slots(topology.levels().size());
    for (const DemandSize& size : kept)
        slots[slot_level(topology, size.nodes)].push_back({size.nodes, value(size) / common});
    return slots;
}

}  // namespace nvl72block
