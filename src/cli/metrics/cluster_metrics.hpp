// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `nvl72block metrics` counts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/shadow/shadow_file.hpp"
#include "cli/show/node_states.hpp"
#include "nvl72block/clique.hpp"
#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block::cli {

struct WaitingJobs {
    std::uint64_t jobs = 0;
    std::uint64_t nodes = 0;
};

struct MetricsSource {
    const Topology& topology;
    const NodeStates& states;
    const CliqueMap* cliques = nullptr;  ///< null: not known
    /// By reason_label(); nullopt: not known.
    std::optional<std::map<std::string, WaitingJobs>> waiting;
    const ShadowFile* shadow = nullptr;  ///< null: none was asked for
};

/// The text of the exposition.
[[nodiscard]] std::string metrics_text(const MetricsSource& source);

}  // namespace nvl72block::cli
