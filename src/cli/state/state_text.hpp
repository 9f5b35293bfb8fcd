// SPDX-License-Identifier: GPL-2.0-or-later
//
// The texts that a cluster's state is read from: the outputs of scontrol, one per kind of record,
// and squeue's list of jobs. All of them are printable_lines().
#pragma once

#include <string>

namespace nvl72block::cli {

struct StateText {
    std::string config;  ///< scontrol show config
    std::string nodes;   ///< scontrol -a -F -o show nodes
    std::string jobs;    ///< scontrol -a -o show jobs; the same of those below
    std::string partitions;
    std::string reservations;
    std::string topology;
    std::string job_list;  ///< listing_text(); empty in snapshots of 0.2.0
    std::string user;      ///< who ran scontrol
    /// slurmctld's file of the demand that it has learned (StateSaveLocation/nvl72block_demand);
    /// empty where there is none, or not for this user or on this host.
    std::string demand;
};

/// With a topology.yaml that is wrong scontrol answers every question but that for the topology.
enum class LiveText { whole, without_topology };

/// Runs a program per text, all at once; InputError where it is missing, fails or does not
/// answer.
[[nodiscard]] StateText read_live_text(LiveText wanted = LiveText::whole);

/// The text that LiveText::without_topology leaves out; InputError as above.
[[nodiscard]] std::string read_live_topology();

/// Reads a folder that write_snapshot() wrote; InputError names the file that is missing.
[[nodiscard]] StateText read_snapshot(const std::string& folder);

/// Writes one file per text and snapshot.json. The folder is made if need be; InputError if it
/// holds something other than a snapshot or cannot be written.
void write_snapshot(const std::string& folder, const StateText& text);

}  // namespace nvl72block::cli
