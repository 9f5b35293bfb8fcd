// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/check_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

NodeNames names_of(const LoadedCluster& loaded) {
    return [&loaded](NodeIndex node) { return std::string(loaded.nodes.name(node)); };
}

nlohmann::ordered_json group_json(const LoadedCluster& loaded, const CliqueMap& cliques,
                                  const CliqueGroup& group) {
    nlohmann::ordered_json json;
    if (group.clique != no_clique) json["clique"] = to_string(cliques.identity(group.clique));
    if (group.block != no_block) json["block"] = loaded.topology().block_name(group.block);
    json["node_count"] = group.nodes.size();
    json["nodes"] = loaded.nodes.hostlist(group.nodes);
    return json;
}

nlohmann::ordered_json finding_json(const LoadedCluster& loaded, const CliqueMap& cliques,
                                    const CliqueFinding& finding) {
    nlohmann::ordered_json json;
    json["kind"] = to_string(finding.kind);
    json["sentence"] = sentence(finding, loaded.topology(), cliques, names_of(loaded));
    if (finding.block != no_block) json["block"] = loaded.topology().block_name(finding.block);
    if (finding.clique != no_clique) json["clique"] = to_string(cliques.identity(finding.clique));
    if (finding.kind == CliqueFindingKind::invalid) json["problem"] = to_string(finding.status);
    if (!finding.text.empty()) json["text"] = finding.text;
    json["groups"] = nlohmann::ordered_json::array();
    for (const CliqueGroup& group : finding.groups)
        json["groups"].push_back(group_json(loaded, cliques, group));
    return json;
}

nlohmann::ordered_json topology_json(const CheckedTopology& topology) {
    nlohmann::ordered_json json;
    if (!topology.name.empty()) json["name"] = topology.name;
    json["kind"] = topology.kind;
    json["default"] = topology.is_default;
    if (topology.kind != "block") return json;
    json["base_blocks"] = topology.blocks;
    json["block_size"] = topology.planning_size;
    json["nodes"] = topology.nodes;
    return json;
}

nlohmann::ordered_json diagnostics_json(const Diagnostics& diagnostics, Severity severity) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Diagnostic& each : diagnostics)
        if (each.severity == severity)
            list.push_back({{"file", each.file},
                            {"line", each.line},
                            {"message", each.message},
                            {"remedy", each.remedy}});
    return list;
}

}  // namespace

std::string check_text(const LoadedCluster& loaded, const CliqueMap& cliques,
                       const CliqueReport& report) {
    std::string text = summary(report) + '\n';
    for (const CliqueFinding& finding : report.findings)
        text += sentence(finding, loaded.topology(), cliques, names_of(loaded)) + '\n';
    return text;
}

std::string file_text(const CheckedFile& file) {
    std::string text;
    for (const CheckedTopology& each : file.topologies) {
        text += file.source + ": ";
        if (!each.name.empty())
            text += fmt::format("topology {}{}: ", each.name, each.is_default ? " (default)" : "");
        text += each.kind == "block"
                    ? fmt::format("valid: {} of {} with {}\n", plural(each.blocks, "base block"),
                                  plural(each.planning_size, "node"), plural(each.nodes, "node"))
                    : fmt::format("{}, without blocks\n", each.kind);
    }
    return text;
}

std::string segments_text(const std::vector<SegmentFinding>& findings) {
    std::string text;
    for (const SegmentFinding& finding : findings) text += sentence(finding) + '\n';
    return text;
}

nlohmann::ordered_json segments_json(const std::vector<SegmentFinding>& findings) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const SegmentFinding& finding : findings)
        list.push_back({{"where", finding.where},
                        {"jobs", finding.jobs},
                        {"nodes", finding.nodes},
                        {"segment", finding.segment},
                        {"better_nodes", finding.better.nodes},
                        {"better_segment", finding.better.segment},
                        {"looks_like_default", finding.looks_like_default},
                        {"sentence", sentence(finding)}});
    return list;
}

nlohmann::ordered_json check_json(const CheckedFile& file, const CliqueMap* cliques,
                                  const CliqueReport* report) {
    nlohmann::ordered_json json;
    json["source"] = file.source;
    json["valid"] = file.valid();
    json["topologies"] = nlohmann::ordered_json::array();
    for (const CheckedTopology& each : file.topologies)
        json["topologies"].push_back(topology_json(each));
    json["errors"] = diagnostics_json(file.diagnostics, Severity::error);
    json["warnings"] = diagnostics_json(file.diagnostics, Severity::warning);
    json["cliques_compared"] = report != nullptr;
    if (report == nullptr || !file.loaded) return json;
    json["summary"] = summary(*report);
    json["blocks"] = report->blocks;
    json["blocks_agreeing"] = report->agreeing;
    json["nodes_in_blocks"] = report->nodes;
    json["cliques"] = report->cliques;
    json["nodes_with_clique"] = report->with_clique;
    json["findings"] = nlohmann::ordered_json::array();
    for (const CliqueFinding& finding : report->findings)
        json["findings"].push_back(finding_json(*file.loaded, *cliques, finding));
    return json;
}

}  // namespace nvl72block::cli
