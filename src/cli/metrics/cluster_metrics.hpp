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

/// Blocks of one size.
struct BlockCounts {
    std::uint32_t size = 0;
    std::uint32_t whole = 0;       ///< with all planned nodes free
    std::uint32_t broken = 0;      ///< not whole, but can become so
    std::uint32_t incomplete = 0;  ///< have too few nodes or base blocks ever to be whole
};

/// One entry per level. Base blocks without a name (positions that no block has) do not count.
[[nodiscard]] std::vector<BlockCounts> count_blocks(const Topology& topology, NodeSetView free);

/// Sizes of segments that are counted, ascending: 1, 2, 4, 8, 9, 16, 18 and those of the levels.
[[nodiscard]] std::vector<std::uint32_t> counted_segments(const Topology& topology);

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
