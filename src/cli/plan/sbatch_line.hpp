// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options of a line of sbatch and of the #SBATCH lines of its script, and the job that it
// submits.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/numbers.hpp"
#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

struct SbatchLine {
    /// By long name without dashes: those of the script, and before them those of the line. The
    /// value is empty for an option without one.
    std::map<std::string, std::string> options;

    [[nodiscard]] bool has(const std::string& name) const { return options.contains(name); }
    /// Empty where it is not given.
    [[nodiscard]] std::string value(const std::string& name) const;
};

/// `words`: "sbatch" and what follows it. InputError for an option that sbatch does not know, a
/// missing value, a heterogeneous job, or a script that cannot be read.
[[nodiscard]] SbatchLine parse_sbatch_line(const std::vector<std::string>& words);

/// The node counts that --nodes allows a job.
struct NodeCounts {
    CountRange range;
    /// Ascending: of the range these alone; empty: all of it.
    std::vector<std::uint32_t> listed;
};

/// "4", "2-8", "2,4-6,8" or "1-15:4", which are 1, 5, 9 and 13; InputError for any other text.
[[nodiscard]] NodeCounts parse_node_counts(const std::string& location, std::string_view text);

/// The job as slurmctld would record it; options that may matter and are not considered are in
/// `not_modelled`. InputError for values that sbatch does not take.
[[nodiscard]] JobRecord sbatch_job(const ClusterState& state, const SbatchLine& line);

}  // namespace nvl72block::cli
