// SPDX-License-Identifier: GPL-2.0-or-later
//
// The job that the options of `plan` ask for, as slurmctld would record it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cli/input/request_options.hpp"
#include "cli/state/cluster_state.hpp"
#include "nvl72block/placement.hpp"

namespace nvl72block::cli {

/// What sbatch has no options for.
struct Wishes {
    Policy policy = Policy::demand;
    std::optional<Demand> demand;  ///< nullopt: the one in force
    std::uint32_t max_base_blocks = 0;
};

[[nodiscard]] inline Wishes wishes_of(const JobRequest& request) {
    return {request.policy, request.demand, request.max_base_blocks};
}

/// Adds them to a request. `in_force` is the demand of the cluster; it and the wishes have to
/// outlive the request.
void add_wishes(const Wishes& wishes, std::span<const DemandSize> in_force, Request& request);

/// A job of whole nodes, without a partition. InputError for lists with unknown nodes.
[[nodiscard]] JobRecord requested_job(const JobRequest& request, const NodeTable& table);

}  // namespace nvl72block::cli
