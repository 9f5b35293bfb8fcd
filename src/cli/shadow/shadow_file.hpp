// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the plugin's shadow mode has recorded, read back.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nvl72block/node_set.hpp"
#include "nvl72block/shadow_record.hpp"

namespace nvl72block::cli {

/// The blocks that a decision was about.
struct ShadowTopology {
    std::string id;
    std::string slurm;    ///< version
    std::string options;  ///< as words of TopologyParam
    std::string sizes;    ///< BlockSizes in nodes, "18,36"
    std::size_t nodes = 0;
    std::vector<NodeSet> blocks;  ///< base blocks in their order
};

/// Racks that one plugin's nodes use.
struct RackUse {
    std::uint32_t racks = 0;
    std::uint32_t broken = 0;  ///< of the racks that were wholly idle, those used in part
};

/// One question with both answers.
struct ShadowDecision {
    ShadowRecord record;
    std::shared_ptr<const ShadowTopology> topology;
    std::int64_t time = 0;  ///< seconds since 1970
    std::uint64_t job = 0;
    NodeSet candidates;
    NodeSet idle;
    std::optional<NodeSet> block;  ///< nullopt: topology/block held the job
    std::optional<NodeSet> ours;   ///< nullopt: nvl72block would have held it
    RackUse block_use;
    RackUse ours_use;
    std::uint64_t block_ns = 0;
    std::uint64_t ours_ns = 0;
    bool waits = false;  ///< ours would have waited for --switches
    /// Of a job that topology/block held: seconds until it started, or nullopt.
    std::optional<std::int64_t> waited;
    bool released = false;  ///< it has started or was cancelled

    /// Whether topology/block gave the job fewer CPUs, or other nodes or GPUs in number, than it
    /// had asked for.
    bool unlike = false;

    [[nodiscard]] bool same_nodes() const { return block && ours && *block == *ours; }
};

struct ShadowFault {
    std::int64_t time = 0;
    std::string kind;
    std::string what;
};

struct ShadowFile {
    std::vector<ShadowDecision> decisions;
    std::vector<ShadowFault> faults;
    std::uint64_t damaged = 0;    ///< lines that could not be read
    std::uint64_t questions = 0;  ///< that both plugins were asked
    std::uint64_t both_held = 0;
    std::uint64_t unsettled = 0;
    std::uint64_t lost = 0;         ///< times that records could not be written
    std::int64_t switched_off = 0;  ///< when, for the last time; 0: never
};

/// Reads `path` and the file that was set aside before it. InputError where neither can be read.
[[nodiscard]] ShadowFile read_shadow_file(const std::string& path);

/// The records of a text, for tests.
[[nodiscard]] ShadowFile read_shadow_text(const std::string& text);

}  // namespace nvl72block::cli
