// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a placement costs a job: its throughput beside that of the best placement of as many nodes.
#pragma once

#include <cstdint>
#include <optional>

#include "nvl72block/placement.hpp"
#include "nvl72block/topology.hpp"
#include "throughput/job_kind.hpp"

namespace nvl72block::throughput {

/// The largest divisor of `nodes` that one rack holds: the segment that Megatron-Bridge chooses.
[[nodiscard]] std::uint32_t largest_group(std::uint32_t nodes, std::uint32_t rack_nodes);

/// How much is lost by a torn job.
struct Model {
    /// A kind of job; none: every torn job loses `torn_loss`.
    std::optional<JobKind> kind;
    double torn_loss = 0;  ///< share of the throughput
    Fabric fabric = gb200;
};

struct Effect {
    std::uint32_t groups = 1;
    std::uint32_t torn_groups = 0;  ///< on more racks than they need
    bool fails = false;             ///< a torn group of this kind does not run
    double loss = 0;                ///< share of the best placement's throughput
};

/// The groups of a job are its segments, else the job where a rack can hold it, else runs of nodes
/// in their order, largest_group() in each. Racks are base blocks; a node in no block counts as a
/// rack of its own.
[[nodiscard]] Effect placement_effect(const Topology& topology, const Placement& placement,
                                      std::uint32_t segment_size, const Model& model);

/// The layout of the same job on as few racks as hold it, as even as possible.
[[nodiscard]] Layout best_layout(std::uint32_t nodes, std::uint32_t segment_size,
                                 std::uint32_t rack_nodes);

/// The loss of `layout` beside `best`, from 0 to largest_measured_loss.
[[nodiscard]] double loss_beside(const Layout& layout, const Layout& best, JobKind kind,
                                 const Fabric& fabric);

}  // namespace nvl72block::throughput
