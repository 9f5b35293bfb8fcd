// SPDX-License-Identifier: GPL-2.0-or-later
//
// The node sets of slurm.conf, which slurmctld tells nobody.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>

namespace nvl72block::cli {

/// What each NodeSet= line names, by the set's name: a list for Nodes= of a topology.conf, with
/// feature{} for Feature=. Included files are read, too; a file that this host does not have, or
/// that cannot be read, has none.
[[nodiscard]] std::unordered_map<std::string, std::string> node_sets_of(
    const std::filesystem::path& slurm_conf);

}  // namespace nvl72block::cli
