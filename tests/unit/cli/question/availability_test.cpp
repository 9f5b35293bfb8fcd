// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/availability.hpp"

#include <sstream>

#include "../state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

class AvailabilityTest : public testing::Test {
  protected:
    ClusterState read(const SnapshotText& text) {
        return read_state({text.write(folder_), ""}, notes_);
    }

    Folder folder_;
    std::ostringstream notes_;
};

TEST_F(AvailabilityTest, EveryNodeIsInOneSet) {
    SnapshotText text("##..x...........");
    text.reservations =
        reservation_line("soon", "n[09-12]", "2026-11-22T21:51:21", "2026-11-22T22:51:21");
    const ClusterState state = read(text);
    Viewer viewer;
    viewer.partition = &state.partition("main");
    const Availability nodes = availability(state, viewer);
    EXPECT_EQ(nodes.free.count(), 9U);
    EXPECT_EQ(nodes.busy.count(), 2U);
    EXPECT_EQ(nodes.drained.count(), 1U);
    EXPECT_EQ(nodes.reserved.count(), 4U);
    viewer.duration = 1800;  // it ends before the reservation begins
    EXPECT_EQ(availability(state, viewer).reserved.count(), 0U);
    viewer.reservation = "soon";
    EXPECT_EQ(availability(state, viewer).free.count(), 0U) << "it has not begun";
    EXPECT_TRUE(reserved_nodes(state, viewer, state.reservations.front().start).empty());
}

TEST_F(AvailabilityTest, AReservationsOwnJobsSeeItsNodesAlone) {
    SnapshotText text;
    text.reservations =
        reservation_line("now", "n[09-12]", "2026-11-22T20:00:00", "2026-11-22T22:51:21");
    const ClusterState state = read(text);
    Viewer viewer;
    viewer.partition = &state.partition("main");
    EXPECT_EQ(visible_nodes(state, viewer).count(), 16U);
    viewer.reservation = "now";
    EXPECT_EQ(visible_nodes(state, viewer).count(), 4U);
    EXPECT_EQ(availability(state, viewer).free.count(), 4U);
    viewer.partition = &state.partition("debug");  // n[01-04]
    EXPECT_EQ(visible_nodes(state, viewer).count(), 0U);
}

/// FLEX binds its jobs to neither nodes nor times, ANY_NODES not to nodes.
TEST_F(AvailabilityTest, SomeReservationsDoNotBindTheirJobs) {
    const auto free = [&](const char* flag, const char* start) {
        SnapshotText text;
        text.reservations = record_line({{"name", "own"},
                                         {"nodes", "n[09-12]"},
                                         {"start", time_of(start)},
                                         {"end", time_of("2026-11-22T22:51:21")},
                                         {flag, true}});
        const ClusterState state = read(text);
        Viewer viewer;
        viewer.partition = &state.partition("main");
        viewer.reservation = "own";
        return availability(state, viewer).free.count();
    };
    const char* before = "2026-11-22T20:00:00";
    const char* later = "2026-11-22T21:51:21";
    EXPECT_EQ(free("flex", before), 16U);
    EXPECT_EQ(free("flex", later), 16U);
    EXPECT_EQ(free("any_nodes", before), 16U);
    EXPECT_EQ(free("any_nodes", later), 0U);
    EXPECT_EQ(free("partial", before), 4U);
}

/// Others that overlap with it kept a job from its own nodes.
TEST_F(AvailabilityTest, SomeReservationsMayUseTheNodesOfOthers) {
    const auto free = [&](const char* flag, const char* flag_of_other) {
        const auto line = [](const char* name, const char* nodes, const char* with) {
            return record_line({{"name", name},
                                {"nodes", nodes},
                                {"start", time_of("2026-11-22T20:00:00")},
                                {"end", time_of("2026-11-22T22:51:21")},
                                {with, true}});
        };
        SnapshotText text;
        text.reservations =
            line("own", "n[09-12]", flag) + line("other", "n[11-14]", flag_of_other);
        const ClusterState state = read(text);
        Viewer viewer;
        viewer.partition = &state.partition("main");
        viewer.reservation = "own";
        return availability(state, viewer).free.count();
    };
    EXPECT_EQ(free("none", "none"), 2U);
    EXPECT_EQ(free("none", "maint"), 2U);
    EXPECT_EQ(free("overlap", "none"), 4U);
    EXPECT_EQ(free("overlap", "maint"), 2U);
    EXPECT_EQ(free("maint", "none"), 4U);
    EXPECT_EQ(free("maint", "maint"), 4U);
}

TEST_F(AvailabilityTest, ForeignNodesHaveAJobOrAReservation) {
    SnapshotText text("##..x...........");
    text.reservations =
        reservation_line("now", "n[09-12]", "2026-11-22T20:00:00", "2026-11-22T22:51:21");
    const ClusterState state = read(text);
    Viewer viewer;
    EXPECT_EQ(foreign_nodes(state, viewer).count(), 6U);
    viewer.reservation = "now";
    EXPECT_EQ(foreign_nodes(state, viewer).count(), 2U);
}

}  // namespace
}  // namespace nvl72block::cli
