// SPDX-License-Identifier: GPL-2.0-or-later
//
// NVLink cliques as the fabric reports them: the clique of each node, read from node features, and
// what follows from it for blocks.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

// ---- One node's clique --------------------------------------------------------------------------

/// An NVLink clique: the NVLink domain (ClusterUUID) and the NVLink partition in it (CliqueId).
/// Only the pair identifies anything: the default partition is 32766 in every domain.
struct CliqueIdentity {
    std::array<std::uint8_t, 16> uuid{};
    std::uint32_t id = 0;
    auto operator<=>(const CliqueIdentity&) const = default;
};

/// "<uuid>.<id>", the UUID in lower case: the form that NVIDIA's tools share, and a legal name for
/// a block and a feature.
[[nodiscard]] std::string to_string(const CliqueIdentity& identity);

/// Whether a node has a clique, and why not.
enum class CliqueStatus : std::uint8_t {
    valid,            ///< it has one
    absent,           ///< its features name none
    zero_uuid,        ///< the all-zero UUID: no multi-node NVLink
    malformed_uuid,   ///< not 8-4-4-4-12 hexadecimal digits
    malformed_id,     ///< no decimal number below 2^32
    two_cliques,      ///< two that differ
    id_without_uuid,  ///< CliqueId_… alone
    uuid_without_id,  ///< ClusterUUID_… alone
    gpus_disagree,    ///< the GPUs of the node name different cliques (inventories only)
};

/// "the ClusterUUID is all zero" and so on: the middle of a sentence; never null.
[[nodiscard]] const char* to_string(CliqueStatus status);

/// What one node's features name as its clique.
struct NodeClique {
    CliqueStatus status = CliqueStatus::absent;
    CliqueIdentity identity;  ///< meaningful when `status` is valid
    std::string text;         ///< the invalid feature, for messages; empty when there is none
};

/// Reads a node's clique from its comma-separated features. These count, in any mixture as long as
/// they agree: `<uuid>.<id>`, the same with `prefix` in front (compared exactly), and the pair
/// `ClusterUUID_<uuid>` and `CliqueId_<id>` (keys in any case); and each of them after a namespace
/// that ends in a slash, as `k8s/<uuid>.<id>`. Every other feature is ignored.
/// A feature that starts with `prefix`, or is nearly `<uuid>.<id>`, but is none makes the
/// status that of its first error.
[[nodiscard]] NodeClique read_clique(std::string_view features, std::string_view prefix = {});

/// Reads `<uuid>.<id>` alone; everything else, an empty text included, is invalid.
[[nodiscard]] NodeClique read_clique_name(std::string_view text);

// ---- All nodes' cliques -------------------------------------------------------------------------

/// Index into the table of a CliqueMap.
using CliqueIndex = std::uint32_t;
/// Stands for "in no clique".
inline constexpr CliqueIndex no_clique = std::numeric_limits<CliqueIndex>::max();

/// The clique of each node. Filled once, then read.
class CliqueMap {
  public:
    /// For no nodes at all.
    CliqueMap() = default;
    /// For the nodes 0 to `node_count` - 1. No node has a clique yet.
    explicit CliqueMap(std::size_t node_count)
        : clique_of_(node_count, no_clique), status_(node_count, CliqueStatus::absent) {}

    /// Records what was read of `node` (below node_count()). At most once per node.
    void set(NodeIndex node, const NodeClique& clique);

    /// Number of nodes, with a clique or not.
    [[nodiscard]] std::size_t node_count() const { return clique_of_.size(); }
    /// Number of different cliques; indices count in the order in which they were met.
    [[nodiscard]] CliqueIndex clique_count() const {
        return static_cast<CliqueIndex>(identities_.size());
    }
    /// The names of a clique below clique_count().
    [[nodiscard]] const CliqueIdentity& identity(CliqueIndex clique) const {
        return identities_[clique];
    }
    /// The clique of `node`, or no_clique.
    [[nodiscard]] CliqueIndex clique_of(NodeIndex node) const { return clique_of_[node]; }
    /// Whether `node` has a clique, and why not.
    [[nodiscard]] CliqueStatus status(NodeIndex node) const { return status_[node]; }
    /// The feature that makes the clique of `node` invalid; empty where there is no such feature.
    [[nodiscard]] std::string_view offending_feature(NodeIndex node) const;
    /// Number of nodes with a clique.
    [[nodiscard]] std::uint32_t nodes_with_clique() const { return with_clique_; }
    /// Number of nodes that name a clique in an invalid way: neither valid nor absent.
    [[nodiscard]] std::uint32_t invalid_nodes() const { return invalid_; }

    /// Whether every node has the same clique in both, or the same reason for none.
    [[nodiscard]] bool says_the_same(const CliqueMap& other) const;

  private:
    struct Hash {
        std::size_t operator()(const CliqueIdentity& identity) const noexcept;
    };

    std::vector<CliqueIndex> clique_of_;
    std::vector<CliqueStatus> status_;
    std::vector<CliqueIdentity> identities_;
    std::unordered_map<CliqueIdentity, CliqueIndex, Hash> index_of_;
    std::unordered_map<NodeIndex, std::string> offending_feature_;
    std::uint32_t with_clique_ = 0;
    std::uint32_t invalid_ = 0;
};

/// The features of a node, separated by commas; empty for none. Valid until the next call.
using NodeFeatures = std::function<std::string_view(NodeIndex)>;

/// All nodes' cliques as read_clique() finds them.
[[nodiscard]] CliqueMap read_cliques(std::size_t node_count, const NodeFeatures& features,
                                     std::string_view prefix = {});

// ---- Islands: what enforcing cliques means for a base block -------------------------------------

/// Which island each node is in, as Topology::with_islands() takes it: the index of the island
/// inside the node's base block, in the order of the islands' lowest nodes, or no_island. In a base
/// block where no node has a clique, all nodes are one island. Elsewhere each clique with nodes in
/// the block is an island, but for nodes that contradict their block: those of a clique that has
/// more nodes in another block and is not the most frequent one here. Contradicting nodes and nodes
/// without a valid clique have no island. `cliques` covers the nodes of `topology`.
[[nodiscard]] std::vector<std::uint32_t> islands_of(const Topology& topology,
                                                    const CliqueMap& cliques);

// ---- Blocks and cliques compared ----------------------------------------------------------------

/// The ways in which blocks and cliques can disagree.
enum class CliqueFindingKind {
    several_cliques,  ///< a block with several cliques
    several_blocks,   ///< a clique over several blocks
    without_clique,   ///< nodes of a block without a clique, where others of the cluster have one
    outside_blocks,   ///< nodes of a clique in no block
    invalid,          ///< nodes that name a clique in an invalid way
};

/// A short word for machines, e.g. "several_cliques".
[[nodiscard]] const char* to_string(CliqueFindingKind kind);

/// A number of nodes that a finding names together.
struct CliqueGroup {
    CliqueIndex clique = no_clique;  ///< theirs, if it is one
    BlockIndex block = no_block;     ///< theirs, if it is one
    std::vector<NodeIndex> nodes;    ///< ascending
};

/// One disagreement between blocks and cliques.
struct CliqueFinding {
    CliqueFindingKind kind = CliqueFindingKind::invalid;
    BlockIndex block = no_block;      ///< of several_cliques and without_clique
    CliqueIndex clique = no_clique;   ///< of several_blocks and outside_blocks
    std::vector<CliqueGroup> groups;  ///< the nodes, one group per clique or block; not empty
    CliqueStatus status = CliqueStatus::valid;  ///< of invalid
    std::string text;                           ///< of invalid: the invalid feature, may be empty
};

/// The comparison as a whole.
struct CliqueReport {
    std::uint32_t nodes = 0;              ///< nodes in blocks
    std::uint32_t with_clique = 0;        ///< nodes with a clique, in blocks or not
    std::uint32_t blocks = 0;             ///< base blocks with nodes
    std::uint32_t cliques = 0;            ///< different cliques
    std::uint32_t agreeing = 0;           ///< blocks that are one whole clique and nothing else
    std::vector<CliqueFinding> findings;  ///< by kind in the order of the enumeration, then block
};

/// Compares blocks and cliques; `cliques` covers the nodes of `topology`. If no node names a clique
/// there are no findings.
[[nodiscard]] CliqueReport compare_cliques(const Topology& topology, const CliqueMap& cliques);

/// The name of a node, by index.
using NodeNames = std::function<std::string(NodeIndex)>;

/// One line about a finding, without an end of line.
[[nodiscard]] std::string sentence(const CliqueFinding& finding, const Topology& topology,
                                   const CliqueMap& cliques, const NodeNames& names);

/// One line with the counts of a report.
[[nodiscard]] std::string summary(const CliqueReport& report);

/// The summary, then a line for each of the first `most` findings and one with the number of the
/// others.
[[nodiscard]] std::vector<std::string> report_lines(const CliqueReport& report,
                                                    const Topology& topology,
                                                    const CliqueMap& cliques,
                                                    const NodeNames& names, std::size_t most);

// ---- Blocks from cliques ------------------------------------------------------------------------

/// Base blocks made of the cliques. All vectors but `block_of` have an entry per block.
struct CliqueBlocks {
    std::vector<std::string> names;    ///< "<uuid>.<id>", in the order of the lowest node
    std::vector<CliqueIndex> cliques;  ///< the clique of each
    std::vector<BlockIndex> block_of;  ///< per node; no_block for a node without a clique
    /// The number of nodes that most of the blocks have, the larger one of two; 0 without blocks.
    std::uint32_t usual_size = 0;
};

/// One base block per clique of `cliques`.
[[nodiscard]] CliqueBlocks blocks_of_cliques(const CliqueMap& cliques);

}  // namespace nvl72block
