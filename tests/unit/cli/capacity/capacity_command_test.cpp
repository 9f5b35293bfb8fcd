// SPDX-License-Identifier: GPL-2.0-or-later
#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

class CapacityTest : public testing::Test {
  protected:
    Result capacity(const SnapshotText& text, std::vector<std::string> options = {}) {
        options.insert(options.begin(), {"capacity", "--state", text.write(folder_)});
        return run_command(options);
    }

    Folder folder_;
};

TEST_F(CapacityTest, CountsSegmentsAndBlocks) {
    const Result result = capacity(SnapshotText("##..#...x......."));
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out,
              "cluster eight, Slurm 26.05.3, 2026-11-22 20:51\n"
              "partition main, jobs of whole nodes without a time limit\n"
              "16 nodes: 12 free, 3 busy, 1 out of service, 0 reserved\n"
              "\n"
              "segments that one job could get now:\n"
              " segment    in all     in one of 4     in one of 8    in one of 16\n"
              "       1        12               4               7              12\n"
              "       2         5               2               3               5\n"
              "       4         1               1               1               1\n"
              "largest job without segments: 12 nodes\n"
              "whole blocks: 1 of 4 of size 4, 0 of 2 of size 8, 0 of 1 of size 16\n"
              "fragmentation: 48 = 4 nodes not free + 3 broken blocks of 4 + 2 broken blocks of 8 "
              "+ 1 broken block of 16; 48 as Slurm's topology/block computes it\n");
}

TEST_F(CapacityTest, AnswersForTheSizesAndThePartitionAsked) {
    const Result result =
        capacity(SnapshotText("#..............."),
                 {"--segment", "3", "--segment", "8", "--partition", "debug", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto json = result.json();
    EXPECT_EQ(json["partition"], "debug");
    EXPECT_EQ(json["free"]["nodes"], "n[02-04]");
    EXPECT_EQ(json["duration"], 3600);
    EXPECT_EQ(json["segments"][0]["size"], 3);
    EXPECT_EQ(json["segments"][0]["count"], 1);
    EXPECT_EQ(json["segments"][1]["count"], 0);
    EXPECT_EQ(json["largest_job"], 3);
}

TEST_F(CapacityTest, AReservationCountsForJobsThatReachIt) {
    SnapshotText text;
    text.reservations =
        reservation_line("soon", "n[09-12]", "2026-11-22T21:51:21", "2026-11-22T22:51:21");
    EXPECT_EQ(capacity(text, {"--json"}).json()["free"]["count"], 12);
    EXPECT_EQ(capacity(text, {"--json", "--time", "30"}).json()["free"]["count"], 16);
    EXPECT_EQ(capacity(text, {"--time", "soon"}).status, 2);
}

}  // namespace
}  // namespace nvl72block::cli
