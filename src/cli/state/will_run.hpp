// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld finds for a waiting job when it is asked: all of Slurm's rules count but the
// limits of accounts and QOS.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

struct WillRun {
    std::string partition;  ///< empty as `nodes`
    NodeSet nodes;  ///< that it would get; empty: none, even when all running jobs have ended
    /// Slurm adds the time of waiting jobs, roughly: only a start at once is one.
    std::optional<SlurmTime> start;
    bool at_once = false;
    std::string preempted;  ///< jobs, separated by commas
    std::string told;       ///< the plugin's sentence of this test; empty for none
    std::optional<std::uint32_t> segment_size;  ///< as the comment has it; nullopt: it does not
};

/// nullopt where there is no answer.
using AskSlurmctld = std::function<std::optional<WillRun>(const JobRecord&)>;

/// InputError where `document` has no such answer.
[[nodiscard]] WillRun will_run_in(const Document& document, const NodeTable& table);

/// Asks the running cluster; where there is no answer, a note says why.
[[nodiscard]] std::optional<WillRun> ask_will_run(const ClusterState& state, const JobRecord& job,
                                                  std::ostream& notes);

}  // namespace nvl72block::cli
