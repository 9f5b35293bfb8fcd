// SPDX-License-Identifier: GPL-2.0-or-later
#include "throughput/job_kind.hpp"

#include <gtest/gtest.h>

namespace nvl72block::throughput {
namespace {

constexpr JobKind all_kinds[] = {JobKind::data_parallel, JobKind::fully_sharded,
                                 JobKind::hybrid_sharded, JobKind::expert_parallel,
                                 JobKind::pipeline};

Layout one_group(const Parts& parts) {
    return {parts, {parts}};
}

TEST(JobKind, NamesAreReadAsWritten) {
    for (const JobKind kind : all_kinds) EXPECT_EQ(parse_job_kind(to_string(kind)), kind);
    EXPECT_EQ(parse_job_kind("moe"), std::nullopt);
    EXPECT_EQ(job_kind_names(),
              "data-parallel, fully-sharded, hybrid-sharded, expert-parallel, pipeline");
}

TEST(JobKind, NoKindIsFasterWhenTorn) {
    for (const JobKind kind : all_kinds)
        EXPECT_GE(step_seconds(kind, gb200, one_group({32, 32})),
                  step_seconds(kind, gb200, one_group({64})))
            << to_string(kind);
}

/// What crosses: of sharded weights everything, of a pipeline the activations of one stage.
TEST(JobKind, ShardedJobsLoseMoreThanPipelines) {
    const auto loss = [](JobKind kind) {
        return 1 - step_seconds(kind, gb200, one_group({64})) /
                       step_seconds(kind, gb200, one_group({32, 32}));
    };
    EXPECT_GT(loss(JobKind::fully_sharded), 0.05);
    EXPECT_LT(loss(JobKind::data_parallel), 0.02);
    EXPECT_LT(loss(JobKind::pipeline), 0.02);
}

/// A group that one rack holds fetches no weights from others, however many racks the job has.
TEST(JobKind, HybridShardingPaysForItsTornGroupsOnly) {
    const Layout aligned{{64, 64}, {{64}, {64}}};
    const Layout torn{{64, 64}, {{32, 32}, {32, 32}}};
    EXPECT_LT(step_seconds(JobKind::hybrid_sharded, gb200, aligned),
              step_seconds(JobKind::fully_sharded, gb200, aligned));
    EXPECT_GT(step_seconds(JobKind::hybrid_sharded, gb200, torn),
              1.05 * step_seconds(JobKind::hybrid_sharded, gb200, aligned));
}

TEST(JobKind, OnlyExpertsDoNotRunTorn) {
    for (const JobKind kind : all_kinds)
        EXPECT_EQ(group_fails(kind), kind == JobKind::expert_parallel);
}

}  // namespace
}  // namespace nvl72block::throughput
