// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm's rules that an answer does not follow, named where they can matter to this job in this
// cluster.
#pragma once

#include <string>

#include "cli/question/job_question.hpp"

namespace nvl72block::cli {

/// Adds them to a question that has its nodes: to `not_considered` what may keep the job from
/// starting where it seems to fit, to `not_counted` what may let it start where it does not.
void name_left_out_rules(const ClusterState& state, JobQuestion& question);

/// That another plugin decides in this cluster, by rules of its own; empty for nvl72block.
[[nodiscard]] std::string of_another_plugin(const ClusterState& state);

/// "not considered: --licenses=matlab; the answer may be too hopeful"; empty where nothing is.
[[nodiscard]] std::string too_hopeful(const JobQuestion& question);
/// Of a job that does not fit: what would have to be counted; empty likewise.
[[nodiscard]] std::string too_pessimistic(const JobQuestion& question);

}  // namespace nvl72block::cli
