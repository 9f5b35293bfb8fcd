// SPDX-License-Identifier: GPL-2.0-or-later
//
// Findings in words: the same in slurmctld's log and in the tool's answers.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "nvl72block/clique.hpp"
#include "nvl72block/hostlist.hpp"
#include "text/excerpt.hpp"
#include "text/plural.hpp"

namespace nvl72block {
namespace {

// A line of the log, not a table: what is left out is counted.
constexpr std::size_t most_groups = 8;
constexpr std::size_t longest_list = 200;

std::string node_list(std::span<const NodeIndex> nodes, const NodeNames& names) {
    std::vector<std::string> list;
    list.reserve(nodes.size());
    for (const NodeIndex node : nodes) list.push_back(names(node));
    std::string text = compress_hostlist(list);
    if (text.size() > longest_list) {
        text.resize(longest_list);
        text += "...";
    }
    return text;
}

/// "9 nodes of <uuid>.1 (n[1-9]), 9 nodes of …"; `what` names a group.
template <typename What>
std::string list_groups(const CliqueFinding& finding, const NodeNames& names, What what) {
    std::string text;
    const std::size_t shown = std::min(finding.groups.size(), most_groups);
    for (const CliqueGroup& group : std::span(finding.groups).first(shown))
        text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ",
                            plural(group.nodes.size(), "node"), what(group),
                            node_list(group.nodes, names));
    if (shown < finding.groups.size())
        text += fmt::format(" and {} more", finding.groups.size() - shown);
    return text;
}

std::string clique_name(const CliqueMap& cliques, CliqueIndex clique) {
    return to_string(cliques.identity(clique));
}

std::string invalid_sentence(const CliqueFinding& finding, const NodeNames& names) {
    const std::vector<NodeIndex>& nodes = finding.groups.front().nodes;
    const std::string said =
        finding.text.empty() ? "" : fmt::format(" (\"{}\")", excerpt(finding.text));
    return fmt::format("{} with an invalid clique, {}{}: {}", plural(nodes.size(), "node"),
                       to_string(finding.status), said, node_list(nodes, names));
}

}  // namespace

const char* to_string(CliqueFindingKind kind) {
    switch (kind) {
        case CliqueFindingKind::several_cliques:
            return "several_cliques";
        case CliqueFindingKind::several_blocks:
            return "several_blocks";
        case CliqueFindingKind::without_clique:
            return "without_clique";
        case CliqueFindingKind::outside_blocks:
            return "outside_blocks";
        case CliqueFindingKind::invalid:
            break;
    }
    return "invalid";
}

std::string sentence(const CliqueFinding& finding, const Topology& topology,
                     const CliqueMap& cliques, const NodeNames& names) {
    const CliqueGroup& first = finding.groups.front();
    switch (finding.kind) {
        case CliqueFindingKind::several_cliques:
            return fmt::format("block {} holds {} cliques: {}", topology.block_name(finding.block),
                               finding.groups.size(),
                               list_groups(finding, names, [&](const CliqueGroup& group) {
                                   return "of " + clique_name(cliques, group.clique);
                               }));
        case CliqueFindingKind::several_blocks:
            return fmt::format("clique {} spans {} blocks: {}",
                               clique_name(cliques, finding.clique), finding.groups.size(),
                               list_groups(finding, names, [&](const CliqueGroup& group) {
                                   return "in " + topology.block_name(group.block);
                               }));
        case CliqueFindingKind::without_clique:
            return fmt::format("block {}: {} of {} nodes name no clique: {}",
                               topology.block_name(finding.block), first.nodes.size(),
                               topology.block_nodes(finding.block), node_list(first.nodes, names));
        case CliqueFindingKind::outside_blocks:
            return fmt::format("clique {}: {} in no block: {}",
                               clique_name(cliques, finding.clique),
                               plural(first.nodes.size(), "node"), node_list(first.nodes, names));
        case CliqueFindingKind::invalid:
            break;
    }
    return invalid_sentence(finding, names);
}

std::string summary(const CliqueReport& report) {
    return fmt::format(
        "{} of {} agree with {}, {} with a clique; {}", report.agreeing,
        plural(report.blocks, "block"), plural(report.cliques, "clique"),
        plural(report.with_clique, "node"),
        report.findings.empty() ? "nothing to report" : plural(report.findings.size(), "finding"));
}

std::vector<std::string> report_lines(const CliqueReport& report, const Topology& topology,
                                      const CliqueMap& cliques, const NodeNames& names,
                                      std::size_t most) {
    std::vector<std::string> lines{summary(report)};
    const std::size_t told = std::min(most, report.findings.size());
    for (const CliqueFinding& finding : std::span(report.findings).first(told))
        lines.push_back(sentence(finding, topology, cliques, names));
    if (told < report.findings.size())
        lines.push_back(fmt::format("{} more findings", report.findings.size() - told));
    return lines;
}

}  // namespace nvl72block
