// SPDX-License-Identifier: GPL-2.0-or-later
//
// A block proposal as the files that Slurm reads.
#pragma once

#include <string>

#include "cli/input/site.hpp"
#include "nvl72block/block_proposal.hpp"

namespace nvl72block::cli {

/// A topology.conf, with comments that tell each block's clique and why the sizes are as they are.
[[nodiscard]] std::string topology_conf(const BlockProposal& proposal, const NodeTable& nodes,
                                        const CliqueMap& cliques);

/// "NodeName=… Feature=…" for each clique, `prefix` in front of its name.
[[nodiscard]] std::string feature_lines(const BlockProposal& proposal, const NodeTable& nodes,
                                        const CliqueMap& cliques, const std::string& prefix);

/// The lines of `site` that the proposal takes away, each with "-" in front, and those that it
/// brings, with "+"; empty when nothing changes.
[[nodiscard]] std::string proposed_changes(const BlockProposal& proposal, const Site& site);

}  // namespace nvl72block::cli
