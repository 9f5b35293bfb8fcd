// SPDX-License-Identifier: GPL-2.0-or-later
#include "snapshot_folder.hpp"

#include <fmt/format.h>

#include "text/times.hpp"

namespace nvl72block::cli {

std::string record_line(const nlohmann::ordered_json& members) {
    nlohmann::ordered_json record;
    for (const auto& [key, value] : members.items())
        if (!value.is_null() && value != "" && value != 0 && value != false) record[key] = value;
    return record.dump() + ",\n";
}

nlohmann::json time_of(const std::string& text) {
    const auto time = parse_time(text);
    return time ? nlohmann::json(*time) : nlohmann::json();
}

std::string config_text(const std::string& version, const std::string& private_data,
                        const std::string& topology_param, const std::string& plugin) {
    return nlohmann::json({{"time", time_of("2026-11-22T20:51:21")},
                           {"cluster_name", "eight"},
                           {"private_data", private_data},
                           {"slurm_version", version},
                           {"topology_param", topology_param},
                           {"topology_plugin", plugin}})
        .dump();
}

std::string node_line(const std::string& name, const std::string& state, unsigned allocated,
                      const std::string& features, const std::string& reason, const char* active) {
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

JobLine waiting_job(const std::string& count, const nlohmann::json& more, const std::string& name) {
    JobLine job;
    job.id = 13;
    job.name = name;
    job.count = count;
    job.more = more;
    return job;
}

std::string job_line(const JobLine& job) {
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

std::string reservation_line(const std::string& name, const std::string& nodes,
                             const std::string& start, const std::string& end) {
    return record_line(
        {{"name", name}, {"nodes", nodes}, {"start", time_of(start)}, {"end", time_of(end)}});
}

SnapshotText::SnapshotText(const std::string& map) {
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

std::string SnapshotText::text() const {
    std::string document =
        fmt::format(R"({{"format":2,"user":"alice","utc_offset":0,"config":{},"demand":{})", config,
                    nlohmann::json(demand).dump());
    for (const auto& [key, records] : {std::pair{"nodes", &nodes},
                                       {"jobs", &jobs},
                                       {"partitions", &partitions},
                                       {"reservations", &reservations},
                                       {"blocks", &blocks}})
        document += fmt::format(",\n\"{}\":[{}]", key, records->substr(0, records->rfind(',')));
    return document + "}\n";
}

Document SnapshotText::document() const {
    return {text(), "state.json"};
}

std::string SnapshotText::write(const Folder& folder) const {
    (void)folder.file("state.json", text());
    return folder.path();
}

}  // namespace nvl72block::cli
