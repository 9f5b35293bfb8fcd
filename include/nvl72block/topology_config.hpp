// SPDX-License-Identifier: GPL-2.0-or-later
//
// topology.conf of Slurm's block topology as text: BlockName=, Nodes=, BlockSizes=.
// Source of the format: topology.conf(5).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nvl72block/diagnostics.hpp"

namespace nvl72block {

/// One BlockName line. `nodes` is the text after Nodes=, not expanded: what it may hold beyond a
/// host list (node sets, feature{…}) is the reader's affair. Empty for a block without nodes.
struct BlockLine {
    std::string name;
    std::string nodes;
    std::string file;   ///< as messages name it
    unsigned line = 0;  ///< from 1
    /// No line at all, but a position among the blocks that is kept free (aggregate_by_name).
    bool hole = false;
};

/// How names give positions: block `prefix`NUMBER has the position NUMBER - `first`.
struct BlockNaming {
    std::string prefix;
    std::uint64_t first = 1;  ///< 0 or 1
};

/// A topology.conf as text, before any node is looked up.
struct TopologyConfig {
    std::string file;                        ///< name used in messages
    std::vector<BlockLine> blocks;           ///< in file order
    std::vector<std::uint32_t> block_sizes;  ///< as written, in nodes; empty when absent
    unsigned block_sizes_line = 0;           ///< from 1; 0 when absent
    std::string block_sizes_file;            ///< file of the BlockSizes line; empty: `file`
    std::optional<BlockNaming> naming = std::nullopt;  ///< set by aggregate_by_name
};

/// Whether a topology.conf must have BlockName lines: not where blocks come from elsewhere.
enum class BlockLines { required, optional };

/// Parses the text of a topology.conf: keys in any case, `#` comments, `\` continuation,
/// `Include FILE` (relative to `file`, also in an included one, as Slurm has it relative to
/// slurm.conf). Appends one finding for each thing wrong (severity error, with line and remedy) and
/// returns nullopt if any was an error. Everything that can be known without the node table is
/// checked here, so that one run reports it all; what needs the node table (unknown node, node in
/// two blocks) is checked by Topology::build.
[[nodiscard]] std::optional<TopologyConfig> parse_topology_config(
    std::string_view text, const std::string& file, Diagnostics& diagnostics,
    BlockLines lines = BlockLines::required);

/// Reads and parses `path`. A file that cannot be read is an error with the reason; where blocks
/// come from elsewhere one that does not exist is a note, and like an empty one.
[[nodiscard]] std::optional<TopologyConfig> read_topology_config(
    const std::filesystem::path& path, Diagnostics& diagnostics,
    BlockLines lines = BlockLines::required);

/// Moves each block to the position that the number at the end of its name gives: number 1 is the
/// first (0 where a block has it), and a missing number leaves a hole, so that the aggregates above
/// it do not shift. Where the names cannot be used (no number, different beginnings, a number
/// twice, a gap too wide to be meant) a warning says so, and the blocks stay in file order; returns
/// false.
bool aggregate_by_name(TopologyConfig& config, Diagnostics& diagnostics);

}  // namespace nvl72block
