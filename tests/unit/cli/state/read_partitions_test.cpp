// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "cli/state/readers.hpp"
#include "snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

const NodeTable table({"n01", "n02", "n03", "n04", "n05", "n06", "n07", "n08", "n09", "n10", "n11",
                       "n12", "n13", "n14", "n15", "n16"});

std::vector<PartitionRecord> read(const std::string& partitions, Notes& notes) {
    SnapshotText text;
    text.partitions = partitions;
    return read_partitions(text.document(), table, notes);
}

TEST(ReadPartitions, ReadsLimits) {
    Notes notes;
    const auto partitions = read(two_partitions, notes);
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

TEST(ReadPartitions, WholeBlocksAreWholeNodes) {
    Notes notes;
    const auto partitions = read(
        R"({"name":"a","nodes":"n01","exclusive_topo":true},{"name":"b","nodes":"n99","up":true},)",
        notes);
    ASSERT_EQ(partitions.size(), 2U);
    EXPECT_TRUE(partitions[0].exclusive_topo);
    EXPECT_TRUE(partitions[0].exclusive_node);
    EXPECT_FALSE(partitions[0].up);
    EXPECT_EQ(notes.remarks(),
              std::vector<std::string>{"partition b has nodes that are not shown"});
}

TEST(ReadPartitions, ReadsWhatIsOnlyNamed) {
    Notes notes;
    const auto partitions = read(
        R"({"name":"a","nodes":"n01","up":true,"closed":true,"preemptible":true,"max_memory_per_node":1,
"max_memory_per_cpu":2,"max_cpus_per_node":3,"max_cpus_per_socket":4,"default_cpus_per_gpu":5,
"default_memory_per_gpu":6},)",
        notes);
    ASSERT_EQ(partitions.size(), 1U);
    EXPECT_TRUE(partitions[0].closed && partitions[0].preemptible);
    EXPECT_EQ(partitions[0].max_memory_per_node, 1U);
    EXPECT_EQ(partitions[0].max_memory_per_cpu, 2U);
    EXPECT_EQ(partitions[0].max_cpus_per_node, 3U);
    EXPECT_EQ(partitions[0].max_cpus_per_socket, 4U);
    EXPECT_EQ(partitions[0].default_cpus_per_gpu, 5U);
    EXPECT_EQ(partitions[0].default_memory_per_gpu, 6U);
}

TEST(ReadPartitions, ReadsWhoseJobsTheyTake) {
    Notes notes;
    const auto partitions = read(
        R"({"name":"a","nodes":"n01","allow_groups":"g","allow_accounts":"a1,a2","allow_qos":"q","alloc_nodes":"login1",
"root_only":true,"needs_reservation":true},{"name":"b","nodes":"n01","deny_accounts":"a3","deny_qos":"r"},)",
        notes);
    ASSERT_EQ(partitions.size(), 2U);
    EXPECT_EQ(partitions[0].allow_groups, "g");
    EXPECT_EQ(partitions[0].allow_accounts, "a1,a2");
    EXPECT_EQ(partitions[0].allow_qos, "q");
    EXPECT_EQ(partitions[0].alloc_nodes, "login1");
    EXPECT_TRUE(partitions[0].root_only && partitions[0].needs_reservation);
    EXPECT_EQ(partitions[1].deny_accounts, "a3");
    EXPECT_EQ(partitions[1].deny_qos, "r");
    EXPECT_FALSE(partitions[1].root_only || partitions[1].needs_reservation);
}

TEST(ReadReservations, ReadsTheirKind) {
    Notes notes;
    SnapshotText text;
    text.reservations =
        record_line({{"name", "a"}, {"nodes", "n01"}, {"flex", true}, {"any_nodes", true}}) +
        record_line({{"name", "b"}, {"nodes", "n01"}, {"magnetic", true}, {"partial", true}}) +
        record_line({{"name", "c"}, {"nodes", "n01"}, {"maint", true}}) +
        record_line({{"name", "d"}, {"nodes", "n01"}, {"overlap", true}});
    const auto all = read_reservations(text.document(), table, notes);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_TRUE(all[2].maint && !all[2].overlap && !all[3].maint && all[3].overlap);
    EXPECT_TRUE(all[0].flex && all[0].any_nodes && !all[0].magnetic && !all[0].partial);
    EXPECT_TRUE(!all[1].flex && !all[1].any_nodes && all[1].magnetic && all[1].partial);
}

TEST(ReadReservations, ReadsNodesAndTimes) {
    Notes notes;
    SnapshotText text;
    text.reservations =
        reservation_line("maint", "n[01-04]", "2026-11-22T21:51:21", "2026-11-22T22:51:21");
    const auto reservations = read_reservations(text.document(), table, notes);
    ASSERT_EQ(reservations.size(), 1U);
    EXPECT_EQ(reservations[0].nodes.count(), 4U);
    EXPECT_EQ(reservations[0].end - reservations[0].start, 3600);
    EXPECT_EQ(time_text(reservations[0].start), "2026-11-22 21:51");
    EXPECT_TRUE(notes.remarks().empty());
}

}  // namespace
}  // namespace nvl72block::cli
