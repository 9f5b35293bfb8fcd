// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a waiting job could get if nodes came back into service.
#pragma once

#include "cli/question/job_question.hpp"

namespace nvl72block::cli {

/// Those out of service that jobs could have if they came back: nobody has or has reserved them.
[[nodiscard]] NodeSet idle_once_repaired(const ClusterState& state, const Viewer& viewer,
                                         const NodeSet& out_of_service);

/// As few of `idle` as possible with which the job would start; empty: none would do, or more than
/// are worth a suggestion.
[[nodiscard]] NodeSet needed_repairs(const ClusterState& state, const JobQuestion& question,
                                     const Offer& offer, const NodeSet& idle);

}  // namespace nvl72block::cli
