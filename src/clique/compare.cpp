// SPDX-License-Identifier: GPL-2.0-or-later
//
// Blocks and cliques compared: every disagreement, found without names or words.
#include <algorithm>
#include <map>
#include <utility>

#include "clique/block_counts.hpp"
#include "nvl72block/clique.hpp"

namespace nvl72block {
namespace {

class Comparison {
  public:
    Comparison(const Topology& topology, const CliqueMap& cliques)
        : topology_(topology), cliques_(cliques), counts_(topology, cliques) {}

    CliqueReport run() {
        report_.with_clique = cliques_.nodes_with_clique();
        report_.cliques = cliques_.clique_count();
        collect_outside();
        for (BlockIndex block = 0; block < topology_.block_count(); ++block) {
            report_.nodes += topology_.block_nodes(block);
            report_.blocks += topology_.block_nodes(block) == 0 ? 0 : 1;
            report_.agreeing += agrees(block) ? 1 : 0;
        }
        find_several_cliques();
        find_several_blocks();
        if (report_.with_clique != 0) find_without_clique();
        find_outside_blocks();
        find_invalid();
        return std::move(report_);
    }

  private:
    void collect_outside() {
        outside_.resize(cliques_.clique_count());
        for (NodeIndex node = 0; node < topology_.node_count(); ++node)
            if (topology_.block_of(node) == no_block && cliques_.clique_of(node) != no_clique)
                outside_[cliques_.clique_of(node)].push_back(node);
    }

    [[nodiscard]] bool agrees(BlockIndex block) const {
        const auto present = counts_.in_block(block);
        return present.size() == 1 && present[0].nodes == topology_.block_nodes(block) &&
               counts_.of_clique(present[0].clique).size() == 1 &&
               outside_[present[0].clique].empty();
    }

    [[nodiscard]] CliqueGroup group(const CliqueInBlock& entry) const {
        CliqueGroup group{entry.clique, entry.block, {}};
        for (const NodeRange& range : topology_.ranges(entry.block))
            for (NodeIndex node = range.begin; node < range.end; ++node)
                if (cliques_.clique_of(node) == entry.clique) group.nodes.push_back(node);
        return group;
    }

    CliqueFinding& add(CliqueFindingKind kind) {
        report_.findings.emplace_back().kind = kind;
        return report_.findings.back();
    }

    void find_several_cliques() {
        for (BlockIndex block = 0; block < topology_.block_count(); ++block) {
            const auto present = counts_.in_block(block);
            if (present.size() < 2) continue;
            CliqueFinding& finding = add(CliqueFindingKind::several_cliques);
            finding.block = block;
            for (const CliqueInBlock& entry : present) finding.groups.push_back(group(entry));
        }
    }

    void find_several_blocks() {
        for (CliqueIndex clique = 0; clique < cliques_.clique_count(); ++clique) {
            const auto present = counts_.of_clique(clique);
            if (present.size() < 2) continue;
            CliqueFinding& finding = add(CliqueFindingKind::several_blocks);
            finding.clique = clique;
            for (const CliqueInBlock& entry : present) finding.groups.push_back(group(entry));
        }
    }

    void find_without_clique() {
        for (BlockIndex block = 0; block < topology_.block_count(); ++block) {
            CliqueGroup silent{no_clique, block, {}};
            for (const NodeRange& range : topology_.ranges(block))
                for (NodeIndex node = range.begin; node < range.end; ++node)
                    if (cliques_.status(node) == CliqueStatus::absent) silent.nodes.push_back(node);
            if (silent.nodes.empty()) continue;
            CliqueFinding& finding = add(CliqueFindingKind::without_clique);
            finding.block = block;
            finding.groups.push_back(std::move(silent));
        }
    }

    void find_outside_blocks() {
        for (CliqueIndex clique = 0; clique < cliques_.clique_count(); ++clique) {
            if (outside_[clique].empty()) continue;
            CliqueFinding& finding = add(CliqueFindingKind::outside_blocks);
            finding.clique = clique;
            finding.groups.push_back({clique, no_block, std::move(outside_[clique])});
        }
    }

    /// Nodes with the same thing wrong are one finding.
    void find_invalid() {
        std::map<std::pair<CliqueStatus, std::string_view>, std::vector<NodeIndex>> wrong;
        for (NodeIndex node = 0; node < cliques_.node_count(); ++node) {
            const CliqueStatus status = cliques_.status(node);
            if (status != CliqueStatus::valid && status != CliqueStatus::absent)
                wrong[{status, cliques_.offending_feature(node)}].push_back(node);
        }
        for (auto& [what, nodes] : wrong) {
            CliqueFinding& finding = add(CliqueFindingKind::invalid);
            finding.status = what.first;
            finding.text = what.second;
            finding.groups.push_back({no_clique, no_block, std::move(nodes)});
        }
    }

    const Topology& topology_;
    const CliqueMap& cliques_;
    BlockCounts counts_;
    std::vector<std::vector<NodeIndex>> outside_;  // per clique: nodes in no block
    CliqueReport report_;
};

}  // namespace

CliqueReport compare_cliques(const Topology& topology, const CliqueMap& cliques) {
    return Comparison(topology, cliques).run();
}

}  // namespace nvl72block
