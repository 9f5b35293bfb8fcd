// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/containment_graph.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/graph/depth_first_search.hpp>
#include <map>
#include <sstream>

#include "test_node_table.hpp"

namespace nvl72block {
namespace {

std::string blocks_of_two(unsigned count, std::string_view sizes) {
    std::string text;
    for (unsigned block = 0; block < count; ++block)
        text += fmt::format("BlockName=b{} Nodes=n[{}-{}]\n", block + 1, 2 * block, 2 * block + 1);
    return text + std::string(sizes);
}

/// Every vertex but the cluster has one parent, and the parent holds what the child holds.
void expect_tree(const ContainmentGraph& graph, const Topology& topology) {
    ASSERT_EQ(boost::num_edges(graph) + 1, boost::num_vertices(graph));
    ASSERT_EQ(boost::in_degree(0, graph), 0U);
    ASSERT_EQ(graph[0].kind, ElementKind::cluster);
    for (std::size_t vertex = 1; vertex < boost::num_vertices(graph); ++vertex) {
        ASSERT_EQ(boost::in_degree(vertex, graph), 1U);
        const auto parent = boost::source(*boost::in_edges(vertex, graph).first, graph);
        ASSERT_LT(parent, vertex);
        const Element& above = graph[parent];
        const Element& below = graph[vertex];
        ASSERT_GE(above.nodes, below.nodes);
        if (below.kind == ElementKind::node || above.kind == ElementKind::cluster) continue;
        ASSERT_GT(above.level, below.level);
        ASSERT_LE(topology.first_block(above.level, above.index),
                  topology.first_block(below.level, below.index));
        ASSERT_GE(topology.last_block(above.level, above.index),
                  topology.last_block(below.level, below.index));
    }
}

std::size_t count_kind(const ContainmentGraph& graph, ElementKind kind) {
    std::size_t count = 0;
    for (std::size_t vertex = 0; vertex < boost::num_vertices(graph); ++vertex)
        if (graph[vertex].kind == kind) ++count;
    return count;
}

TEST(ContainmentGraph, IsATreeForAnyNumberOfBlocks) {
    TestNodeTable table("n[0-99]");
    const std::string_view sizes[] = {"", "BlockSizes=2", "BlockSizes=2,8", "BlockSizes=2,4,16,32"};
    for (const std::string_view listed : sizes) {
        for (unsigned blocks = 1; blocks <= 40; ++blocks) {
            const auto topology = table.read(blocks_of_two(blocks, listed));
            ASSERT_TRUE(topology);
            const ContainmentGraph graph = containment_graph(*topology, GraphDepth::nodes);
            expect_tree(graph, *topology);
            EXPECT_EQ(count_kind(graph, ElementKind::base_block), blocks);
            EXPECT_EQ(count_kind(graph, ElementKind::node), 100U);
            std::size_t aggregates = 0;
            for (std::size_t level = 1; level < topology->levels().size(); ++level)
                for (std::uint32_t i = 0; i < topology->levels()[level].aggregates; ++i)
                    aggregates += topology->is_listed(level, i) ? 1 : 0;
            EXPECT_EQ(count_kind(graph, ElementKind::aggregated_block), aggregates);
        }
    }
}

TEST(ContainmentGraph, HoldsEachNodeBelowItsBlock) {
    TestNodeTable table("n[0-9]");
    const auto topology = table.read(blocks_of_two(3, "BlockSizes=2,4"));
    ASSERT_TRUE(topology);
    const ContainmentGraph graph = containment_graph(*topology, GraphDepth::nodes);
    for (std::size_t vertex = 0; vertex < boost::num_vertices(graph); ++vertex) {
        if (graph[vertex].kind != ElementKind::node) continue;
        const Element& parent = graph[boost::source(*boost::in_edges(vertex, graph).first, graph)];
        const BlockIndex block = topology->block_of(graph[vertex].index);
        EXPECT_EQ(parent.kind, block == no_block ? ElementKind::cluster : ElementKind::base_block);
        EXPECT_EQ(parent.index, block == no_block ? 0 : block);
    }
}

TEST(ContainmentGraph, WithoutNodesStopsAtTheBaseBlocks) {
    TestNodeTable table("n[0-9]");
    const auto topology = table.read(blocks_of_two(5, "BlockSizes=2,4,8"));
    ASSERT_TRUE(topology);
    const ContainmentGraph graph = containment_graph(*topology, GraphDepth::base_blocks);
    expect_tree(graph, *topology);
    EXPECT_EQ(count_kind(graph, ElementKind::node), 0U);
    EXPECT_EQ(boost::num_vertices(graph), 1U + 1 + 2 + 5);
    EXPECT_EQ(graph[0].nodes, 10U);
    EXPECT_EQ(graph[1].planned_nodes, 8U);
    EXPECT_EQ(graph[1].nodes, 8U);
    // b5 alone would be both the third block of 4 and the second of 8: it hangs from the cluster.
    EXPECT_EQ(boost::out_degree(0, graph), 2U);
}

TEST(ContainmentGraph, DrawsNamesSizesAndNodeLists) {
    TestNodeTable table("n[0-5],\"x\\y\"");
    const auto topology =
        table.read(blocks_of_two(2, "BlockName=b\"3 Nodes=n4\nBlockName=b4\nBlockSizes=2,4"));
    ASSERT_TRUE(topology) << testing::PrintToString(table.messages());
    std::ostringstream out;
    write_graphviz(out, containment_graph(*topology, GraphDepth::base_blocks), *topology,
                   table.names());
    EXPECT_EQ(out.str(), R"(digraph G {
0[shape=box,label="cluster\n4 base blocks, 7 nodes"];
1[shape=box,label="b[1-2]\nsize 4, 4 nodes\nn[0-3]"];
2[shape=box,label="b\"3,b4\nsize 4, 1 nodes\nn4"];
3[shape=box,label="b1\nsize 2, 2 nodes\nn[0-1]"];
4[shape=box,label="b2\nsize 2, 2 nodes\nn[2-3]"];
5[shape=box,label="b\"3\nsize 2, 1 nodes\nn4"];
6[shape=box,label="b4\nsize 2, 0 nodes"];
0->1 ;
0->2 ;
1->3 ;
1->4 ;
2->5 ;
2->6 ;
}
)");
}

TEST(ContainmentGraph, EscapesNodeNames) {
    TestNodeTable table("n0,\"x\\y\"");
    const auto topology = table.read("BlockName=b1 Nodes=n0");
    ASSERT_TRUE(topology);
    std::ostringstream out;
    write_graphviz(out, containment_graph(*topology, GraphDepth::nodes), *topology, table.names());
    EXPECT_NE(out.str().find(R"(label="\"x\\y\"")"), std::string::npos) << out.str();
}

}  // namespace
}  // namespace nvl72block
