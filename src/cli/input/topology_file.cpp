// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/input/topology_file.hpp"

#include <utility>

#include "files/read_file.hpp"

namespace nvl72block::cli {
namespace {

std::optional<std::string> file_text(const std::filesystem::path& path, Diagnostics& diagnostics) {
    std::string text;
    const auto failure = read_file(path, longest_configuration, text);
    if (!failure) return text;
    diagnostics.push_back({Severity::error, path.string(), 0, "cannot be read: " + failure->reason,
                           "check that the file exists and may be read"});
    return std::nullopt;
}

}  // namespace

bool is_yaml(const std::filesystem::path& path) {
    return path.extension() == ".yaml" || path.extension() == ".yml";
}

std::optional<Cluster> FileTopology::build(const Options& options, std::size_t node_count,
                                           const NodeResolver& resolve,
                                           Diagnostics& diagnostics) const {
    return from_yaml ? Cluster::build_from_yaml(config, options, node_count, resolve, diagnostics)
                     : Cluster::build(config, options, node_count, resolve, diagnostics);
}

std::vector<FileTopology> read_topology_file(const std::filesystem::path& path,
                                             const Options& options, Diagnostics& diagnostics) {
    if (is_yaml(path)) {
        const std::optional<std::string> text = file_text(path, diagnostics);
        return text ? parse_topology_yaml(*text, path.string(), diagnostics)
                    : std::vector<FileTopology>();
    }
    std::optional<TopologyConfig> config = read_cluster_config(path, options, diagnostics);
    if (!config) return {};
    FileTopology topology;
    topology.is_default = true;
    topology.config = *std::move(config);
    return {std::move(topology)};
}

}  // namespace nvl72block::cli
