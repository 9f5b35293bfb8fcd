// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/show/show_picture.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/show/show_report.hpp"
#include "text/take_item.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::size_t most_findings = 8;  // lines of remarks
constexpr const char* outside_name = "no block";

/// Columns of a terminal as a list.
std::string listed(std::string line) {
    for (std::size_t at = line.find("  "); at != std::string::npos; at = line.find("  ", at))
        line.replace(at, 2, at > 0 && line[at - 1] == ':' ? " " : ", ");
    return line;
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::string_view line = take_item(text, '\n');
        if (!line.empty()) lines.push_back(listed(std::string(line)));
    }
    return lines;
}

bool is_in(const NodeSet& nodes, NodeIndex node) {
    return node < nodes.size() && nodes.test(node);
}

/// Makes racks of a cluster's nodes.
class Drawing {
  public:
    explicit Drawing(const ShownCluster& shown)
        : shown_(shown), jobs_of_(shown.loaded.nodes.size()) {
        for (std::size_t job = 0; job < shown.states.jobs().size(); ++job)
            shown.states.jobs()[job].nodes.for_each(
                [&](NodeIndex node) { jobs_of_[node].push_back(static_cast<JobIndex>(job)); });
    }

    /// One per base block, those without nodes included: blocks of larger levels count them.
    [[nodiscard]] std::vector<DrawnRack> racks() const {
        const Topology& topology = shown_.topology();
        std::vector<DrawnRack> racks;
        for (BlockIndex block = 0; block < topology.block_count(); ++block) {
            if (is_wide_gap(block)) continue;
            DrawnRack rack;
            rack.name = topology.block_name(block);
            for (const NodeRange& range : topology.ranges(block))
                for (NodeIndex node = range.begin; node < range.end; ++node) add(node, rack);
            racks.push_back(std::move(rack));
        }
        add_outside(racks);
        return racks;
    }

  private:
    /// Whether the block is one of so many holes that no bracket moves without them.
    [[nodiscard]] bool is_wide_gap(BlockIndex block) const {
        const Topology& topology = shown_.topology();
        const std::size_t top = topology.levels().size() - 1;
        const std::uint32_t aggregate = topology.aggregate_of(top, block);
        const BlockIndex last = topology.last_block(top, aggregate);
        block = topology.first_block(top, aggregate);
        while (block < last && topology.is_hole(block)) ++block;
        return block == last;
    }

    /// Nodes in no block, in columns as long as racks are.
    void add_outside(std::vector<DrawnRack>& racks) const {
        std::size_t longest = 1;
        for (const DrawnRack& rack : racks) longest = std::max(longest, rack.nodes.size());
        const std::size_t blocks = racks.size();
        for (NodeIndex node = 0; node < shown_.loaded.nodes.size(); ++node) {
            if (shown_.topology().block_of(node) != no_block) continue;
            if (racks.size() == blocks || racks.back().nodes.size() == longest)
                racks.push_back({outside_name, true, {}, {}});
            add(node, racks.back());
        }
    }

    void add(NodeIndex node, DrawnRack& rack) const {
        DrawnNode drawn;
        drawn.name = shown_.loaded.nodes.name(node);
        drawn.jobs = jobs_of_[node];
        drawn.busy = shown_.states.has_job(node);
        drawn.partly = drawn.busy && is_in(shown_.partly, node);
        drawn.reserved = shown_.states.is_reserved(node);
        drawn.mark = mark(node);
        drawn.clique = clique(node, rack);
        if (node < shown_.node_notes.size()) drawn.note = shown_.node_notes[node];
        rack.nodes.push_back(std::move(drawn));
    }

    [[nodiscard]] NodeMark mark(NodeIndex node) const {
        if (is_in(shown_.down, node)) return NodeMark::down;
        if (is_in(shown_.unavailable, node)) return NodeMark::unavailable;
        return shown_.states.is_drained(node) ? NodeMark::drained : NodeMark::none;
    }

    RackClique clique(NodeIndex node, DrawnRack& rack) const {
        if (!shown_.cliques || shown_.cliques->clique_of(node) == no_clique) return no_rack_clique;
        const std::string name =
            to_string(shown_.cliques->identity(shown_.cliques->clique_of(node)));
        const auto found = std::find(rack.cliques.begin(), rack.cliques.end(), name);
        const auto index = static_cast<RackClique>(found - rack.cliques.begin());
        if (found == rack.cliques.end()) rack.cliques.push_back(name);
        return index;
    }

    const ShownCluster& shown_;
    std::vector<std::vector<JobIndex>> jobs_of_;  // by node
};

std::vector<DrawnLevel> levels_of(const Topology& topology) {
    std::vector<DrawnLevel> levels;
    for (const Level& level : topology.levels())
        if (level.exponent > 0 && level.aggregates > 0)
            levels.push_back({level.nodes, level.base_blocks()});
    return levels;
}

std::vector<std::string> clique_remarks(const LoadedCluster& loaded, const CliqueMap& cliques) {
    return report_lines(
        compare_cliques(loaded.topology(), cliques), loaded.topology(), cliques,
        [&loaded](NodeIndex node) { return std::string(loaded.nodes.name(node)); }, most_findings);
}

}  // namespace

Picture show_picture(const ShownCluster& shown, const Headroom& headroom) {
    Picture picture;
    picture.title = shown.title;
    picture.facts = lines_of(summary_text(shown, headroom));
    picture.levels = levels_of(shown.topology());
    picture.racks = Drawing(shown).racks();
    for (std::size_t job = 0; job < shown.states.jobs().size(); ++job)
        picture.jobs.push_back({shown.states.jobs()[job].name,
                                job < shown.job_notes.size() ? shown.job_notes[job] : ""});
    if (shown.cliques) picture.remarks = clique_remarks(shown.loaded, *shown.cliques);
    return picture;
}

}  // namespace nvl72block::cli
