// SPDX-License-Identifier: GPL-2.0-or-later
//
// A directory as `nvl72block snapshot` writes it, with records as nvl72block-records prints them
// and names, numbers and states of the test's own. Each record is one line that ends with a comma.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "../command.hpp"
#include "cli/state/document.hpp"

namespace nvl72block::cli {

/// Without the members that are left out: no text, 0 and false.
std::string record_line(const nlohmann::ordered_json& members);

/// Of scontrol's form of a time or a time limit; null for "Unknown".
nlohmann::json time_of(const std::string& text);

std::string config_text(const std::string& version = "26.05.3",
                        const std::string& private_data = "none",
                        const std::string& topology_param = "",
                        const std::string& plugin = "topology/block");

/// Of a node with changeable features, `active` may be fewer than `features`.
std::string node_line(const std::string& name, const std::string& state, unsigned allocated = 0,
                      const std::string& features = "", const std::string& reason = "",
                      const char* active = nullptr);

/// What the tests vary in a job.
struct JobLine {
    unsigned id = 1;
    std::string name = "wrap";
    std::string state = "PENDING";
    std::string reason = "Resources";
    std::string limit = "01:00:00";
    std::string start = "Unknown";
    std::string end = "Unknown";
    std::string partition = "main";
    std::string nodes;
    std::string count = "1-1";
    std::string required;
    std::string excluded;
    std::string features;
    std::string exclusive = "node";
    unsigned priority = 1;
    nlohmann::json more;  ///< further members, or others in place of these
};

/// Job 13.
JobLine waiting_job(const std::string& count, const nlohmann::json& more = {},
                    const std::string& name = "train");

/// As many tasks as nodes, as of a job that asks for nodes only.
std::string job_line(const JobLine& job);

inline const char* const two_partitions =
    R"({"name":"main","nodes":"n[01-16]","default":true,"up":true,"exclusive_topo":false,"tier":1},
{"name":"debug","nodes":"n[01-04]","up":true,"exclusive_node":true,"max_nodes":4,"max_time":3600,"tier":2},
)";

std::string reservation_line(const std::string& name, const std::string& nodes,
                             const std::string& start, const std::string& end);

/// Four racks of four, joined in twos and fours.
inline const char* const four_racks =
    R"({"name":"r1","nodes":"n[01-04]","size":4},
{"name":"r2","index":1,"nodes":"n[05-08]","size":4},
{"name":"r3","index":2,"nodes":"n[09-12]","size":4},
{"name":"r4","index":3,"nodes":"n[13-16]","size":4},
{"name":"r[1-2]","aggregated":true,"index":4,"nodes":"n[01-08]","size":8},
{"name":"r[3-4]","aggregated":true,"index":6,"nodes":"n[09-16]","size":8},
{"name":"r[1-4]","aggregated":true,"index":5,"nodes":"n[01-16]","size":16},
)";

/// The state of four racks of four; a test fills in what matters to it.
struct SnapshotText {
    std::string config = config_text();
    std::string nodes;
    std::string jobs;
    std::string partitions = two_partitions;
    std::string reservations;
    std::string blocks = four_racks;
    std::string demand;

    /// All 16 nodes idle but these, given as letters: '.' idle, '#' allocated, 'x' drained.
    explicit SnapshotText(const std::string& map = "................");

    /// The document.
    [[nodiscard]] std::string text() const;

    [[nodiscard]] Document document() const;

    /// Writes the snapshot and returns the directory's path.
    [[nodiscard]] std::string write(const Folder& folder) const;
};

}  // namespace nvl72block::cli
