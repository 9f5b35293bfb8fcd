// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/strategies/first_fit.hpp"

#include "replay/strategies/placement_builder.hpp"

namespace nvl72block::replay {

std::optional<Placement> FirstFit::choose(const Topology& topology, const Job& job,
                                          NodeSetView free) const {
    if (free.count() < job.nodes) return std::nullopt;
    PlacementBuilder builder(topology);
    const std::uint32_t segment = job.segment != 0 ? job.segment : job.nodes;
    std::uint32_t taken = 0;
    free.for_each([&](NodeIndex node) {
        if (taken == job.nodes) return;
        if (taken % segment == 0) builder.begin_segment();
        builder.add(node);
        ++taken;
    });
    return std::move(builder).finish();
}

}  // namespace nvl72block::replay
