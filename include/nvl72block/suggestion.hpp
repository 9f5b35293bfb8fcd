// SPDX-License-Identifier: GPL-2.0-or-later
//
// With which other options a job that does not fit would be placed now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nvl72block/placement.hpp"

namespace nvl72block {

/// What sbatch and Slurm make of a job beside its request.
struct JobFacts {
    /// Fewer nodes than these are not suggested: the partition's minimum, or Request::min_nodes
    /// where the job has no other node count.
    std::uint32_t least_nodes = 1;
    /// Tasks of the whole job, which sbatch does not reduce with the nodes; 0: it does.
    std::uint32_t tasks = 0;
    /// `tasks` may be only what sbatch made of the node count: then they are named only where the
    /// job would not fit with all its CPUs.
    bool tasks_may_follow = false;
    /// What a job without --exclusive=topo would find; nullopt: the option is not its own.
    std::optional<State> without_exclusive = {};
};

/// One change, and the request with it. It was placed in the state that was asked about.
struct SuggestedChange {
    enum class Kind {
        fewer_nodes,
        smaller_segments,
        without_spread,
        without_consolidation,
        without_exclusive,
    };
    Kind kind = Kind::fewer_nodes;
    Request request;
    std::uint32_t tasks = 0;  ///< of `fewer_nodes`, to be named; 0: they need not be
};

/// How many questions to the engine a kind of change may cost, beyond one.
struct SuggestionEffort {
    std::size_t sizes = 32;  ///< segment sizes that divide the job, largest first
    std::size_t counts = 4;  ///< node counts that fit as far as blocks count, largest first
};

/// The changes of a request that the engine refuses with which it would place it, at most one of
/// each kind, in the order of the kinds:
/// - the most nodes below Request::min_nodes, whole segments, with CPUs (rounded up), GPUs and
///   tasks (rounded down) in proportion; not where nodes are required by name, where totals decide
///   the node count, or where no GPU would be left of a total;
/// - of one node count, the largest smaller segments that divide it (a job without segments is
/// one);
/// - without --spread-segments, --consolidate-segments, --exclusive=topo.
/// Throws nothing but std::bad_alloc. The requests view what `request` views.
[[nodiscard]] std::vector<SuggestedChange> suggested_changes(const Topology& topology,
                                                             const Request& request,
                                                             const State& state,
                                                             const JobFacts& job = {},
                                                             const SuggestionEffort& effort = {});

/// For the user: "--nodes=32 --ntasks=64 --gpus=128", "--segment=8", "without --exclusive=topo".
[[nodiscard]] std::string to_string(const SuggestedChange& change);

}  // namespace nvl72block
