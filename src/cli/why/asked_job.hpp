// SPDX-License-Identifier: GPL-2.0-or-later
//
// The job that a command is about: pending or running, with the --segment that Slurm 24.11 hides.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

struct AskedJobOptions {
    std::string name;
    std::string segment;  ///< empty where it was not given
};

/// In `not_modelled` of a job that may have segments.
inline constexpr std::string_view hidden_segments = "segments (add --segment N, 0 for none)";

/// "4711", "4711_3" or "4711+1", as squeue names it; InputError if there is no such job. Of an
/// array's number alone, its pending tasks if there are any.
[[nodiscard]] const JobRecord& find_job(const ClusterState& state, const std::string& name);

/// JOBID and --segment.
void add_asked_job_options(CLI::App& command, AskedJobOptions& options);

/// Without --segment a note on `notes` says that the job may have segments where Slurm does not
/// show them. InputError for a job that is neither pending nor running.
[[nodiscard]] JobRecord asked_job(const ClusterState& state, const AskedJobOptions& options,
                                  std::ostream& notes);

}  // namespace nvl72block::cli
