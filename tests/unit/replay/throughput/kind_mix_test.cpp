// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/throughput/kind_mix.hpp"

#include <gmock/gmock.h>

#include <map>

namespace nvl72block::replay {
namespace {

using throughput::JobKind;

std::map<JobKind, double> shares(const char* text, std::uint64_t seed = 1) {
    std::string error;
    const std::optional<KindMix> mix = KindMix::parse(text, error);
    EXPECT_TRUE(mix) << error;
    std::map<JobKind, double> found;
    constexpr std::size_t jobs = 20000;
    for (std::size_t i = 0; i < jobs; ++i) found[mix->of(seed, i)] += 1.0 / jobs;
    return found;
}

TEST(KindMix, DealsJobsByTheShares) {
    const auto found = shares("fully-sharded:0.5,pipeline:0.2,data-parallel,expert-parallel");
    EXPECT_NEAR(found.at(JobKind::fully_sharded), 0.5, 0.02);
    EXPECT_NEAR(found.at(JobKind::pipeline), 0.2, 0.02);
    EXPECT_NEAR(found.at(JobKind::data_parallel), 0.15, 0.02);
    EXPECT_NEAR(found.at(JobKind::expert_parallel), 0.15, 0.02);
    EXPECT_EQ(shares("pipeline").size(), 1U);
}

TEST(KindMix, AJobHasOneKindPerSeed) {
    std::string error;
    const auto mix = KindMix::parse("fully-sharded,pipeline", error);
    int different = 0;
    for (std::size_t i = 0; i < 100; ++i) {
        EXPECT_EQ(mix->of(7, i), mix->of(7, i));
        if (mix->of(7, i) != mix->of(8, i)) ++different;
    }
    EXPECT_GT(different, 20);
}

TEST(KindMix, RefusesWhatIsNoMix) {
    const auto error_of = [](const char* text) {
        std::string error;
        EXPECT_FALSE(KindMix::parse(text, error)) << text;
        return error;
    };
    EXPECT_THAT(error_of("moe"),
                testing::HasSubstr("\"moe\" is not a kind of job; write one of data-parallel,"));
    EXPECT_THAT(error_of(""), testing::HasSubstr("\"\" is not a kind"));
    EXPECT_THAT(error_of("pipeline:x"), testing::HasSubstr("\"x\" is not a share"));
    EXPECT_THAT(error_of("pipeline:0"), testing::HasSubstr("\"0\" is not a share"));
    EXPECT_EQ(error_of("pipeline:0.5"), "the shares add up to 0.5; write shares that add up to 1");
    EXPECT_EQ(
        error_of("pipeline:1,data-parallel"),
        "the shares add up to 1 and leave nothing for the others; write shares that add up to 1");
    EXPECT_THAT(error_of("pipeline:0.7,data-parallel:0.7"), testing::HasSubstr("add up to 1.4"));
}

}  // namespace
}  // namespace nvl72block::replay
