// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/state/parse.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

const NodeTable table({"n01", "n02", "n03", "n04", "n05", "n06", "n07", "n08", "n09", "n10", "n11",
                       "n12", "n13", "n14", "n15", "n16"});

TEST(ParsePartitions, ReadsWhat2411Prints) {
    Notes notes;
    const auto partitions = parse_partitions(partitions_24, table, notes);
    ASSERT_EQ(partitions.size(), 2U);
    EXPECT_TRUE(partitions[0].is_default);
    EXPECT_FALSE(partitions[0].exclusive_node);
    EXPECT_FALSE(partitions[0].max_time);
    EXPECT_FALSE(partitions[0].max_nodes);
    EXPECT_EQ(partitions[0].nodes.count(), 16U);
    EXPECT_TRUE(partitions[1].exclusive_node);
    EXPECT_EQ(partitions[1].max_time, 3600);
    EXPECT_EQ(partitions[1].max_nodes, 4U);
    EXPECT_EQ(table.hostlist(partitions[1].nodes), "n[01-04]");
    EXPECT_TRUE(notes.remarks().empty());
}

TEST(ParsePartitions, ReadsExclusiveOf2605) {
    Notes notes;
    const auto partitions = parse_partitions(
        "PartitionName=a Exclusive=TOPO Nodes=n01 OverSubscribe=NO State=DOWN\n"
        "PartitionName=b Exclusive=NODE Nodes=n99 OverSubscribe=NO State=UP\n",
        table, notes);
    ASSERT_EQ(partitions.size(), 2U);
    EXPECT_TRUE(partitions[0].exclusive_topo);
    EXPECT_FALSE(partitions[0].up);
    EXPECT_TRUE(partitions[1].exclusive_node);
    EXPECT_EQ(notes.remarks(),
              std::vector<std::string>{"partition b has nodes that are not shown"});
}

TEST(ParseReservations, ReadsTimes) {
    Notes notes;
    const auto reservations = parse_reservations(
        "No reservations in the system\n" +
            reservation_line("maint", "n[01-04]", "2026-11-22T21:51:21", "2026-11-22T22:51:21"),
        table, notes);
    ASSERT_EQ(reservations.size(), 1U);
    EXPECT_EQ(reservations[0].nodes.count(), 4U);
    EXPECT_EQ(reservations[0].end - reservations[0].start, 3600);
    EXPECT_FALSE(reservations[0].active);
    EXPECT_TRUE(notes.remarks().empty());
}

}  // namespace
}  // namespace nvl72block::cli
