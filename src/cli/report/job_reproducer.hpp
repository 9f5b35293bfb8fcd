// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job of a running cluster, and the cluster around it, as a question that can be asked again.
#pragma once

#include "cli/question/job_question.hpp"
#include "cli/reproducer/reproducer.hpp"
#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

/// The nodes as they are now; the job's own ones, if it has any, as if it had not started. The
/// answers are Slurm's and, for a job of whole nodes, that of `nvl72block plan`. `state` numbers
/// the nodes as Slurm does.
[[nodiscard]] Reproducer job_reproducer(const ClusterState& state, const JobQuestion& question);

}  // namespace nvl72block::cli
