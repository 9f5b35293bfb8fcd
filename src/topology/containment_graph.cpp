// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/containment_graph.hpp"

#include <fmt/format.h>

#include <boost/graph/graphviz.hpp>
#include <cassert>
#include <ostream>
#include <vector>

#include "nvl72block/hostlist.hpp"

namespace nvl72block {
namespace {

using Vertex = boost::graph_traits<ContainmentGraph>::vertex_descriptor;

/// Grows the tree from the cluster down.
class GraphBuilder {
  public:
    GraphBuilder(const Topology& topology, ContainmentGraph& graph)
        : topology_(topology), graph_(graph) {
        const auto nodes = static_cast<std::uint32_t>(topology.node_count());
        cluster_ = add(Element{ElementKind::cluster, 0, 0, 0, nodes});
        parent_of_block_.assign(topology.block_count(), cluster_);
    }

    void add_blocks() {
        for (std::size_t level = topology_.levels().size(); level-- > 0;)
            for (std::uint32_t i = 0; i < topology_.levels()[level].aggregates; ++i)
                if (topology_.is_listed(level, i)) add_block(level, i);
    }

    void add_nodes() {
        for (NodeIndex node = 0; node < topology_.node_count(); ++node) {
            const BlockIndex block = topology_.block_of(node);
            add_below(block == no_block ? cluster_ : parent_of_block_[block],
                      Element{ElementKind::node, 0, node, 0, 1});
        }
    }

  private:
    Vertex add(const Element& element) {
        // Boost's add_vertex(element, graph) draws a false warning from GCC with the sanitizers.
        const Vertex vertex = boost::add_vertex(graph_);
        graph_[vertex] = element;
        return vertex;
    }

    Vertex add_below(Vertex parent, const Element& element) {
        const Vertex vertex = add(element);
        boost::add_edge(parent, vertex, graph_);
        return vertex;
    }

    void add_block(std::size_t level, std::uint32_t index) {
        const BlockIndex first = topology_.first_block(level, index);
        const BlockIndex last = topology_.last_block(level, index);
        std::uint32_t nodes = 0;
        for (BlockIndex block = first; block < last; ++block) nodes += topology_.block_nodes(block);
        const ElementKind kind =
            level == 0 ? ElementKind::base_block : ElementKind::aggregated_block;
        const Vertex vertex = add_below(parent_of_block_[first],
                                        Element{kind, static_cast<std::uint32_t>(level), index,
                                                topology_.levels()[level].nodes, nodes});
        for (BlockIndex block = first; block < last; ++block) parent_of_block_[block] = vertex;
    }

    const Topology& topology_;
    ContainmentGraph& graph_;
    Vertex cluster_{};
    std::vector<Vertex> parent_of_block_;  // the smallest element so far that holds the base block
};

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') out += '\\';
        out += letter;
    }
    return out + '"';
}

/// What a drawing says about each element.
class Labels {
  public:
    Labels(const ContainmentGraph& graph, const Topology& topology,
           std::span<const std::string> node_names)
        : graph_(graph), topology_(topology), node_names_(node_names) {}

    void operator()(std::ostream& out, Vertex vertex) const {
        const Element& element = graph_[vertex];
        const bool node = element.kind == ElementKind::node;
        out << fmt::format("[shape={},label={}]", node ? "ellipse" : "box", label(element));
    }

  private:
    /// Lines joined with the \n that Graphviz understands.
    [[nodiscard]] std::string label(const Element& element) const {
        if (element.kind == ElementKind::node) return quoted(node_names_[element.index]);
        if (element.kind == ElementKind::cluster)
            return fmt::format(R"("cluster\n{} base blocks, {} nodes")", topology_.block_count(),
                               element.nodes);
        std::string text = quoted(topology_.aggregate_name(element.level, element.index));
        text.pop_back();
        text += fmt::format("\\nsize {}, {} nodes", element.planned_nodes, element.nodes);
        if (element.nodes == 0) return text + '"';
        return text + "\\n" + quoted(node_list(element)).substr(1);
    }

    [[nodiscard]] std::string node_list(const Element& element) const {
        std::vector<std::string> names;
        const BlockIndex last = topology_.last_block(element.level, element.index);
        for (BlockIndex block = topology_.first_block(element.level, element.index); block < last;
             ++block)
            for (const NodeRange& range : topology_.ranges(block))
                names.insert(names.end(), node_names_.begin() + range.begin,
                             node_names_.begin() + range.end);
        return compress_hostlist(names);
    }

    const ContainmentGraph& graph_;
    const Topology& topology_;
    std::span<const std::string> node_names_;
};

}  // namespace

ContainmentGraph containment_graph(const Topology& topology, GraphDepth depth) {
    ContainmentGraph graph;
    GraphBuilder builder(topology, graph);
    builder.add_blocks();
    if (depth == GraphDepth::nodes) builder.add_nodes();
    return graph;
}

void write_graphviz(std::ostream& out, const ContainmentGraph& graph, const Topology& topology,
                    std::span<const std::string> node_names) {
    assert(node_names.size() >= topology.node_count());
    boost::write_graphviz(out, graph, Labels(graph, topology, node_names));
}

}  // namespace nvl72block
