// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the recorded decisions come to.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/shadow/shadow_file.hpp"

namespace nvl72block::cli {

/// In nanoseconds; all 0 without any.
struct DecisionTimes {
    std::uint64_t median = 0;
    std::uint64_t most_of_100 = 0;  ///< 99 of 100 took no longer
    std::uint64_t longest = 0;
};

/// Indices are of ShadowFile::decisions.
struct ShadowSummary {
    std::size_t decisions = 0;
    std::size_t started = 0;  ///< by topology/block
    std::size_t same_nodes = 0;
    std::size_t same_racks = 0;  ///< other nodes, in as many racks
    std::size_t fewer_racks = 0;
    std::size_t more_racks = 0;
    std::uint64_t racks_saved = 0;
    std::uint64_t racks_lost = 0;
    std::uint64_t whole_racks_kept = 0;    ///< broken by topology/block alone
    std::uint64_t whole_racks_broken = 0;  ///< by ours alone
    std::vector<std::size_t> held;         ///< by topology/block, placed by ours
    std::size_t still_held = 0;
    std::uint64_t waited_seconds = 0;     ///< of those that started, in all
    std::vector<std::size_t> ours_holds;  ///< started by topology/block: should be none
    /// The same, but topology/block gave them fewer CPUs or other GPUs than they had asked for.
    std::vector<std::size_t> unlike;
    std::vector<std::size_t> ours_waits;  ///< for --switches, which topology/block ignores
    DecisionTimes block_time;
    DecisionTimes ours_time;
    std::vector<std::size_t> worst_racks;  ///< most racks saved first, then those lost most
};

[[nodiscard]] ShadowSummary summarize(const ShadowFile& file);

}  // namespace nvl72block::cli
