// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology/node_owners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "nvl72block/hostlist.hpp"
#include "text/excerpt.hpp"
#include "text/plural.hpp"
#include "topology/config_checks.hpp"
#include "topology/nodes_text.hpp"

namespace nvl72block {
namespace {

// Nodes that are yet to be created may be missing on every line of a large cluster.
constexpr unsigned max_warnings = 5;

using NodeNames = std::unordered_map<NodeIndex, std::string>;

/// The names of the block's nodes as its line writes them. Empty for a Nodes= text that is no plain
/// host list: only Slurm knows its names then.
NodeNames name_nodes(const BlockLine& block, const NodeResolver& resolve) {
    std::string error;
    NodeNames names;
    std::vector<NodeIndex> nodes;
    for (std::string& name :
         expand_hostlist(block.nodes, error).value_or(std::vector<std::string>{})) {
        nodes.clear();
        if (resolve(name, nodes, error) && nodes.size() == 1)
            names.emplace(nodes.front(), std::move(name));
    }
    return names;
}

/// The nodes as a host list, or their number where a name is missing.
std::string list_nodes(std::span<const NodeIndex> nodes, const NodeNames& names) {
    std::vector<std::string> found;
    for (const NodeIndex node : nodes) {
        const auto name = names.find(node);
        if (name == names.end()) return plural(nodes.size(), "node");
        found.push_back(name->second);
    }
    return excerpt(compress_hostlist(found));
}

class OwnerTable {
  public:
    OwnerTable(const TopologyConfig& config, std::size_t node_count, const NodeResolver& resolve,
               Diagnostics& diagnostics)
        : config_(config),
          resolve_(resolve),
          diagnostics_(diagnostics),
          owners_(node_count, no_block) {}

    std::vector<BlockIndex> fill() {
        for (BlockIndex block = 0; block < config_.blocks.size() && !too_many(block); ++block)
            claim_nodes(block);
        if (warnings_ > max_warnings)
            diagnostics_.push_back(
                {Severity::warning, config_.file, 0,
                 fmt::format("{} more lines like this", warnings_ - max_warnings),
                 "create the nodes, or correct the names"});
        return std::move(owners_);
    }

  private:
    /// A node is in one block; many times as many names as a cluster has nodes are no topology, and
    /// each of them takes time.
    bool too_many(BlockIndex block) {
        if (names_ <= max_hostlist_names) return false;
        const BlockLine& line = config_.blocks[block];
        diagnostics_.push_back({Severity::error, line.file, line.line,
                                fmt::format("the Nodes= values up to this line have more than {} "
                                            "names; nothing after it is checked",
                                            max_hostlist_names),
                                "keep each node in one block"});
        return true;
    }

    void claim_nodes(BlockIndex block) {
        const BlockLine& line = config_.blocks[block];
        std::vector<NodeIndex> nodes;
        if (!resolve_line(line, nodes)) return;
        std::map<BlockIndex, std::vector<NodeIndex>> shared;
        for (const NodeIndex node : nodes) {
            if (node >= owners_.size())
                continue;  // not a node of this cluster: the resolver's slip
            BlockIndex& owner = owners_[node];
            if (owner == no_block) owner = block;
            if (owner != block) shared[owner].push_back(node);
        }
        if (shared.empty()) return;
        const bool is_told = !diagnostics_.is_full(Severity::error);
        const NodeNames names = is_told ? name_nodes(line, resolve_) : NodeNames();
        for (auto& [owner, shared_nodes] : shared) report_shared(owner, line, shared_nodes, names);
    }

    bool resolve_line(const BlockLine& line, std::vector<NodeIndex>& nodes) {
        if (line.nodes.empty()) return true;
        std::string error;
        const auto names = check_nodes_text(line.nodes, error);
        names_ += names.value_or(0);
        if (!names || !resolve_(line.nodes, nodes, error)) {
            diagnostics_.push_back({Severity::error, line.file, line.line,
                                    fmt::format("BlockName={} Nodes={}: {}", excerpt(line.name),
                                                excerpt(line.nodes), error),
                                    "correct the name, or define the node in slurm.conf"});
            return false;
        }
        // ALL and the like stand for more nodes than names.
        names_ += nodes.size() - std::min(nodes.size(), *names);
        if (!error.empty()) warn(line, error);
        return true;
    }

    void warn(const BlockLine& line, const std::string& sentence) {
        if (++warnings_ > max_warnings) return;
        diagnostics_.push_back({Severity::warning, line.file, line.line,
                                fmt::format("BlockName={}: {}", excerpt(line.name), sentence),
                                "create the nodes, or correct the names"});
    }

    void report_shared(BlockIndex owner, const BlockLine& line, std::vector<NodeIndex>& nodes,
                       const NodeNames& names) {
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        const BlockLine& first = config_.blocks[owner];
        diagnostics_.push_back(
            {Severity::error, line.file, line.line,
             fmt::format("{} {} in block {} (line {}) and in block {} ({})",
                         list_nodes(nodes, names), nodes.size() == 1 ? "is" : "are",
                         excerpt(line.name), line.line, excerpt(first.name),
                         location_of(first, line.file)),
             "keep each node in one block"});
    }

    const TopologyConfig& config_;
    const NodeResolver& resolve_;
    Diagnostics& diagnostics_;
    std::vector<BlockIndex> owners_;
    unsigned warnings_ = 0;
    std::size_t names_ = 0;  // of all lines so far
};

}  // namespace

std::vector<BlockIndex> find_node_owners(const TopologyConfig& config, std::size_t node_count,
                                         const NodeResolver& resolve, Diagnostics& diagnostics) {
    return OwnerTable(config, node_count, resolve, diagnostics).fill();
}

}  // namespace nvl72block
