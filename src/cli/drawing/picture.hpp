// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a drawing of the racks shows, whatever it was read from: racks, their nodes, jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace nvl72block::cli {

/// Index into Picture::jobs.
using JobIndex = std::uint32_t;

/// Index of a clique within its rack.
using RackClique = std::uint32_t;
inline constexpr RackClique no_rack_clique = std::numeric_limits<RackClique>::max();

/// What keeps jobs off a node.
enum class NodeMark : std::uint8_t {
    none,
    drained,
    down,
    unavailable,  ///< any other reason: powered down, planned for a job, …
};

struct DrawnNode {
    std::string name;
    std::vector<JobIndex> jobs;
    bool busy = false;    ///< used, also where `jobs` does not say by which job
    bool partly = false;  ///< busy, with CPUs left
    bool reserved = false;
    NodeMark mark = NodeMark::none;
    RackClique clique = no_rack_clique;
    std::string note;  ///< in Slurm's words, e.g. "IDLE+DRAIN (fan)"; may be empty
};

struct DrawnRack {
    std::string name;
    bool outside = false;  ///< nodes that are in no block
    std::vector<DrawnNode> nodes;
    std::vector<std::string> cliques;  ///< names, by RackClique
};

struct DrawnJob {
    std::string name;
    std::string note;  ///< e.g. "alice, batch, 2 h 10 min left"; may be empty
};

/// Racks that form one block of a level: always so many neighbours.
struct DrawnLevel {
    std::uint32_t nodes = 0;
    std::uint32_t racks = 0;
};

struct Picture {
    std::string title;
    std::vector<std::string> facts;    ///< lines below the title
    std::vector<DrawnLevel> levels;    ///< above the racks, smallest first
    std::vector<DrawnRack> racks;      ///< those outside of blocks at the end
    std::vector<DrawnJob> jobs;        ///< those with nodes
    std::vector<std::string> remarks;  ///< lines below the drawing, e.g. what is wrong with cliques
};

/// Nodes and racks of each job.
struct JobExtent {
    std::uint32_t nodes = 0;
    std::uint32_t racks = 0;
};
[[nodiscard]] std::vector<JobExtent> job_extents(const Picture& picture);

/// The jobs, those of most nodes first.
[[nodiscard]] std::vector<JobIndex> jobs_by_size(const std::vector<JobExtent>& extents);

/// What the drawing tells of a node in words, e.g. "n7 (rack2): job 4711, draining".
[[nodiscard]] std::string node_words(const Picture& picture, const DrawnRack& rack,
                                     const DrawnNode& node);

}  // namespace nvl72block::cli
