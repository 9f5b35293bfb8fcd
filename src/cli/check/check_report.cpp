// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/check_report.hpp"

#include <nlohmann/json.hpp>

namespace nvl72block::cli {
namespace {

NodeNames names_of(const Site& site) {
    return [&site](NodeIndex node) -> std::string_view { return site.nodes.name(node); };
}

nlohmann::ordered_json group_json(const Site& site, const CliqueMap& cliques,
                                  const CliqueGroup& group) {
    nlohmann::ordered_json json;
    if (group.clique != no_clique) json["clique"] = to_string(cliques.identity(group.clique));
    if (group.block != no_block) json["block"] = site.topology().block_name(group.block);
    json["node_count"] = group.nodes.size();
    json["nodes"] = site.nodes.hostlist(group.nodes);
    return json;
}

nlohmann::ordered_json finding_json(const Site& site, const CliqueMap& cliques,
                                    const CliqueFinding& finding) {
    nlohmann::ordered_json json;
    json["kind"] = to_string(finding.kind);
    json["sentence"] = sentence(finding, site.topology(), cliques, names_of(site));
    if (finding.block != no_block) json["block"] = site.topology().block_name(finding.block);
    if (finding.clique != no_clique) json["clique"] = to_string(cliques.identity(finding.clique));
    if (finding.kind == CliqueFindingKind::invalid) json["problem"] = to_string(finding.problem);
    if (!finding.text.empty()) json["text"] = finding.text;
    json["groups"] = nlohmann::ordered_json::array();
    for (const CliqueGroup& group : finding.groups)
        json["groups"].push_back(group_json(site, cliques, group));
    return json;
}

}  // namespace

std::string check_text(const Site& site, const CliqueMap& cliques, const CliqueReport& report) {
    std::string text = summary(report) + '\n';
    for (const CliqueFinding& finding : report.findings)
        text += sentence(finding, site.topology(), cliques, names_of(site)) + '\n';
    return text;
}

nlohmann::ordered_json check_json(const Site& site, const CliqueMap& cliques,
                                  const CliqueReport& report) {
    nlohmann::ordered_json json;
    json["summary"] = summary(report);
    json["blocks"] = report.blocks;
    json["blocks_agreeing"] = report.agreeing;
    json["nodes_in_blocks"] = report.nodes;
    json["cliques"] = report.cliques;
    json["nodes_with_clique"] = report.with_clique;
    json["findings"] = nlohmann::ordered_json::array();
    for (const CliqueFinding& finding : report.findings)
        json["findings"].push_back(finding_json(site, cliques, finding));
    return json;
}

}  // namespace nvl72block::cli
