// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where `check` learns about a cluster: options and files, or scontrol.
#pragma once

#include <iosfwd>
#include <string>

#include "cli/check/check_topology.hpp"
#include "cli/check/known_cluster.hpp"
#include "cli/input/features.hpp"
#include "cli/state/parse.hpp"
#include "cli/state/state_text.hpp"

namespace nvl72block::cli {

/// The nodes of `node_list`, which are all that there are; with "", those of the topology file and
/// of the features.
[[nodiscard]] KnownCluster cluster_of_options(const std::string& node_list,
                                              const FeatureOptions& features);

/// The nodes that scontrol shows, with their features, and the options of the cluster.
[[nodiscard]] KnownCluster cluster_of_text(const StateText& text, const ConfigText& config,
                                           std::ostream& notes);

/// The jobs that scontrol shows.
[[nodiscard]] std::vector<JobRecord> jobs_of_text(const StateText& text, const KnownCluster& known,
                                                  std::ostream& notes);

/// The topology file beside the controller's slurm.conf, if this host has it; empty otherwise.
[[nodiscard]] std::string file_of_cluster(const ConfigText& config);

/// The blocks that scontrol shows; InputError where there are none.
[[nodiscard]] CheckedFile blocks_in_force(const StateText& text, std::ostream& notes);

/// The names of the base blocks of `loaded` that scontrol shows with other nodes, or not at all,
/// and those that only scontrol shows.
[[nodiscard]] std::vector<std::string> blocks_not_in_force(const LoadedCluster& loaded,
                                                           const StateText& text);

}  // namespace nvl72block::cli
