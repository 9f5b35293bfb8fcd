// SPDX-License-Identifier: GPL-2.0-or-later
//
// One reader per kind of record. InputError where a member is not what it has to be; what a reader
// does not understand of a text of Slurm's goes to its notes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/inventory/inventory.hpp"
#include "cli/state/cluster_state.hpp"
#include "cli/state/document.hpp"
#include "cli/state/notes.hpp"
#include "nvl72block/topology_config.hpp"

namespace nvl72block::cli {

/// What matters of the configuration.
struct ConfigRecord {
    SlurmTime now = 0;
    std::string cluster_name;
    std::string slurm_version;
    std::string topology_plugin;
    std::string topology_param;
    std::string private_data;
    std::string preempt_type;     ///< empty: none
    std::string slurm_conf;       ///< the file's path on the controller
    std::uint64_t max_nodes = 0;  ///< MaxNodeCount=; 0: not set
    std::string state_save_location;
    std::string enforce_part_limits;  ///< NO, ANY or ALL; empty: not known
};

/// InputError without a time or a version.
[[nodiscard]] ConfigRecord read_config(const Document& document);

/// Nodes in state FUTURE, which slurm.conf has but the cluster does not use, among them.
[[nodiscard]] std::vector<NodeRecord> read_nodes(const Document& document, Notes& notes);

/// The nodes' cliques, from their available features; `prefix` stands before a clique's feature.
[[nodiscard]] Inventory cliques_of_nodes(const std::vector<NodeRecord>& nodes,
                                         const std::string& prefix);

/// The base blocks, with holes where their index jumps, and the sizes of the aggregated blocks;
/// without blocks if there are none. InputError where nvl72block-records could not ask for them.
[[nodiscard]] TopologyConfig read_blocks(const Document& document);

[[nodiscard]] std::vector<PartitionRecord> read_partitions(const Document& document,
                                                           const NodeTable& table, Notes& notes);

[[nodiscard]] std::vector<ReservationRecord> read_reservations(const Document& document,
                                                               const NodeTable& table,
                                                               Notes& notes);

/// In the order of their numbers.
[[nodiscard]] std::vector<JobRecord> read_jobs(const Document& document, const NodeTable& table,
                                               Notes& notes);

/// Why the plugin refused a job last; empty for other comments and for the receipt of a start.
[[nodiscard]] std::string_view sentence_in_comment(std::string_view system_comment);

/// The segment size in a sentence of the plugin's, "needs 4 segments of 16 nodes" or "...; segments
/// of 16": before 25.05 a job's record has none. 0: the job has none; nullopt: the comment does not
/// tell.
[[nodiscard]] std::optional<std::uint32_t> segment_in_comment(std::string_view system_comment);

/// The nodes that `list` names; of unknown ones and of a malformed list there is a note that names
/// `owner`.
[[nodiscard]] NodeSet known_nodes(std::string_view list, const NodeTable& table,
                                  std::string_view owner, Notes& notes);

}  // namespace nvl72block::cli
