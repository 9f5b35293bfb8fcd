// SPDX-License-Identifier: GPL-2.0-or-later
//
// The immutable model of a cluster's blocks: base blocks in file order and their aggregation.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nvl72block/diagnostics.hpp"
#include "nvl72block/node_set.hpp"
#include "nvl72block/topology_config.hpp"

namespace nvl72block {

/// Index of a base block: its position among the BlockName lines, from 0.
using BlockIndex = std::uint32_t;
/// Stands for "in no block".
inline constexpr BlockIndex no_block = std::numeric_limits<BlockIndex>::max();

/// Highest aggregation exponent: an aggregated block joins at most 2^15 base blocks, as in Slurm's
/// topology/block.
inline constexpr unsigned max_block_exponent = 15;

/// Nodes [begin, end) of the node table.
struct NodeRange {
    NodeIndex begin = 0;
    NodeIndex end = 0;
};

/// One enforced level: a size that BlockSizes lists. The aggregated block `a` of the level joins
/// the base blocks [a << exponent, (a + 1) << exponent), the last one possibly fewer.
struct Level {
    unsigned exponent = 0;         ///< log2 of the base blocks it joins; 0 for the base level
    std::uint32_t nodes = 0;       ///< planning size times 2^exponent
    std::uint32_t aggregates = 0;  ///< number of blocks at this level, the incomplete one included

    /// The base blocks that a complete block of the level joins.
    [[nodiscard]] BlockIndex base_blocks() const { return BlockIndex{1} << exponent; }
};

/// How names in a Nodes= text become node indices: fills `nodes` (any order) and returns true, or
/// puts a sentence about the first name that is unknown or malformed into `error`. A sentence that
/// comes with true is reported as a warning (about the first few lines, and the number of others).
using NodeResolver =
    std::function<bool(std::string_view text, std::vector<NodeIndex>& nodes, std::string& error)>;

/// Blocks that are known without a topology.conf.
struct KnownBlocks {
    std::vector<std::string> names;    ///< legal and different
    std::vector<BlockIndex> block_of;  ///< per node
    std::vector<std::uint32_t> sizes;  ///< BlockSizes, valid; empty when absent
    std::uint32_t default_size = 0;    ///< planning size without BlockSizes, 1 or more
};

/// Stands for "in no island".
inline constexpr std::uint32_t no_island = std::numeric_limits<std::uint32_t>::max();

/// An island is the nodes of one NVLink clique inside one base block, or the whole block where its
/// nodes name no clique. With enforced cliques a segment of several nodes lies in one island.
struct Islands {
    /// Per node: the index of its island inside its base block, from 0. no_island: the node takes
    /// no part in a segment of several nodes, or lies in no block.
    std::vector<std::uint32_t> island_of;
    /// Per base block: its number of islands; 0 where no node has one.
    std::vector<std::uint32_t> island_count;
    /// The nodes that lie in a block and have no island; as long as island_of.
    NodeSet without_island;
};

/// Immutable; a copy shares nothing that can change. Indices of nodes, blocks and levels are not
/// checked: they have to be below node_count(), block_count() and levels().size().
class Topology {
  public:
    /// Builds the model for a node table of `node_count` nodes. Unknown nodes, a node in two
    /// blocks, two blocks of one name, no block at all and BlockSizes that are not the planning
    /// size times powers of two are findings with file and line; returns nullopt if one of them is
    /// an error. Sizes above what the blocks can form are a note: they are accepted and enforced as
    /// soon as there are blocks enough. Blocks with fewer nodes than the planning size, or none,
    /// are accepted. Without BlockSizes the planning size is the node count of the first block that
    /// has nodes and the exponents 0 to 4 are enforced as far as there are blocks (Slurm's
    /// default).
    [[nodiscard]] static std::optional<Topology> build(const TopologyConfig& config,
                                                       std::size_t node_count,
                                                       const NodeResolver& resolve,
                                                       Diagnostics& diagnostics);

    /// Builds the model of blocks that are known already; there may be none. std::invalid_argument
    /// if the planning size is 0.
    [[nodiscard]] static Topology of_blocks(KnownBlocks blocks);

    /// Number of nodes of the node table, in blocks or not.
    [[nodiscard]] std::size_t node_count() const { return block_of_.size(); }
    /// Number of base blocks, holes included.
    [[nodiscard]] BlockIndex block_count() const { return static_cast<BlockIndex>(names_.size()); }
    /// The first BlockSizes value, in nodes: the size that jobs are planned with. A real block may
    /// hold more (spares) or fewer (gaps).
    [[nodiscard]] std::uint32_t planning_size() const { return levels_.front().nodes; }
    /// Enforced levels, ascending; the first has exponent 0.
    [[nodiscard]] std::span<const Level> levels() const { return levels_; }

    /// The name of a base block; empty for a hole.
    [[nodiscard]] const std::string& block_name(BlockIndex block) const { return names_[block]; }
    /// Whether there is no such block, but only its position among the others. A hole has no
    /// nodes, and users do not see it.
    [[nodiscard]] bool is_hole(BlockIndex block) const { return names_[block].empty(); }
    /// The block called `name`, exactly as written, or no_block.
    [[nodiscard]] BlockIndex find_block(std::string_view name) const;
    /// The base block of `node`, or no_block.
    [[nodiscard]] BlockIndex block_of(NodeIndex node) const { return block_of_[node]; }
    /// The nodes of a base block as ascending, disjoint, non-adjacent ranges.
    [[nodiscard]] std::span<const NodeRange> ranges(BlockIndex block) const {
        return std::span(ranges_).subspan(range_begin_[block],
                                          range_begin_[block + 1] - range_begin_[block]);
    }
    /// Number of nodes that the base block really has.
    [[nodiscard]] std::uint32_t block_nodes(BlockIndex block) const { return sizes_[block]; }
    /// The most nodes that a base block has; 0 without blocks.
    [[nodiscard]] std::uint32_t largest_block_nodes() const;

    /// Members of `set` in a base block.
    [[nodiscard]] std::uint32_t count(BlockIndex block, NodeSetView set) const {
        std::uint32_t total = 0;
        for (const NodeRange& range : ranges(block)) total += set.count(range.begin, range.end);
        return total;
    }
    /// Calls visit(NodeIndex) for each member of `set` in a base block, ascending.
    template <typename Visit>
    void for_each(BlockIndex block, NodeSetView set, Visit visit) const {
        for (const NodeRange& range : ranges(block)) set.for_each(range.begin, range.end, visit);
    }

    /// Base blocks [first, last) of aggregated block `aggregate` at levels()[level].
    [[nodiscard]] BlockIndex first_block(std::size_t level, std::uint32_t aggregate) const {
        return aggregate << levels_[level].exponent;
    }
    [[nodiscard]] BlockIndex last_block(std::size_t level, std::uint32_t aggregate) const {
        const std::uint64_t last = std::uint64_t{aggregate + 1U} << levels_[level].exponent;
        return static_cast<BlockIndex>(last < block_count() ? last : block_count());
    }

    /// The aggregated block of levels()[level] that joins `block`.
    [[nodiscard]] std::uint32_t aggregate_of(std::size_t level, BlockIndex block) const {
        return block >> levels_[level].exponent;
    }
    /// log2 of the blocks of levels()[lower] that a complete one of levels()[upper] joins.
    [[nodiscard]] unsigned exponent_between(std::size_t lower, std::size_t upper) const {
        return levels_[upper].exponent - levels_[lower].exponent;
    }

    /// Whether Slurm lists this block above the base level (scontrol show topology). An incomplete
    /// aggregate is left out when a block of the next enforced level below already holds as much;
    /// holes count for nothing.
    [[nodiscard]] bool is_listed(std::size_t level, std::uint32_t aggregate) const;

    /// The name Slurm prints for the block: that of a base block, or the compressed host list of
    /// the names of the base blocks it joins, e.g. b[1-2].
    [[nodiscard]] std::string aggregate_name(std::size_t level, std::uint32_t aggregate) const;

    /// What enforced cliques make of the base blocks; null: cliques do not matter.
    [[nodiscard]] const Islands* islands() const { return islands_.get(); }
    /// The same blocks with islands in them. `island_of` is as in Islands; what it says of nodes in
    /// no block means nothing. std::invalid_argument if it has not an entry for each node.
    [[nodiscard]] Topology with_islands(std::vector<std::uint32_t> island_of) const;
    /// The same blocks as if cliques did not matter.
    [[nodiscard]] Topology without_islands() const;

    /// A topology with the same blocks in which `node` lies in `block` (no_block: in none).
    /// Assigning a node to the block it is in changes nothing (SchedMD/slurm #225). Neither this
    /// nor with_block() keeps the islands: which nodes are joined depends on all of a block.
    [[nodiscard]] Topology with_node_in(NodeIndex node, BlockIndex block) const;
    /// The same with one more, empty base block: at its position where names give
    /// positions (BlockNaming), otherwise at the end.
    [[nodiscard]] Topology with_block(std::string name) const;

  private:
    Topology() = default;
    void assign(std::vector<BlockIndex> block_of);
    void set_levels(std::uint32_t planning_size);
    [[nodiscard]] bool has_hole(BlockIndex first, BlockIndex last) const;

    std::vector<std::string> names_;
    std::vector<BlockIndex> block_of_;        // per node
    std::vector<std::uint32_t> range_begin_;  // per block, plus one: offsets into ranges_
    std::vector<NodeRange> ranges_;
    std::vector<std::uint32_t> sizes_;  // per block, nodes
    std::vector<Level> levels_;
    /// Bit e: exponent e is enforced, also where there are too few blocks for it today.
    std::uint32_t enforced_exponents_ = 1;
    std::optional<BlockNaming> naming_;
    std::shared_ptr<const Islands> islands_;  // null: cliques do not matter
};

}  // namespace nvl72block
