// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check/segment_advice.hpp"

#include <gmock/gmock.h>

namespace nvl72block::cli {
namespace {

constexpr std::uint32_t rack = 18;

TEST(SegmentAdvice, UsefulSegmentsAreLeftAlone) {
    EXPECT_FALSE(better_segment(38, 0, rack));  // none asked for
    EXPECT_FALSE(better_segment(16, 4, rack));  // what NVIDIA advises
    EXPECT_FALSE(better_segment(6, 1, rack));   // the same
    EXPECT_FALSE(better_segment(2, 2, rack));   // the whole job
    EXPECT_FALSE(better_segment(64, 16, rack));
    EXPECT_FALSE(better_segment(64, 2, 4));  // racks no larger than a useful segment
}

TEST(SegmentAdvice, AJobThatARackHoldsNeedsNoSegment) {
    const auto better = better_segment(12, 2, rack);
    ASSERT_TRUE(better);
    EXPECT_EQ(better->nodes, 12U);
    EXPECT_EQ(better->segment, 0U);
}

TEST(SegmentAdvice, ALargerJobGetsItsLargestDivisorOrAnotherSize) {
    EXPECT_EQ(better_segment(64, 2, rack)->segment, 16U);
    const auto other = better_segment(38, 2, rack);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->nodes, 36U);
    EXPECT_EQ(other->segment, 18U);
}

JobRecord job(std::uint32_t nodes, std::uint32_t segment) {
    JobRecord record;
    record.state = JobState::pending;
    record.partition = "gpu";
    record.min_nodes = nodes;
    record.segment_size = segment;
    return record;
}

TEST(SegmentAdvice, OneSegmentInJobsOfEverySizeLooksLikeADefault) {
    const std::vector<JobRecord> same = {job(6, 2), job(12, 2), job(38, 2)};
    const auto findings = segment_findings(same, rack);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().jobs, 3U);
    EXPECT_TRUE(findings.front().looks_like_default);
    EXPECT_EQ(
        sentence(findings.front()),
        "partition gpu: 3 jobs of up to 38 nodes with --segment=2 may be placed in pieces of 2 "
        "nodes; 38 nodes is divisible by no segment of 4 to 18 nodes, 36 nodes can have "
        "--segment=18; jobs of every size in this partition have this segment: if a job_submit "
        "or cli_filter plugin, or SBATCH_SEGMENT_SIZE, sets it, remove that default");
    std::vector<JobRecord> mixed = same;
    mixed.push_back(job(16, 0));
    EXPECT_FALSE(segment_findings(mixed, rack).front().looks_like_default);
}

TEST(SegmentAdvice, RangesAndEndedJobsAreNotJudged) {
    JobRecord ended = job(12, 2);
    ended.state = JobState::other;
    EXPECT_TRUE(segment_findings(std::vector<JobRecord>{ended}, rack).empty());
    JobRequest range;
    range.nodes = {12, 14};
    range.segment_size = 2;
    EXPECT_TRUE(segment_findings(std::vector<JobRequest>{range}, rack).empty());
    range.nodes = {12, 12};
    EXPECT_EQ(segment_findings(std::vector<JobRequest>{range}, rack).size(), 1U);
}

}  // namespace
}  // namespace nvl72block::cli
