// SPDX-License-Identifier: GPL-2.0-or-later
//
// A block plan as the files that Slurm reads.
#pragma once

#include <string>

#include "cli/block_plan.hpp"

namespace nvl72block::cli {

/// A topology.conf, with comments that tell each block's clique and why the sizes are as they are.
[[nodiscard]] std::string topology_conf(const BlockPlan& plan, const NodeTable& nodes,
                                        const CliqueMap& cliques);

/// "NodeName=… Feature=…" for each clique, `prefix` in front of its name.
[[nodiscard]] std::string feature_lines(const BlockPlan& plan, const NodeTable& nodes,
                                        const CliqueMap& cliques, const std::string& prefix);

/// The lines of `site` that the plan takes away, each with "-" in front, and those that it brings,
/// with "+"; empty when nothing changes.
[[nodiscard]] std::string plan_changes(const BlockPlan& plan, const Site& site,
                                       const std::vector<std::uint32_t>& old_sizes);

}  // namespace nvl72block::cli
