// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/known_cluster_sources.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "cli/input/input_error.hpp"
#include "cli/input/topology_file.hpp"
#include "cli/state/cluster_state.hpp"
#include "cli/state/notes.hpp"
#include "nvl72block/hostlist.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

using NodesOfBlock = std::map<std::string, std::set<std::string>>;

NodesOfBlock nodes_of(const LoadedCluster& loaded) {
    NodesOfBlock blocks;
    const Topology& topology = loaded.topology();
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        if (!topology.is_hole(block)) blocks[topology.block_name(block)];
    for (NodeIndex node = 0; node < topology.node_count(); ++node)
        if (const BlockIndex block = topology.block_of(node); block != no_block)
            blocks[topology.block_name(block)].insert(loaded.nodes.name(node));
    return blocks;
}

NodesOfBlock nodes_of(const TopologyConfig& config) {
    NodesOfBlock blocks;
    std::string error;
    for (const BlockLine& line : config.blocks) {
        if (line.hole) continue;
        const auto names = expand_hostlist(line.nodes, error);
        auto& nodes = blocks[line.name];
        if (names) nodes.insert(names->begin(), names->end());
    }
    return blocks;
}

}  // namespace

KnownCluster cluster_of_options(const std::string& node_list, const FeatureOptions& features) {
    KnownCluster known;
    known.names = expand_list("--nodes", node_list);
    known.complete = !node_list.empty();
    if (features.files.empty()) return known;
    known.inventory = read_features(features);
    const std::vector<std::string> more = nodes_with_word(known.inventory);
    known.names.insert(known.names.end(), more.begin(), more.end());
    return known;
}

KnownCluster cluster_of(const Document& document, const ConfigRecord& config,
                        const Options& options, std::ostream& notes) {
    KnownCluster known;
    Notes remarks;
    const std::vector<NodeRecord> nodes = read_nodes(document, remarks);
    for (const NodeRecord& node : nodes) {
        known.names.push_back(node.name);
        known.features[node.name] = node.available_features;
    }
    known.complete = true;
    known.grows = config.max_nodes > known.names.size();
    remarks.print(notes);
    known.options = options;
    known.inventory = cliques_of_nodes(nodes, options.clique_prefix);
    return known;
}

std::vector<JobRecord> jobs_of(const Document& document, const KnownCluster& known,
                               std::ostream& notes) {
    Notes remarks;
    std::vector<JobRecord> jobs = read_jobs(document, NodeTable(known.names), remarks);
    remarks.print(notes);
    return jobs;
}

std::string file_of_cluster(const ConfigRecord& config) {
    const fs::path folder = fs::path(config.slurm_conf).parent_path();
    const bool reads_yaml = !config.slurm_version.starts_with("24.");
    std::error_code unknown;
    if (config.slurm_conf.empty()) return "";
    for (const char* name : {"topology.yaml", "topology.conf"})
        if ((reads_yaml || !is_yaml(name)) && fs::is_regular_file(folder / name, unknown))
            return (folder / name).string();
    return "";
}

CheckedFile blocks_in_force(const Document& document, std::ostream& notes) {
    ClusterState state = state_of(document, "", notes);
    CheckedFile result{"scontrol show topology", {}, {facts_of(state.topology())}, std::nullopt};
    result.loaded = std::move(state.cluster);
    return result;
}

std::vector<std::string> blocks_not_in_force(const LoadedCluster& loaded,
                                             const Document& document) {
    const NodesOfBlock here = nodes_of(loaded);
    const NodesOfBlock there = nodes_of(read_blocks(document));
    std::vector<std::string> names;
    for (const auto& [name, nodes] : here) {
        const auto same = there.find(name);
        if (same == there.end() || same->second != nodes) names.push_back(name);
    }
    for (const auto& [name, nodes] : there)
        if (!here.contains(name)) names.push_back(name);
    return names;
}

}  // namespace nvl72block::cli
