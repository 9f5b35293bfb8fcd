// SPDX-License-Identifier: GPL-2.0-or-later
//
// Counts compared with an exhaustive search, which is written from docs/placement.md.
#include "cli/metrics/cluster_metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "nvl72block/headroom.hpp"

namespace nvl72block::cli {
namespace {

struct Racks {
    Topology topology;
    NodeSet free;
};

/// Base blocks with these numbers of nodes; `free_nodes` of each are free.
Racks make_racks(const std::vector<std::uint32_t>& nodes,
                 const std::vector<std::uint32_t>& free_nodes,
                 const std::vector<std::uint32_t>& sizes) {
    KnownBlocks known;
    known.sizes = sizes;
    std::vector<NodeIndex> free;
    for (BlockIndex block = 0; block < nodes.size(); ++block) {
        known.names.push_back("b" + std::to_string(block));
        for (std::uint32_t i = 0; i < nodes[block]; ++i) {
            if (i < free_nodes[block])
                free.push_back(static_cast<NodeIndex>(known.block_of.size()));
            known.block_of.push_back(block);
        }
    }
    Racks racks{Topology::of_blocks(known), NodeSet(known.block_of.size())};
    for (const NodeIndex node : free) racks.free.set(node);
    return racks;
}

// ---- Exhaustive ---------------------------------------------------------------------------------

using Counts = std::vector<std::uint32_t>;  // free nodes by base block

std::uint32_t most_segments(const Counts& free, std::uint32_t size, std::uint32_t most_blocks,
                            std::map<Counts, std::uint32_t>& known);

/// Tries all ways to take the rest of a segment from block `block` on.
void take(Counts& free, std::size_t block, std::uint32_t rest, std::uint32_t blocks_left,
          std::uint32_t size, std::uint32_t most_blocks, std::map<Counts, std::uint32_t>& known,
          std::uint32_t& best) {
    if (rest == 0) {
        best = std::max(best, 1 + most_segments(free, size, most_blocks, known));
        return;
    }
    if (block == free.size()) return;
    take(free, block + 1, rest, blocks_left, size, most_blocks, known, best);
    if (blocks_left == 0) return;
    for (std::uint32_t count = 1; count <= std::min(rest, free[block]); ++count) {
        free[block] -= count;
        take(free, block + 1, rest - count, blocks_left - 1, size, most_blocks, known, best);
        free[block] += count;
    }
}

std::uint32_t most_segments(const Counts& free, std::uint32_t size, std::uint32_t most_blocks,
                            std::map<Counts, std::uint32_t>& known) {
    const auto found = known.find(free);
    if (found != known.end()) return found->second;
    std::uint32_t best = 0;
    Counts left = free;
    take(left, 0, size, most_blocks, size, most_blocks, known, best);
    return known[free] = best;
}

/// Segments of `size` nodes, each in one block of the smallest level that can hold it and in at
/// most so many base blocks as it needs. Levels are 1, 2 and 4 base blocks.
std::uint32_t segments_by_hand(const Counts& free, std::uint32_t size, std::uint32_t planned) {
    std::size_t joined = 1;
    while (joined < 4 && joined * planned < size) joined *= 2;
    if (joined * planned < size) joined = free.size();
    // of the level below the one that holds it
    const std::uint32_t below =
        joined == 1 ? planned : static_cast<std::uint32_t>(joined / 2) * planned;
    if (joined > 2) return ~0U;  // limits at two levels: not searched here
    std::uint32_t count = 0;
    for (std::size_t first = 0; first < free.size(); first += joined) {
        const Counts part(
            free.begin() + static_cast<std::ptrdiff_t>(first),
            free.begin() + static_cast<std::ptrdiff_t>(std::min(first + joined, free.size())));
        std::map<Counts, std::uint32_t> known;
        count += most_segments(part, size, (size + below - 1) / below, known);
    }
    return count;
}

std::uint64_t value(const std::string& text, const std::string& sample) {
    const std::size_t at = text.find("\n" + sample + " ");
    EXPECT_NE(at, std::string::npos) << sample << "\n" << text;
    if (at == std::string::npos) return ~0ULL;
    return std::stoull(text.substr(at + sample.size() + 2));
}

std::string text_of(const Racks& racks) {
    const std::size_t count = racks.topology.node_count();
    NodeSet busy(count);
    for (NodeIndex node = 0; node < count; ++node)
        if (!racks.free.test(node)) busy.set(node);
    const NodeStates states(busy, NodeSet(count), NodeSet(count), {});
    return metrics_text({racks.topology, states, nullptr, std::nullopt});
}

std::uint32_t below(std::uint32_t limit, std::mt19937& random) {
    return static_cast<std::uint32_t>(random() % limit);
}

TEST(ClusterMetrics, EqualAnExhaustiveCount) {
    std::mt19937 random(20);
    for (int round = 0; round < 60; ++round) {
        const std::uint32_t planned = round % 3 == 0 ? 18 : round % 3 == 1 ? 4 : 9;
        Counts nodes, free;
        const std::size_t blocks = 1 + below(5, random);
        for (std::size_t block = 0; block < blocks; ++block) {
            nodes.push_back(below(4, random) == 0 ? 1 + below(planned, random) : planned);
            free.push_back(below(3, random) == 0 ? nodes.back() : below(nodes.back() + 1, random));
        }
        const Racks racks = make_racks(nodes, free, {planned, 2 * planned, 4 * planned});
        const std::string text = text_of(racks);
        std::uint32_t usable = 0;
        for (const std::uint32_t count : free) usable += count;
        EXPECT_EQ(value(text, "nvl72block_usable_nodes"), usable);
        EXPECT_EQ(value(text, "nvl72block_nodes{state=\"free\"}"), usable);
        for (const std::uint32_t size : segment_sizes(racks.topology)) {
            const std::uint32_t expected = segments_by_hand(free, size, planned);
            if (expected == ~0U) continue;
            EXPECT_EQ(
                value(text, "nvl72block_free_segments{size=\"" + std::to_string(size) + "\"}"),
                expected)
                << size << " " << testing::PrintToString(free) << " planned " << planned;
        }
    }
}

TEST(ClusterMetrics, HaveTheEnginesScores) {
    // by hand: one of two racks lacks 1 of 4 nodes
    const std::string text = text_of(make_racks({4, 4}, {4, 3}, {4, 8}));
    EXPECT_EQ(value(text, "nvl72block_fragmentation_nodes{score=\"usable\"}"), 1U + 4U + 8U);
    EXPECT_EQ(value(text, "nvl72block_fragmentation_nodes{score=\"topology_block\"}"),
              4U + 8U + 1U);
    EXPECT_EQ(value(text, "nvl72block_largest_job_nodes"), 7U);
    EXPECT_EQ(value(text, "nvl72block_free_segments{size=\"8\"}"), 0U);
}

TEST(ClusterMetrics, CountCliqueFindingsByKind) {
    const Racks racks = make_racks({4, 4}, {4, 4}, {4});
    const std::string uuid = "12345678-1234-1234-1234-123456789abc";
    const CliqueMap cliques = read_cliques(8, [&](NodeIndex node) -> std::string_view {
        static const std::string one = uuid + ".1", two = uuid + ".2";
        return node < 2 ? one : two;  // the first block has both, the second one's is over both
    });
    const NodeStates states(NodeSet(8), NodeSet(8), NodeSet(8), {});
    const std::string text = metrics_text({racks.topology, states, &cliques, std::nullopt});
    EXPECT_EQ(value(text, "nvl72block_clique_findings{kind=\"several_cliques\"}"), 1U);
    EXPECT_EQ(value(text, "nvl72block_clique_findings{kind=\"several_blocks\"}"), 1U);
    EXPECT_EQ(value(text, "nvl72block_clique_findings{kind=\"invalid\"}"), 0U);
    EXPECT_EQ(value(text, "nvl72block_clique_nodes"), 8U);
}

TEST(ClusterMetrics, SayNothingOfWhatIsNotKnown) {
    const std::string text = text_of(make_racks({4}, {4}, {4}));
    EXPECT_EQ(text.find("clique"), std::string::npos);
    EXPECT_EQ(text.find("waiting"), std::string::npos);
}

}  // namespace
}  // namespace nvl72block::cli
