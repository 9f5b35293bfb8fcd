// SPDX-License-Identifier: GPL-2.0-or-later
//
// The job that the options of `plan` ask for, as slurmctld would record it.
#pragma once

#include <span>

#include "cli/input/request_options.hpp"
#include "cli/state/cluster_state.hpp"
#include "nvl72block/placement.hpp"

namespace nvl72block::cli {

/// Adds to a request what sbatch has no options for. `in_force` is the demand of the cluster; it
/// and what is asked for have to outlive the request.
void add_wishes(const JobRequest& asked, std::span<const DemandSize> in_force, Request& request);

/// A job of whole nodes, without a partition. InputError for lists with unknown nodes.
[[nodiscard]] JobRecord requested_job(const JobRequest& request, const NodeTable& table);

}  // namespace nvl72block::cli
