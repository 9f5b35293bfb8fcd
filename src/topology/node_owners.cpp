// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology/node_owners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "diagnostics/excerpt.hpp"
#include "nvl72block/hostlist.hpp"

namespace nvl72block {
namespace {

/// The names of `shared` nodes as the block's line writes them, compressed. Nodes= texts that are
/// no plain host list give no names; then their number stands for them.
std::string name_shared(const BlockLine& block, std::span<const NodeIndex> shared,
                        const NodeResolver& resolve) {
    std::string error;
    std::vector<std::string> found;
    std::vector<NodeIndex> nodes;
    for (const std::string& name :
         expand_hostlist(block.nodes, error).value_or(std::vector<std::string>{})) {
        nodes.clear();
        if (resolve(name, nodes, error) && nodes.size() == 1 &&
            std::binary_search(shared.begin(), shared.end(), nodes.front()))
            found.push_back(name);
    }
    if (!found.empty()) return excerpt(compress_hostlist(found));
    return fmt::format("{} node{}", shared.size(), shared.size() == 1 ? "" : "s");
}

std::string place(const BlockLine& block, const std::string& seen_from) {
    return block.file == seen_from ? fmt::format("line {}", block.line)
                                   : fmt::format("{} line {}", block.file, block.line);
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
        for (BlockIndex block = 0; block < config_.blocks.size(); ++block) claim_nodes(block);
        return std::move(owners_);
    }

  private:
    void claim_nodes(BlockIndex block) {
        const BlockLine& line = config_.blocks[block];
        std::vector<NodeIndex> nodes;
        if (!resolve_line(line, nodes)) return;
        std::map<BlockIndex, std::vector<NodeIndex>> shared;
        for (const NodeIndex node : nodes) {
            if (node >= owners_.size()) continue;  // resolve_line has reported it
            BlockIndex& owner = owners_[node];
            if (owner == no_block) owner = block;
            if (owner != block) shared[owner].push_back(node);
        }
        for (auto& [owner, shared_nodes] : shared) report_shared(owner, line, shared_nodes);
    }

    bool resolve_line(const BlockLine& line, std::vector<NodeIndex>& nodes) {
        if (line.nodes.empty()) return true;
        std::string error;
        if (!resolve_(line.nodes, nodes, error)) {
            diagnostics_.push_back({Severity::error, line.file, line.line,
                                    fmt::format("BlockName={} Nodes={}: {}", excerpt(line.name),
                                                excerpt(line.nodes), error),
                                    "correct the name, or define the node in slurm.conf"});
            return false;
        }
        return true;
    }

    void report_shared(BlockIndex owner, const BlockLine& line, std::vector<NodeIndex>& nodes) {
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        const BlockLine& first = config_.blocks[owner];
        diagnostics_.push_back(
            {Severity::error, line.file, line.line,
             fmt::format("{} {} in block {} (line {}) and in block {} ({})",
                         name_shared(line, nodes, resolve_), nodes.size() == 1 ? "is" : "are",
                         excerpt(line.name), line.line, excerpt(first.name),
                         place(first, line.file)),
             "leave each node in one block"});
    }

    const TopologyConfig& config_;
    const NodeResolver& resolve_;
    Diagnostics& diagnostics_;
    std::vector<BlockIndex> owners_;
};

}  // namespace

std::vector<BlockIndex> find_node_owners(const TopologyConfig& config, std::size_t node_count,
                                         const NodeResolver& resolve, Diagnostics& diagnostics) {
    return OwnerTable(config, node_count, resolve, diagnostics).fill();
}

}  // namespace nvl72block
