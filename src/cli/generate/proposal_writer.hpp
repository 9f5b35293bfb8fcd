// SPDX-License-Identifier: GPL-2.0-or-later
//
// A block proposal as the files that Slurm reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/input/loaded_cluster.hpp"
#include "nvl72block/block_proposal.hpp"

namespace nvl72block::cli {

/// The nodes that are not in `taken`, by the reason: "2 nodes" and `where`, ", no feature names a
/// clique: n[1-2]".
[[nodiscard]] std::vector<std::string> nodes_left_out(const NodeSet& taken, std::string_view where,
                                                      const NodeTable& nodes,
                                                      const CliqueMap& cliques);

/// A topology.conf, with comments that tell each block's clique and why the sizes are as they are.
[[nodiscard]] std::string topology_conf(const BlockProposal& proposal, const NodeTable& nodes,
                                        const CliqueMap& cliques);

/// "NodeName=… Feature=…" for each clique, `prefix` in front of its name.
[[nodiscard]] std::string feature_lines(const BlockProposal& proposal, const NodeTable& nodes,
                                        const CliqueMap& cliques, const std::string& prefix);

/// The lines of `loaded` that the proposal takes away, each with "-" in front, and those that it
/// brings, with "+"; empty when nothing changes.
[[nodiscard]] std::string proposed_changes(const BlockProposal& proposal,
                                           const LoadedCluster& loaded);

}  // namespace nvl72block::cli
