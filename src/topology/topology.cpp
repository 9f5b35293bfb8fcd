// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

#include "nvl72block/hostlist.hpp"
#include "topology/block_sizes.hpp"
#include "topology/config_checks.hpp"
#include "topology/name_positions.hpp"
#include "topology/node_owners.hpp"

namespace nvl72block {
namespace {

// Without BlockSizes Slurm enforces 1, 2, 4, 8 and 16 base blocks.
constexpr std::uint32_t default_exponents = 0b11111;

std::uint32_t exponents_of(const std::vector<std::uint32_t>& sizes) {
    if (sizes.empty()) return default_exponents;
    std::uint32_t exponents = 0;
    for (const std::uint32_t size : sizes)
        exponents |= 1U << block_exponent(size, sizes.front()).value();
    return exponents;
}

std::uint32_t planning_size_of(const TopologyConfig& config,
                               std::span<const std::uint32_t> block_nodes) {
    if (!config.block_sizes.empty()) return config.block_sizes.front();
    const auto first = std::find_if(block_nodes.begin(), block_nodes.end(),
                                    [](std::uint32_t nodes) { return nodes != 0; });
    return first == block_nodes.end() ? 0 : *first;
}

/// A note for each size that no block reaches: most often a plan for growth, sometimes a slip.
void note_unreached_sizes(const TopologyConfig& config, const Level& highest,
                          BlockIndex block_count, Diagnostics& diagnostics) {
    const std::string& file =
        config.block_sizes_file.empty() ? config.file : config.block_sizes_file;
    for (const std::uint32_t size : config.block_sizes)
        if (size > highest.nodes)
            diagnostics.push_back(
                {Severity::note, file, config.block_sizes_line,
                 fmt::format(
                     "BlockSizes: no block of {} nodes can be formed, {} base blocks fit into "
                     "one of {}",
                     size, block_count, highest.nodes),
                 "it takes effect when the cluster has more blocks"});
}

}  // namespace

std::optional<Topology> Topology::build(const TopologyConfig& config, std::size_t node_count,
                                        const NodeResolver& resolve, Diagnostics& diagnostics) {
    Diagnostics found;
    check_blocks_and_sizes(config, found);
    check_any_block(config, found);
    std::vector<BlockIndex> owners = find_node_owners(config, node_count, resolve, found);
    std::optional<Topology> topology;
    if (!has_error(found)) {
        topology = Topology();
        topology->naming_ = config.naming;
        for (const BlockLine& block : config.blocks) topology->names_.push_back(block.name);
        topology->assign(std::move(owners));
        const std::uint32_t planning_size = planning_size_of(config, topology->sizes_);
        if (planning_size == 0) {
            found.push_back({Severity::error, config.file, 0,
                             "no block has nodes, and without BlockSizes their size is unknown",
                             "write BlockSizes=, or Nodes= for the blocks"});
            topology.reset();
        } else {
            topology->enforced_exponents_ = exponents_of(config.block_sizes);
            topology->set_levels(planning_size);
            note_unreached_sizes(config, topology->levels_.back(), topology->block_count(), found);
        }
    }
    diagnostics.append(std::move(found));
    return topology;
}

Topology Topology::of_blocks(KnownBlocks blocks) {
    const std::uint32_t planning_size =
        blocks.sizes.empty() ? blocks.default_size : blocks.sizes.front();
    if (planning_size == 0) throw std::invalid_argument("blocks without a size to plan jobs with");
    Topology topology;
    topology.names_ = std::move(blocks.names);
    topology.assign(std::move(blocks.block_of));
    topology.enforced_exponents_ = exponents_of(blocks.sizes);
    topology.set_levels(planning_size);
    return topology;
}

BlockIndex Topology::find_block(std::string_view name) const {
    if (name.empty()) return no_block;  // holes have no name
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? no_block : static_cast<BlockIndex>(found - names_.begin());
}

void Topology::assign(std::vector<BlockIndex> block_of) {
    islands_.reset();
    block_of_ = std::move(block_of);
    sizes_.assign(names_.size(), 0);
    range_begin_.assign(names_.size() + 1, 0);
    const auto starts_range = [&](NodeIndex node) {
        return block_of_[node] != no_block && (node == 0 || block_of_[node - 1] != block_of_[node]);
    };
    for (NodeIndex node = 0; node < block_of_.size(); ++node) {
        if (block_of_[node] == no_block) continue;
        ++sizes_[block_of_[node]];
        if (starts_range(node)) ++range_begin_[block_of_[node] + 1];
    }
    for (std::size_t block = 1; block < range_begin_.size(); ++block)
        range_begin_[block] += range_begin_[block - 1];

    ranges_.resize(range_begin_.back());
    std::vector<std::uint32_t> next(range_begin_.begin(), range_begin_.end() - 1);
    for (NodeIndex node = 0; node < block_of_.size(); ++node) {
        if (block_of_[node] == no_block) continue;
        std::uint32_t& end = next[block_of_[node]];
        if (starts_range(node)) ranges_[end++].begin = node;
        ranges_[end - 1].end = node + 1;
    }
}

void Topology::set_levels(std::uint32_t planning_size) {
    levels_.clear();
    for (unsigned exponent = 0; exponent <= max_block_exponent; ++exponent) {
        if ((enforced_exponents_ >> exponent & 1U) == 0) continue;
        const std::uint32_t joined = 1U << exponent;
        levels_.push_back(
            {exponent, planning_size << exponent, (block_count() + joined - 1) >> exponent});
        // One block that holds everything is the highest that means anything.
        if (joined >= block_count()) break;
    }
}

bool Topology::is_listed(std::size_t level, std::uint32_t aggregate) const {
    if (level == 0) return true;
    const BlockIndex first = first_block(level, aggregate);
    const BlockIndex last = last_block(level, aggregate);
    if (last - first == levels_[level].base_blocks() && !has_hole(first, last)) return true;
    // Incomplete: it must hold blocks of at least two of the blocks below it.
    const unsigned lower = levels_[level - 1].exponent;
    BlockIndex lowest = no_block;
    BlockIndex highest = no_block;
    for (BlockIndex block = first; block < last; ++block) {
        if (is_hole(block)) continue;
        if (lowest == no_block) lowest = block;
        highest = block;
    }
    return lowest != no_block && lowest >> lower != highest >> lower;
}

bool Topology::has_hole(BlockIndex first, BlockIndex last) const {
    const auto begin = names_.begin();
    return std::any_of(begin + first, begin + last,
                       [](const std::string& name) { return name.empty(); });
}

std::string Topology::aggregate_name(std::size_t level, std::uint32_t aggregate) const {
    const BlockIndex first = first_block(level, aggregate);
    if (level == 0) return names_[first];
    std::vector<std::string> members;
    for (BlockIndex block = first; block < last_block(level, aggregate); ++block)
        if (!is_hole(block)) members.push_back(names_[block]);
    return compress_hostlist(members);
}

Topology Topology::with_islands(std::vector<std::uint32_t> island_of) const {
    if (island_of.size() != node_count())
        throw std::invalid_argument("the cliques are those of another topology");
    auto islands = std::make_shared<Islands>(Islands{
        std::move(island_of), std::vector<std::uint32_t>(block_count()), NodeSet(node_count())});
    for (NodeIndex node = 0; node < node_count(); ++node) {
        std::uint32_t& island = islands->island_of[node];
        if (block_of_[node] == no_block) island = no_island;
        if (block_of_[node] == no_block) continue;
        if (island == no_island) {
            islands->without_island.set(node);
            continue;
        }
        std::uint32_t& count = islands->island_count[block_of_[node]];
        count = std::max(count, island + 1);
    }
    Topology changed = *this;
    changed.islands_ = std::move(islands);
    return changed;
}

Topology Topology::without_islands() const {
    Topology changed = *this;
    changed.islands_.reset();
    return changed;
}

Topology Topology::with_node_in(NodeIndex node, BlockIndex block) const {
    assert(node < node_count() && (block == no_block || block < block_count()));
    Topology changed = *this;
    std::vector<BlockIndex> block_of = block_of_;
    block_of[node] = block;
    changed.assign(std::move(block_of));
    return changed;
}

Topology Topology::with_block(std::string name) const {
    Topology changed = *this;
    const auto position = naming_ ? position_of(name, *naming_) : std::nullopt;
    if (position && *position < block_count() && is_hole(static_cast<BlockIndex>(*position))) {
        changed.names_[*position] = std::move(name);
    } else {
        if (position && *position < most_positions(block_count()))
            changed.names_.resize(std::max<std::size_t>(*position, block_count()));
        changed.names_.push_back(std::move(name));
    }
    changed.assign(block_of_);
    changed.set_levels(planning_size());
    return changed;
}

std::uint32_t Topology::largest_block_nodes() const {
    return sizes_.empty() ? 0 : *std::max_element(sizes_.begin(), sizes_.end());
}

}  // namespace nvl72block
