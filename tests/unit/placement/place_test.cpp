// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where jobs go and what they are told, as tables: the cluster, the request, the answer as text.
#include <gtest/gtest.h>

#include "small_cluster.hpp"

namespace nvl72block {
namespace {

using testing::describe;
using testing::SmallCluster;

struct Case {
    const char* what;
    std::uint32_t block_nodes;
    const char* sizes;
    std::vector<std::uint32_t> free;
    std::uint32_t outside;
    Request request;
    const char* answer;  // segments as node lists, or the refusal's sentence
};

void PrintTo(const Case& row, std::ostream* stream) {
    *stream << row.what;
}

Request job(std::uint32_t nodes, std::uint32_t segment = 0) {
    Request request;
    request.min_nodes = request.max_nodes = nodes;
    request.segment_size = segment;
    return request;
}

Request range(std::uint32_t least, std::uint32_t most, std::uint32_t segment = 0) {
    Request request = job(most, segment);
    request.min_nodes = least;
    return request;
}

Request with(Request request, void (*change)(Request&)) {
    change(request);
    return request;
}

class PlaceTable : public ::testing::TestWithParam<Case> {};

TEST_P(PlaceTable, AnswersAsWritten) {
    const Case& row = GetParam();
    const SmallCluster cluster(row.block_nodes, row.sizes, row.free, row.outside);
    EXPECT_EQ(describe(cluster.topology, place(cluster.topology, row.request, cluster.state())),
              row.answer)
        << row.what;
}

const auto spread = [](Request& request) { request.spread_segments = true; };
const auto consolidate = [](Request& request) { request.consolidate_segments = true; };
const auto exclusive = [](Request& request) { request.exclusive = true; };
const auto compact = [](Request& request) { request.policy = Policy::compact; };
const auto demand = [](Request& request) { request.policy = Policy::demand; };
const auto for_fours = [](Request& request) {
    static constexpr DemandSize size{4, 1000};
    request.policy = Policy::demand;
    request.demand = std::span(&size, 1);
};
const auto one_block = [](Request& request) { request.max_base_blocks = 1; };

INSTANTIATE_TEST_SUITE_P(
    Plain, PlaceTable,
    ::testing::Values(
        Case{"a broken rack serves before a whole one", 4, "4,8", {4, 3}, 0, job(2), "n[4-5]"},
        Case{"a broken pair serves before a whole pair",
             4,
             "4,8",
             {4, 4, 4, 2},
             0,
             job(4),
             "n[8-11]"},
        Case{"the tightest broken rack", 4, "4", {4, 3, 2}, 0, job(2), "n[8-9]"},
        Case{"the lowest of equals", 4, "4", {4, 4, 4}, 0, job(4), "n[0-3]"},
        Case{"evenly filled where it costs nothing",
             4,
             "4,8,16",
             {4, 3, 3, 0},
             0,
             job(6),
             "n[0-2,4-6]"},
        Case{"more than a block: in the pair that holds it",
             4,
             "4,8",
             {4, 1, 4, 4},
             0,
             job(7),
             "n[8-14]"},
        Case{"above the largest size: any blocks", 2, "2", {2, 2, 2}, 0, job(5), "n[0-4]"},
        Case{"a rack planned as 3 of 4 stays whole while its spare serves",
             4,
             "3,6",
             {4, 3},
             0,
             job(1),
             "n0"},
        Case{"cannot fit any block",
             4,
             "4,8",
             {3, 3},
             0,
             job(4),
             "needs 4 nodes in one block of 4; the best block has 3; 6 nodes are usable"},
        Case{"too few nodes at all",
             4,
             "4,8",
             {1, 1},
             0,
             job(4),
             "needs 4 nodes; 2 nodes are usable"},
        Case{"the largest count of a range that fits",
             4,
             "4,8",
             {3, 1, 2, 4},
             0,
             range(2, 8),
             "n[8-9,12-15]"},
        Case{"a range whose larger counts fit nowhere",
             4,
             "4",
             {1, 1, 1, 4},
             0,
             range(4, 4),
             "n[12-15]"},
        Case{"few base blocks first", 4, "4,8", {4, 2, 2, 0}, 0, with(job(4), compact), "n[0-3]"},
        Case{"at most one base block",
             4,
             "4,8",
             {3, 3},
             0,
             with(job(5), one_block),
             "needs at least 2 base blocks, but at most 1 may be used; 6 nodes are usable"}));

// The racks have 18 nodes and are planned with 16: a job of 18 was split over two half-used racks
// while two idle ones were there.
INSTANTIATE_TEST_SUITE_P(
    Locality, PlaceTable,
    ::testing::Values(
        Case{"a job that one rack holds lies in one rack",
             18,
             "16,32,64",
             {9, 9, 18, 18},
             0,
             with(job(18), demand),
             "n[36-53]"},
        Case{"pack splits it", 18, "16,32,64", {9, 9, 18, 18}, 0, job(18), "n[0-8,18-26]"},
        Case{"as a segment",
             18,
             "16,32,64",
             {9, 9, 18, 18},
             0,
             with(job(18, 18), demand),
             "n[36-53]"},
        Case{"two segments",
             18,
             "16,32,64",
             {9, 9, 18, 18},
             0,
             with(job(36, 18), demand),
             "n[36-53] n[54-71]"},
        Case{"no rack has room for it",
             18,
             "16,32,64",
             {9, 9, 17, 17},
             0,
             with(job(18), demand),
             "n[0-8,18-26]"},
        Case{"one that needs two racks",
             18,
             "16,32,64",
             {9, 9, 18, 18},
             0,
             with(job(20), demand),
             "n[36-55]"}));

INSTANTIATE_TEST_SUITE_P(
    Demand, PlaceTable,
    ::testing::Values(
        Case{"spare nodes cost nothing", 6, "6", {6, 4}, 0, with(job(2), for_fours), "n[0-1]"},
        Case{"pack keeps the whole rack", 6, "6", {6, 4}, 0, job(2), "n[6-7]"},
        Case{"where no slot is left", 6, "6", {6, 3}, 0, with(job(2), for_fours), "n[6-7]"}));

INSTANTIATE_TEST_SUITE_P(
    Segments, PlaceTable,
    ::testing::Values(
        Case{"each in a block of its own size", 4, "4,8", {4, 4, 4}, 0, job(8, 4), "n[0-3] n[4-7]"},
        Case{"several in one block", 4, "4,8", {4, 4}, 0, job(4, 2), "n[0-1] n[2-3]"},
        Case{"broken racks first", 4, "4", {4, 2, 2}, 0, job(4, 2), "n[4-5] n[8-9]"},
        Case{"spread: one a block", 4, "4", {4, 4, 4}, 0, with(job(4, 2), spread), "n[0-1] n[4-5]"},
        Case{"consolidate: one aggregated block",
             4,
             "4,8",
             {4, 0, 4, 4},
             0,
             with(job(8, 4), consolidate),
             "n[8-11] n[12-15]"},
        Case{"larger than a block", 2, "2,4", {2, 2, 2, 2}, 0, job(8, 4), "n[0-3] n[4-7]"},
        Case{"not larger than the job: a plain job", 4, "4", {4, 3}, 0, job(3, 4), "n[4-6]"},
        Case{"does not divide",
             4,
             "4",
             {4, 4},
             0,
             job(6, 4),
             "the request can never fit: 6 nodes are not a multiple of the segment size 4"},
        Case{"none fits",
             4,
             "4",
             {3, 3, 3},
             0,
             job(8, 4),
             "needs 2 segments of 4 nodes; none fits in the whole cluster; 9 nodes are usable"},
        Case{"one fits",
             4,
             "4",
             {4, 3, 3},
             0,
             job(8, 4),
             "needs 2 segments of 4 nodes; only 1 fits in the whole cluster; 10 nodes are usable"},
        Case{"exclusive: fewest nodes wasted",
             4,
             "4",
             {4, 2, 3},
             0,
             with(job(2), exclusive),
             "n[4-5]"}));

INSTANTIATE_TEST_SUITE_P(
    OutsideBlocks, PlaceTable,
    ::testing::Values(
        Case{"only when no block holds the job", 2, "2", {2, 1}, 4, job(2), "n[0-1]"},
        Case{"holds what no block can", 2, "2,4", {1, 1}, 4, job(4), "n[4-7]"},
        Case{"never for segments",
             2,
             "2",
             {1, 1},
             4,
             job(4, 2),
             "needs 2 segments of 2 nodes; none fits in the whole cluster; 6 nodes are usable (4 "
             "of them in no block)"}));

// Where Slurm's topology/block misses a placement or wastes nodes: part 5 of its behavioural
// description.
INSTANTIATE_TEST_SUITE_P(
    StockMisses, PlaceTable,
    ::testing::Values(
        Case{"W1: an empty base block stalls the search of its group",
             2,
             "2,8",
             {2, 2, 2, 0, 2, 1, 0, 0, 0, 0, 0, 0},
             0,
             job(9),
             "n[0-5,8-10]"},
        Case{"W4: greedy cuts leave 1,1,3",
             4,
             "4",
             {2, 3, 3, 3, 4},
             0,
             job(15, 5),
             "n[0-1,4-6] n[8-10,12-13] n[14,16-19]"},
        Case{"F1: equal blocks: keep a pair whole", 4, "4,8", {4, 4, 4, 0}, 0, job(4), "n[8-11]"},
        Case{"F2: 4,3,3 for 6", 4, "4,16", {4, 3, 3, 0}, 0, job(6), "n[4-6,8-10]"}));

TEST(Place, LighterNodesFirstButNeverAtThePriceOfNotFitting) {
    // W2: one heavier node in each block; stock refuses 7 of 16 nodes at submission.
    const SmallCluster cluster(4, "4,16", {4, 4, 4, 4});
    std::vector<std::uint64_t> weight(16, 1);
    for (NodeIndex node = 3; node < 16; node += 4) weight[node] = 10;
    State state = cluster.state();
    state.weight = weight;
    EXPECT_EQ(describe(cluster.topology, place(cluster.topology, job(6), state)), "n[0-2,4-6]");
    EXPECT_EQ(describe(cluster.topology, place(cluster.topology, job(7), state)), "n[0-6]");
}

TEST(Place, RequiredNodesAreInAndTheJobGathersAroundThem) {
    const SmallCluster cluster(4, "4,8", {4, 4, 4, 4});
    NodeSet required(cluster.topology.node_count());
    required.set(9);
    Request request = job(3);
    request.required = required;
    EXPECT_EQ(describe(cluster.topology, place(cluster.topology, request, cluster.state())),
              "n[8-10]");
    required.set(0);
    request.required = required;
    EXPECT_EQ(describe(cluster.topology, place(cluster.topology, request, cluster.state())),
              "needs 3 nodes in one block of 4 together with the nodes required by name; at most 0 "
              "fit there; 16 nodes are usable");
}

TEST(Place, AJobWithoutNodeCountTakesTheSmallestLevelThatHoldsItsTotals) {
    // W6: -n20 on base blocks of 16 CPUs, refused by stock on an idle cluster.
    const SmallCluster cluster(4, "4,8", {4, 4, 4, 4});
    const std::vector<std::uint32_t> cpus(16, 4);
    State state = cluster.state();
    state.cpus = cpus;
    Request request = range(1, 16);
    request.sized_by_totals = true;
    request.cpus = 20;
    EXPECT_EQ(describe(cluster.topology, place(cluster.topology, request, state)), "n[0-2,4-5]");
    request.cpus = 65;
    EXPECT_EQ(describe(cluster.topology, place(cluster.topology, request, state)),
              "needs 65 CPUs in the whole cluster; no set of nodes there has as many; 16 nodes are "
              "usable");
}

TEST(Place, TotalsChooseTheBlockThatHoldsThem) {
    // W7: the cheap block is short of GPUs.
    const SmallCluster cluster(2, "2", {2, 2});
    const std::vector<std::uint32_t> gpus{4, 1, 4, 4};
    State state = cluster.state();
    state.gpus = gpus;
    Request request = job(2);
    request.gpus = 8;
    EXPECT_EQ(describe(cluster.topology, place(cluster.topology, request, state)), "n[2-3]");
}

TEST(Sentence, SaysWhetherTheRefusalIsProven) {
    Refusal refusal;
    refusal.reason = RefusalReason::not_enough_nodes;
    refusal.wanted_nodes = 5;
    refusal.usable_nodes = 4;
    EXPECT_EQ(sentence(refusal), "needs 5 nodes; 4 nodes are usable");
    refusal.proven = false;
    EXPECT_EQ(
        sentence(refusal),
        "needs 5 nodes; 4 nodes are usable; search limit reached; a placement may still exist");
}

}  // namespace
}  // namespace nvl72block
