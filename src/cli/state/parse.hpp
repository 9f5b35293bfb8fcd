// SPDX-License-Identifier: GPL-2.0-or-later
//
// One reader per output of scontrol. What a reader does not understand goes to its notes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/state/cluster_state.hpp"
#include "cli/state/notes.hpp"
#include "nvl72block/topology_config.hpp"

namespace nvl72block::cli {

/// What `scontrol show config` says that matters here.
struct ConfigText {
    SlurmTime now = 0;
    std::string cluster_name;
    std::string slurm_version;
    std::string topology_plugin;
    std::string topology_param;
    std::string private_data;
    std::string slurm_conf;  ///< the file's path on the controller; empty: not said
    std::string max_nodes;   ///< MaxNodeCount=; empty: not said
    std::string state_save_location;
};

/// InputError if the text is not the output of `scontrol show config`.
[[nodiscard]] ConfigText parse_config(std::string_view text);

/// Nodes in state FUTURE, which slurm.conf has but the cluster does not use, among them.
[[nodiscard]] std::vector<NodeRecord> parse_nodes(std::string_view text, Notes& notes);

/// The base blocks, with holes where BlockIndex= jumps, and the sizes of the aggregated blocks;
/// without blocks if the text has none.
[[nodiscard]] TopologyConfig parse_blocks(std::string_view text, Notes& notes);

[[nodiscard]] std::vector<PartitionRecord> parse_partitions(std::string_view text,
                                                            const NodeTable& table, Notes& notes);

[[nodiscard]] std::vector<ReservationRecord> parse_reservations(std::string_view text,
                                                                const NodeTable& table,
                                                                Notes& notes);

/// `listing` and `text` as listed_jobs() takes them, with its InputError; without a listing those
/// of an old snapshot.
[[nodiscard]] std::vector<JobRecord> parse_jobs(std::string_view listing, std::string_view text,
                                                const NodeTable& table, Notes& notes);

/// The jobs of an old snapshot, which has no list of squeue; a note says what that means.
[[nodiscard]] std::vector<JobRecord> parse_jobs_of_scontrol(std::string_view text,
                                                            const NodeTable& table, Notes& notes);

/// The note about a name that a list has twice. Names are unique in Slurm; but an operator's
/// comment with a line feed in it can end with what looks like a record.
[[nodiscard]] std::string second_record(std::string_view kind, std::string_view name);

/// The nodes that `list` names; of unknown ones and of a malformed list there is a note that names
/// `owner`.
[[nodiscard]] NodeSet known_nodes(std::string_view list, const NodeTable& table,
                                  std::string_view owner, Notes& notes);

}  // namespace nvl72block::cli
