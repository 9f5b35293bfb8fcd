// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much memory the engine takes: every allocation of this program is counted.
#include <gtest/gtest.h>

#include "allocations.hpp"
#include "racks.hpp"

namespace nvl72block::bench {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20U;

TEST(Memory, TheTopologyOf65536NodesTakesUnder16Mebibytes) {
    std::optional<Topology> topology;
    const Taken taken = measure_allocations([&] { topology = make_topology(racks_for(65536)); });
    EXPECT_GE(topology->node_count(), 65536U);
    EXPECT_GT(taken.kept, topology->node_count());  // the counting counts
    EXPECT_LT(taken.kept, 16 * mebibyte);
    RecordProperty("bytes", std::to_string(taken.kept));
    std::printf("topology of %zu nodes: %zu bytes\n", topology->node_count(), taken.kept);
}

struct Question {
    const char* name;
    std::uint32_t racks;
    std::uint32_t drained;
    std::uint32_t nodes;
    std::uint32_t segment;
};

class Decision : public testing::TestWithParam<Question> {};

TEST_P(Decision, TakesUnderTwoMebibytesAndFreesIt) {
    const Question& question = GetParam();
    const Racks cluster(question.racks, question.drained);
    const Taken taken =
        measure_allocations([&] { (void)cluster.place(question.nodes, question.segment); });
    EXPECT_GT(taken.peak, cluster.topology.block_count());
    EXPECT_LT(taken.peak, 2 * mebibyte);
    EXPECT_EQ(taken.kept, 0U);
    std::printf("%s on %u racks: %zu bytes in %zu allocations\n", question.name, question.racks,
                taken.peak, taken.allocations);
}

constexpr std::uint32_t large = racks_for(65536);

INSTANTIATE_TEST_SUITE_P(
    Engine, Decision,
    testing::Values(Question{"Plain16", 512, 0, 16, 0}, Question{"Plain1152", 512, 0, 1152, 0},
                    Question{"SegmentsOf16", 512, 0, 1152, 16},
                    Question{"SegmentsOf1", 512, 0, 4608, 1}, Question{"Refusal", 512, 3, 16, 0},
                    Question{"LargePlain16", large, 0, 16, 0},
                    Question{"LargePlain1152", large, 0, 1152, 0},
                    Question{"LargeHalfInSegmentsOf1", large, 0, large* rack_nodes / 2, 1},
                    Question{"LargeAllInSegmentsOf18", large, 0, large* rack_nodes, rack_nodes},
                    Question{"LargeRefusal", large, 3, 16, 0}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace nvl72block::bench
