// SPDX-License-Identifier: GPL-2.0-or-later
//
// A directory as `nvl72block snapshot` writes it, with records as nvl72block-records prints them
// and names, numbers and states of the test's own. Each record is one line that ends with a comma.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "../command.hpp"
#include "cli/state/document.hpp"
#include "text/times.hpp"

namespace nvl72block::cli {

/// Without the members that are left out: no text, 0 and false.
inline std::string record_line(const nlohmann::ordered_json& members) {
    nlohmann::ordered_json record;
    for (const auto& [key, value] : members.items())
        if (!value.is_null() && value != "" && value != 0 && value != false) record[key] = value;
    return record.dump() + ",\n";
}

/// Of scontrol's form of a time or a time limit; null for "Unknown".
inline nlohmann::json time_of(const std::string& text) {
    const auto time = parse_time(text);
    return time ? nlohmann::json(*time) : nlohmann::json();
}

inline std::string config_text(const std::string& version = "26.05.3",
                               const std::string& private_data = "none",
                               const std::string& topology_param = "",
                               const std::string& plugin = "topology/block") {
    return nlohmann::json({{"time", time_of("2026-11-22T20:51:21")},
                           {"cluster_name", "eight"},
                           {"private_data", private_data},
                           {"slurm_version", version},
                           {"topology_param", topology_param},
                           {"topology_plugin", plugin}})
        .dump();
}

/// Of a node with changeable features, `active` may be fewer than `features`.
inline std::string node_line(const std::string& name, const std::string& state,
                             unsigned allocated = 0, const std::string& features = "",
                             const std::string& reason = "", const char* active = nullptr) {
    return record_line({{"name", name},
                        {"state", state},
                        {"available_features", features},
                        {"active_features", active != nullptr ? active : features},
                        {"reason", reason},
                        {"cpus", 140},
                        {"allocated_cpus", allocated},
                        {"threads_per_core", 1},
                        {"memory", 900000},
                        {"gres", "gpu:4"},
                        {"weight", 1}});
}

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
inline JobLine waiting_job(const std::string& count, const nlohmann::json& more = {},
                           const std::string& name = "train") {
    JobLine job;
    job.id = 13;
    job.name = name;
    job.count = count;
    job.more = more;
    return job;
}

/// As many tasks as nodes, as of a job that asks for nodes only.
inline std::string job_line(const JobLine& job) {
    const std::size_t dash = job.count.find('-');
    const unsigned nodes = static_cast<unsigned>(std::stoul(job.count));
    nlohmann::ordered_json members{
        {"id", job.id},
        {"name", job.name},
        {"user", "alice"},
        {"state", job.state},
        {"reason", job.reason},
        {"priority", job.priority},
        {"partition", job.partition},
        {"submit", time_of("2026-11-22T20:51:14")},
        {"eligible", time_of("2026-11-22T20:51:14")},
        {"start", time_of(job.start)},
        {"end", time_of(job.end)},
        {"nodes", job.nodes},
        {"required_nodes", job.required},
        {"excluded_nodes", job.excluded},
        {"min_nodes", nodes},
        {"max_nodes", dash == std::string::npos ? 0UL : std::stoul(job.count.substr(dash + 1))},
        {"cpus", nodes},
        {"tasks", nodes},
        {"cpus_per_node", 1},
        {"cpus_per_task", 1},
        {"features", job.features},
        {"exclusive", job.exclusive}};
    if (const auto limit = parse_time_limit(job.limit)) members["time_limit"] = *limit;
    for (const auto& [key, value] : job.more.items()) members[key] = value;
    return record_line(members);
}

inline const char* const two_partitions =
    R"({"name":"main","nodes":"n[01-16]","default":true,"up":true,"exclusive_topo":false,"tier":1},
{"name":"debug","nodes":"n[01-04]","up":true,"exclusive_node":true,"max_nodes":4,"max_time":3600,"tier":2},
)";

inline std::string reservation_line(const std::string& name, const std::string& nodes,
                                    const std::string& start, const std::string& end) {
    return record_line(
        {{"name", name}, {"nodes", nodes}, {"start", time_of(start)}, {"end", time_of(end)}});
}

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
    explicit SnapshotText(const std::string& map = "................") {
        for (std::size_t i = 0; i < map.size(); ++i) {
            const std::string name = fmt::format("n{:02}", i + 1);
            if (map[i] == '#')
                nodes += node_line(name, "ALLOCATED+CLOUD+POWERED_DOWN", 140);
            else if (map[i] == 'x')
                nodes += node_line(name, "IDLE+CLOUD+DRAIN+POWERED_DOWN", 0, "", "bad NVLink tray");
            else
                nodes += node_line(name, "IDLE+CLOUD+POWERED_DOWN");
        }
    }

    /// The document.
    [[nodiscard]] std::string text() const {
        std::string document =
            fmt::format(R"({{"format":2,"user":"alice","utc_offset":0,"config":{},"demand":{})",
                        config, nlohmann::json(demand).dump());
        for (const auto& [key, records] : {std::pair{"nodes", &nodes},
                                           {"jobs", &jobs},
                                           {"partitions", &partitions},
                                           {"reservations", &reservations},
                                           {"blocks", &blocks}})
            document += fmt::format(",\n\"{}\":[{}]", key, records->substr(0, records->rfind(',')));
        return document + "}\n";
    }

    [[nodiscard]] Document document() const { return {text(), "state.json"}; }

    /// Writes the snapshot and returns the directory's path.
    [[nodiscard]] std::string write(const Folder& folder) const {
        (void)folder.file("state.json", text());
        return folder.path();
    }
};

}  // namespace nvl72block::cli
