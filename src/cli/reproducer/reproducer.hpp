// SPDX-License-Identifier: GPL-2.0-or-later
//
// A question to the scheduler that can be asked again elsewhere: by `nvl72block plan` and by a
// slurmctld. Nodes are called n00001, n00002, ... in slurmctld's order and blocks rack001, ..., so
// that no name of the cluster is told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nvl72block/node_set.hpp"
#include "nvl72block/options.hpp"

namespace nvl72block::cli {

/// What nodes of one kind have.
struct NodeKind {
    std::uint32_t cpus = 0;
    std::uint32_t gpus = 0;
    std::uint64_t memory = 0;  ///< megabytes
    std::uint64_t weight = 1;
    NodeSet nodes;
};

/// What other jobs have of a node that still has room.
struct SharedNode {
    NodeIndex node = 0;
    std::uint32_t cpus = 0;
    std::uint32_t gpus = 0;
    std::uint64_t memory = 0;  ///< megabytes
};

/// Node sets are of `nodes` nodes.
struct Reproducer {
    std::string slurm;  ///< version
    /// As they were for the decision; the demand is the one in force.
    Options options;
    std::size_t nodes = 0;
    std::vector<NodeSet> blocks;  ///< base blocks in their order
    std::string sizes;            ///< BlockSizes, "18,36"
    std::vector<NodeKind> kinds;  ///< every node is of one
    NodeSet idle;                 ///< in service, and no job has any of them
    /// Nodes that the job may have: with `whole_blocks`, none of a base block that others use.
    NodeSet candidates;
    std::vector<SharedNode> shared;

    // The job. 0 and empty: not asked for.
    std::uint32_t min_nodes = 1;  ///< 0: left to tasks and GPUs
    std::uint32_t max_nodes = 0;  ///< of a range
    std::uint32_t segment = 0;
    bool spread_segments = false;
    bool consolidate_segments = false;
    bool whole_nodes = false;
    bool whole_blocks = false;  ///< --exclusive=topo
    std::uint32_t switches = 0;
    bool within_switches = false;  ///< whether the answer keeps to `switches`
    NodeSet required;
    std::vector<std::string> sbatch;  ///< more options that plan has not

    /// Who answered, and nodes or words.
    std::vector<std::pair<std::string, std::string>> answers;
};

/// "n[00001-00018]"
[[nodiscard]] std::string replaced_names(const NodeSet& nodes);

/// All nodes of a cluster of that size.
[[nodiscard]] NodeSet all_nodes(std::size_t count);

/// Whether `nvl72block plan` knows such jobs: of whole nodes, and with a node count.
[[nodiscard]] bool can_be_planned(const Reproducer& reproducer);

/// Sections that begin with a line "--- NAME": topology.conf, slurm.conf, gres.conf where there are
/// GPUs, weights for plan, commands, answers.
[[nodiscard]] std::string to_text(const Reproducer& reproducer);

}  // namespace nvl72block::cli
