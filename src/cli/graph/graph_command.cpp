// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/graph/graph_command.hpp"

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/input/loaded_cluster.hpp"
#include "nvl72block/containment_graph.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* graph_footer = R"(
Example:
  nvl72block graph --topology topology.conf | dot -Tsvg > blocks.svg)";

}  // namespace

CLI::App& add_graph(CLI::App& app, GraphOptions& options) {
    CLI::App& graph =
        *app.add_subcommand("graph", "Print the hierarchy of blocks as a graph for Graphviz's dot");
    graph.add_option("--topology", options.topology, "The topology.conf file")
        ->type_name("FILE")
        ->required();
    graph.add_flag("--nodes", options.nodes, "Include a vertex per node");
    graph.footer(graph_footer);
    return graph;
}

int run_graph(const GraphOptions& options, Console& console) {
    const LoadedCluster loaded = load_cluster(options.topology, {}, console.err);
    const GraphDepth depth = options.nodes ? GraphDepth::nodes : GraphDepth::base_blocks;
    write_graphviz(console.out, containment_graph(loaded.topology(), depth), loaded.topology(),
                   loaded.nodes.names());
    return exit_ok;
}

}  // namespace nvl72block::cli
