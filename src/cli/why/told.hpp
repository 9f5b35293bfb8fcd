// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the plugin in slurmctld has written about a waiting job, at its last evaluation for a start.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

struct Told {
    std::string sentence;              ///< why it was refused
    std::vector<std::string> options;  ///< with each of them it would have started
};

/// A sentence as the plugin writes it; nullopt for none.
[[nodiscard]] std::optional<Told> told_in(std::string_view sentence);

/// nullopt where there is no sentence, or slurmctld does not evaluate the job (it is held, depends
/// on another one, its time has not come, a limit keeps it) and what it was told may be old.
[[nodiscard]] std::optional<Told> told_by_plugin(const JobRecord& job, SlurmTime now);

}  // namespace nvl72block::cli
