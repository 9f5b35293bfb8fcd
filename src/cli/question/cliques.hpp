// SPDX-License-Identifier: GPL-2.0-or-later
//
// The NVLink cliques that the nodes of a running cluster name in their features: in the available
// ones, as the plugin and `check` read them. A clique is a fact about the tray; active features
// change with power saving and at a reboot.
#pragma once

#include <optional>

#include "cli/state/cluster_state.hpp"
#include "nvl72block/clique.hpp"

namespace nvl72block::cli {

/// nullopt if no node says anything about a clique.
[[nodiscard]] std::optional<CliqueMap> cliques_of(const ClusterState& state);

}  // namespace nvl72block::cli
