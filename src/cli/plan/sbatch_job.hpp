// SPDX-License-Identifier: GPL-2.0-or-later
//
// The job that a line of sbatch submits, as slurmctld would record it.
#pragma once

#include "cli/input/request_options.hpp"
#include "cli/plan/sbatch_line.hpp"
#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

struct SbatchJob {
    /// Options that may matter and are not considered are in `not_modelled`.
    JobRecord record;
    JobRequest shown;  ///< what an answer prints of it
};

/// InputError for values that sbatch does not take.
[[nodiscard]] SbatchJob sbatch_job(const ClusterState& state, const SbatchLine& line);

}  // namespace nvl72block::cli
