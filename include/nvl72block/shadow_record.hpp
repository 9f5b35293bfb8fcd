// SPDX-License-Identifier: GPL-2.0-or-later
//
// The file in which the plugin's shadow mode keeps what it saw: one record per line, for the plugin
// that writes and the command that reads. A line that was damaged or cut off is told from its
// checksum and does not concern the others.
//
// A line is a checksum (CRC-32 of the rest, eight hexadecimal digits), then the kind and fields
// "key=value", separated by tabs. Kinds and their fields:
//
//   topology   what the records behind it are about: id, nodes (of the node table), sizes
//              (BlockSizes in nodes, separated by commas), options (TopologyParam), slurm, plugin,
//              and per base block one field block.NUMBER, the nodes in it
//   decision   a job that topology/block started, or held although nvl72block had nodes for it: t
//              (seconds since 1970), job, array (job of the array, where it is one), by (main or
//              backfill), topology (id), candidates, idle, block and nvl72block (the nodes each
//              gave; absent: none), waits (nvl72block gave nodes, but --switches makes the job wait
//              for others), why (its refusal), ns.block and ns.nvl72block (time taken,
//              nanoseconds), demand, and the request: min, max, req (nodes), segment, exclusive,
//              spread, consolidate, switches, required, tasks, cpus.task, min.cpus, tres (as
//              requested), whole (all candidates were idle), weights (where nodes differ:
//              weight:nodes;...)
//   released   what became of a job that was held: t, job, since (t of its record), started (1, or
//              0 where it was cancelled)
//   tally      numbers since slurmctld started: t, since, questions, both.held, unsettled, lost
//              (records that could not be written)
//   fault      what went wrong in the plugin's half: t, kind (engine, budget, answer, file), what
//   off        shadow mode has switched itself off: t, faults
//
// Nodes are written as indices in Slurm's node table: "0-17,20". No record has the name of a job or
// user.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "nvl72block/node_set.hpp"

namespace nvl72block {

/// One line.
struct ShadowRecord {
    std::string kind;
    std::map<std::string, std::string, std::less<>> fields;

    /// The empty text for a field that is not there.
    [[nodiscard]] std::string_view text(std::string_view key) const;
    /// nullopt for a field that is not there or no number.
    [[nodiscard]] std::optional<std::uint64_t> number(std::string_view key) const;
    /// The nodes of a field; of `size` nodes at most. nullopt where the field is there and damaged.
    [[nodiscard]] std::optional<NodeSet> nodes(std::string_view key, std::size_t size) const;
};

/// With the line's end. Tabs and line ends in values become blanks.
[[nodiscard]] std::string to_line(const ShadowRecord& record);
/// nullopt for a line that was damaged; `line` is without its end.
[[nodiscard]] std::optional<ShadowRecord> parse_shadow_line(std::string_view line);

/// "0-17,20"; the empty text for the empty set.
[[nodiscard]] std::string node_ranges(NodeSetView nodes);
/// The reverse. nullopt where the text is wrong or a node is not below `size`.
[[nodiscard]] std::optional<NodeSet> parse_node_ranges(std::string_view text, std::size_t size);

}  // namespace nvl72block
