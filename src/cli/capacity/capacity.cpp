// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/capacity/capacity.hpp"

#include <algorithm>

#include "nvl72block/headroom.hpp"

namespace nvl72block::cli {
namespace {

/// Most blocks of one level that are asked for the best one.
constexpr std::size_t most_questions = 16;

/// No more segments than that fit into base blocks [first, last).
std::uint32_t upper_bound(const Topology& topology, BlockIndex first, BlockIndex last,
                          const std::vector<std::uint32_t>& free, std::uint32_t size) {
    const bool within_base_blocks = size <= topology.planning_size();
    std::uint32_t nodes = 0;
    std::uint32_t whole = 0;
    for (BlockIndex block = first; block < last; ++block) {
        nodes += free[block];
        whole += free[block] / size;
    }
    return within_base_blocks ? whole : nodes / size;
}

/// The most segments in one block of the level. Blocks are asked in the order of their bounds, so
/// that nearly always the first one decides.
FitCount best_block(const Topology& topology, std::size_t level, NodeSetView nodes,
                    const std::vector<std::uint32_t>& free, std::uint32_t size) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> bounds;  // and the aggregate
    for (std::uint32_t each = 0; each < topology.levels()[level].aggregates; ++each)
        bounds.emplace_back(upper_bound(topology, topology.first_block(level, each),
                                        topology.last_block(level, each), free, size),
                            each);
    const std::size_t sorted = std::min(most_questions + 1, bounds.size());
    std::ranges::partial_sort(bounds, bounds.begin() + static_cast<std::ptrdiff_t>(sorted),
                              std::greater<>());
    FitCount best;
    std::uint32_t open = 0;  // what may fit in some block for all that is known
    for (std::size_t i = 0; i < sorted && bounds[i].first > best.count; ++i) {
        const auto [bound, aggregate] = bounds[i];
        FitCount fit{0, false};
        if (i < most_questions) {
            const NodeSet inside = nodes_in_blocks(topology, topology.first_block(level, aggregate),
                                                   topology.last_block(level, aggregate), nodes);
            fit = segments_that_fit(topology, inside, size);
        }
        best.count = std::max(best.count, fit.count);
        if (!fit.exact) open = std::max(open, bound);
    }
    best.exact = open <= best.count;
    return best;
}

}  // namespace

void limit(Capacity& capacity, std::uint32_t nodes) {
    const auto cut = [&](FitCount& fit, std::uint32_t size) {
        if (fit.count >= nodes / size) fit = {nodes / size, true};
    };
    cut(capacity.headroom.largest_job, 1);
    for (SegmentCapacity& segments : capacity.segments) {
        cut(segments.all, segments.size);
        for (FitCount& each : segments.in_one_block) cut(each, segments.size);
    }
}

Capacity capacity(const Topology& topology, NodeSetView free,
                  const std::vector<std::uint32_t>& sizes) {
    Capacity result;
    result.headroom = headroom(topology, free);
    const NodeSet inside = nodes_in_blocks(topology, 0, topology.block_count(), free);
    result.free_outside = free.count() - inside.count();
    std::vector<std::uint32_t> free_in(topology.block_count());
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        free_in[block] = topology.count(block, free);
    for (const std::uint32_t size : sizes) {
        SegmentCapacity segments{size, segments_that_fit(topology, inside, size), {}};
        for (std::size_t level = 0; level < topology.levels().size(); ++level)
            segments.in_one_block.push_back(best_block(topology, level, inside, free_in, size));
        result.segments.push_back(std::move(segments));
    }
    return result;
}

}  // namespace nvl72block::cli
