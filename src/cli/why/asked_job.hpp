// SPDX-License-Identifier: GPL-2.0-or-later
//
// The job that a command is about: pending or running, with the --segment that Slurm 24.11 hides.
#pragma once

#include <iosfwd>
#include <string>

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

/// `segment` is the command's --segment, empty where it was not given; without it a note on `notes`
/// says that the job may have segments where Slurm does not show them. InputError for a job that is
/// neither pending nor running.
[[nodiscard]] JobRecord asked_job(const ClusterState& state, const std::string& name,
                                  const std::string& segment, std::ostream& notes);

}  // namespace nvl72block::cli
