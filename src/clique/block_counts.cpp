// SPDX-License-Identifier: GPL-2.0-or-later
#include "clique/block_counts.hpp"

#include <algorithm>

namespace nvl72block {
namespace {

/// The cliques of one block; `slot_of` is scratch, no_clique everywhere before and after.
void count_block(const Topology& topology, const CliqueMap& cliques, BlockIndex block,
                 std::vector<std::uint32_t>& slot_of, std::vector<CliqueInBlock>& out) {
    const std::size_t begin = out.size();
    for (const NodeRange& range : topology.ranges(block))
        for (NodeIndex node = range.begin; node < range.end; ++node) {
            const CliqueIndex clique = cliques.clique_of(node);
            if (clique == no_clique) continue;
            if (slot_of[clique] == no_clique) {
                slot_of[clique] = static_cast<std::uint32_t>(out.size());
                out.push_back({clique, block, 0, node});
            }
            ++out[slot_of[clique]].nodes;
        }
    for (std::size_t i = begin; i < out.size(); ++i) slot_of[out[i].clique] = no_clique;
}

/// The same facts ordered by clique, then block.
std::vector<CliqueInBlock> by_clique(const std::vector<CliqueInBlock>& by_block,
                                     std::vector<std::size_t>& begin) {
    for (const CliqueInBlock& entry : by_block) ++begin[entry.clique + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<CliqueInBlock> sorted(by_block.size());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (const CliqueInBlock& entry : by_block) sorted[next[entry.clique]++] = entry;
    return sorted;
}

}  // namespace

BlockCounts::BlockCounts(const Topology& topology, const CliqueMap& cliques)
    : clique_begin_(cliques.clique_count() + std::size_t{1}) {
    std::vector<std::uint32_t> slot_of(cliques.clique_count(), no_clique);
    block_begin_.reserve(topology.block_count() + std::size_t{1});
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        block_begin_.push_back(by_block_.size());
        count_block(topology, cliques, block, slot_of, by_block_);
    }
    block_begin_.push_back(by_block_.size());
    by_clique_ = by_clique(by_block_, clique_begin_);
}

bool BlockCounts::contradicts(const CliqueInBlock& here) const {
    const auto more_nodes = [&here](const CliqueInBlock& other) {
        return other.nodes > here.nodes;
    };
    return std::ranges::any_of(of_clique(here.clique), more_nodes) &&
           std::ranges::any_of(in_block(here.block), more_nodes);
}

}  // namespace nvl72block
