// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/cluster.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "topology/config_checks.hpp"

namespace nvl72block {
namespace {

// Blocks of a fabric that says nothing yet have to be of some size: that of a whole NVL72 rack.
constexpr std::uint32_t size_without_cliques = 18;

NodeSet nodes_in_blocks(const Topology& topology) {
    NodeSet members(topology.node_count());
    for (NodeIndex node = 0; node < topology.node_count(); ++node)
        if (topology.block_of(node) != no_block) members.set(node);
    return members;
}

}  // namespace

std::optional<TopologyConfig> read_cluster_config(const std::filesystem::path& path,
                                                  const Options& options,
                                                  Diagnostics& diagnostics) {
    return read_topology_config(
        path, diagnostics,
        options.cliques == CliqueMode::derive ? BlockLines::optional : BlockLines::required);
}

Cluster::Cluster(Topology topology, std::vector<BlockText> texts, std::vector<std::uint32_t> sizes,
                 CliqueMode mode, std::shared_ptr<const CliqueMap> enforced)
    : topology_(std::move(topology)),
      texts_(std::move(texts)),
      sizes_(std::move(sizes)),
      mode_(mode),
      enforced_(std::move(enforced)),
      members_(nodes_in_blocks(topology_)) {
    if (enforced_) topology_ = topology_.with_islands(islands_of(topology_, *enforced_));
}

std::optional<Cluster> Cluster::build(TopologyConfig config, const Options& options,
                                      std::size_t node_count, const NodeResolver& resolve,
                                      Diagnostics& diagnostics) {
    if (options.cliques == CliqueMode::derive) {
        Diagnostics found;
        check_sizes_alone(config, found);
        const bool failed = has_error(found);
        diagnostics.append(std::move(found));
        if (failed) return std::nullopt;
        auto none = Topology::of_blocks({.names = {},
                                         .block_of = std::vector(node_count, no_block),
                                         .sizes = config.block_sizes,
                                         .default_size = size_without_cliques});
        return Cluster(std::move(none), {}, std::move(config.block_sizes), options.cliques);
    }
    if (options.aggregation == Aggregation::name) aggregate_by_name(config, diagnostics);
    std::optional<Topology> topology = Topology::build(config, node_count, resolve, diagnostics);
    if (!topology) return std::nullopt;
    std::vector<BlockText> texts;
    texts.reserve(config.blocks.size());
    for (BlockLine& line : config.blocks) texts.push_back({.nodes = std::move(line.nodes)});
    return Cluster(*std::move(topology), std::move(texts), std::move(config.block_sizes),
                   options.cliques);
}

std::optional<Cluster> Cluster::build_from_yaml(TopologyConfig config, const Options& options,
                                                std::size_t node_count, const NodeResolver& resolve,
                                                Diagnostics& diagnostics) {
    return build(std::move(config), of_yaml(options), node_count, resolve, diagnostics);
}

std::optional<Cluster> Cluster::read(const std::filesystem::path& path, const Options& options,
                                     std::size_t node_count, const NodeResolver& resolve,
                                     Diagnostics& diagnostics) {
    std::optional<TopologyConfig> config = read_cluster_config(path, options, diagnostics);
    if (!config) return std::nullopt;
    return build(*std::move(config), options, node_count, resolve, diagnostics);
}

bool Cluster::touches(NodeSetView nodes) const {
    const auto words = members_.words();
    for (std::size_t i = 0; i < words.size(); ++i)
        if ((words[i] & nodes.word(i)) != 0) return true;
    return false;
}

Cluster Cluster::with_cliques(std::shared_ptr<const CliqueMap> cliques) const {
    switch (mode_) {
        case CliqueMode::enforce:
            return {topology_, texts_, sizes_, mode_, std::move(cliques)};
        case CliqueMode::derive:
            return derived(*cliques);
        case CliqueMode::verify:
        case CliqueMode::off:
            break;
    }
    return *this;
}

Cluster Cluster::derived(const CliqueMap& cliques) const {
    CliqueBlocks blocks = blocks_of_cliques(cliques);
    // "changed": the nodes are shown as they are, there is no text to quote
    std::vector<BlockText> texts(blocks.names.size(), {"", true});
    auto topology = Topology::of_blocks(
        {.names = std::move(blocks.names),
         .block_of = std::move(blocks.block_of),
         .sizes = sizes_,
         .default_size = blocks.usual_size == 0 ? size_without_cliques : blocks.usual_size});
    return {std::move(topology), std::move(texts), sizes_, mode_};
}

Topology Cluster::topology_as_planned() const {
    const std::size_t nodes = topology_.node_count();
    if (mode_ == CliqueMode::enforce)
        return topology_.with_islands(std::vector<std::uint32_t>(nodes, 0));
    if (mode_ != CliqueMode::derive) return topology_;
    KnownBlocks planned{.names = {},
                        .block_of = std::vector<BlockIndex>(nodes),
                        .sizes = sizes_,
                        .default_size = std::max(topology_.planning_size(),
                                                 sizes_.empty() ? size_without_cliques : 1)};
    for (NodeIndex node = 0; node < nodes; ++node) {
        planned.block_of[node] = node / planned.default_size;
        if (planned.block_of[node] == planned.names.size())
            planned.names.push_back("planned" + std::to_string(planned.names.size()));
    }
    return Topology::of_blocks(std::move(planned));
}

Cluster Cluster::with_node_in(NodeIndex node, BlockIndex block) const {
    std::vector<BlockText> texts = texts_;
    const BlockIndex before = topology_.block_of(node);
    for (const BlockIndex changed : {before, block})
        if (before != block && changed != no_block) texts[changed].changed = true;
    return {topology_.with_node_in(node, block), std::move(texts), sizes_, mode_, enforced_};
}

Cluster Cluster::with_block(std::string name) const {
    Topology larger = topology_.with_block(std::move(name));
    std::vector<BlockText> texts = texts_;
    texts.resize(larger.block_count());
    return {std::move(larger), std::move(texts), sizes_, mode_, enforced_};
}

}  // namespace nvl72block
