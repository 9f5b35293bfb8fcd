// SPDX-License-Identifier: GPL-2.0-or-later
//
// A cluster's blocks as its administrator configured them: from topology.conf and the options to
// the topology that decisions read, and the changes that nodes and cliques make to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nvl72block/clique.hpp"
#include "nvl72block/diagnostics.hpp"
#include "nvl72block/node_set.hpp"
#include "nvl72block/options.hpp"
#include "nvl72block/topology.hpp"
#include "nvl72block/topology_config.hpp"

namespace nvl72block {

/// Reads `path` as far as `options` need it. With CliqueMode::derive it may be without BlockName
/// lines, and a file that does not exist is an empty one. Findings and nullopt as
/// read_topology_config().
[[nodiscard]] std::optional<TopologyConfig> read_cluster_config(const std::filesystem::path& path,
                                                                const Options& options,
                                                                Diagnostics& diagnostics);

/// The centre of the engine, behind plugin and command alike. Immutable: a change makes another
/// Cluster, and readers of the old one are not disturbed. What a Topology forgets but its users are
/// shown goes with it: the Nodes= texts and the BlockSizes as written.
class Cluster {
  public:
    /// Makes the cluster of a configuration that was read, for a table of `node_count` nodes.
    /// Findings as Topology::build(); nullopt if one of them is an error. With CliqueMode::derive
    /// there are no blocks until with_cliques(), and BlockName lines are a warning.
    [[nodiscard]] static std::optional<Cluster> build(TopologyConfig config, const Options& options,
                                                      std::size_t node_count,
                                                      const NodeResolver& resolve,
                                                      Diagnostics& diagnostics);

    /// The same of a topology.yaml, which Slurm has parsed, with the options of_yaml().
    [[nodiscard]] static std::optional<Cluster> build_from_yaml(TopologyConfig config,
                                                                const Options& options,
                                                                std::size_t node_count,
                                                                const NodeResolver& resolve,
                                                                Diagnostics& diagnostics);

    /// read_cluster_config() and build().
    [[nodiscard]] static std::optional<Cluster> read(const std::filesystem::path& path,
                                                     const Options& options, std::size_t node_count,
                                                     const NodeResolver& resolve,
                                                     Diagnostics& diagnostics);

    /// What decisions read; lives as long as the Cluster. With CliqueMode::enforce and cliques it
    /// has islands.
    [[nodiscard]] const Topology& topology() const { return topology_; }
    /// Options::cliques as it applies to this cluster.
    [[nodiscard]] CliqueMode clique_mode() const { return mode_; }
    /// BlockSizes as written, in nodes; empty when absent.
    [[nodiscard]] std::span<const std::uint32_t> block_sizes() const { return sizes_; }
    /// The Nodes= text of a base block as written; empty for none.
    [[nodiscard]] const std::string& nodes_text(BlockIndex block) const {
        return texts_[block].nodes;
    }
    /// Whether the text does not say which nodes the block has: it was changed, or is a clique's.
    [[nodiscard]] bool is_changed(BlockIndex block) const { return texts_[block].changed; }
    /// Whether a member of `nodes` lies in a block.
    [[nodiscard]] bool touches(NodeSetView nodes) const;

    /// Whether with_cliques() makes a difference: with CliqueMode enforce or derive.
    [[nodiscard]] bool follows_cliques() const {
        return mode_ == CliqueMode::enforce || mode_ == CliqueMode::derive;
    }
    /// The cluster with these cliques, which cover its node table. With CliqueMode::enforce its
    /// topology has islands, also after with_node_in() and with_block(). With CliqueMode::derive
    /// its blocks are the cliques, named <uuid>.<id>; where the file has no BlockSizes they are
    /// planned with the number of nodes that most cliques have, and with 18 as long as there are
    /// none. Otherwise the same cluster.
    [[nodiscard]] Cluster with_cliques(std::shared_ptr<const CliqueMap> cliques) const;

    /// The topology that the cluster has once its cliques are what they are planned to be: with
    /// CliqueMode::enforce each base block is one, with CliqueMode::derive as many consecutive
    /// nodes of the node table as the planning size, without BlockSizes 18 at least. Otherwise
    /// topology().
    [[nodiscard]] Topology topology_as_planned() const;

    /// Topology::with_node_in(). The blocks that lose or gain the node are changed.
    [[nodiscard]] Cluster with_node_in(NodeIndex node, BlockIndex block) const;
    /// Topology::with_block().
    [[nodiscard]] Cluster with_block(std::string name) const;

    /// The configuration as the text of a topology.conf that reads the same. Nodes= texts have the
    /// names that were read; blocks that are cliques are left out.
    [[nodiscard]] std::string to_topology_conf() const;

  private:
    struct BlockText {
        std::string nodes;
        bool changed = false;
    };

    Cluster(Topology topology, std::vector<BlockText> texts, std::vector<std::uint32_t> sizes,
            CliqueMode mode, std::shared_ptr<const CliqueMap> enforced = nullptr);
    [[nodiscard]] Cluster derived(const CliqueMap& cliques) const;

    Topology topology_;
    std::vector<BlockText> texts_;  // per base block
    std::vector<std::uint32_t> sizes_;
    CliqueMode mode_;
    std::shared_ptr<const CliqueMap> enforced_;  // null: none yet, or another mode
    NodeSet members_;                            // nodes that lie in a block
};

}  // namespace nvl72block
