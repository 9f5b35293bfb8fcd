// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where `check` learns about a cluster: options and files, or slurmctld's records.
#pragma once

#include <iosfwd>
#include <string>

#include "cli/check/check_topology.hpp"
#include "cli/check/known_cluster.hpp"
#include "cli/input/features.hpp"
#include "cli/state/readers.hpp"

namespace nvl72block::cli {

/// The nodes of `node_list`, which are all that there are; with "", those of the topology file and
/// of the features.
[[nodiscard]] KnownCluster cluster_of_options(const std::string& node_list,
                                              const FeatureOptions& features);

/// The cluster's nodes, with their features as the plugin reads them with `options`.
[[nodiscard]] KnownCluster cluster_of(const Document& document, const ConfigRecord& config,
                                      const Options& options, std::ostream& notes);

/// The cluster's jobs.
[[nodiscard]] std::vector<JobRecord> jobs_of(const Document& document, const KnownCluster& known,
                                             std::ostream& notes);

/// The topology file beside the controller's slurm.conf that this Slurm reads, if this host has it;
/// empty otherwise.
[[nodiscard]] std::string file_of_cluster(const ConfigRecord& config);

/// The blocks that the cluster uses; InputError where there are none.
[[nodiscard]] CheckedFile blocks_in_force(const Document& document, std::ostream& notes);

/// The names of the base blocks of `loaded` that the cluster uses with other nodes, or not at all,
/// and those that only the cluster has.
[[nodiscard]] std::vector<std::string> blocks_not_in_force(const LoadedCluster& loaded,
                                                           const Document& document);

}  // namespace nvl72block::cli
