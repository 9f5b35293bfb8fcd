// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload/generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>

#include "../racks.hpp"
#include "replay/figures/metrics.hpp"
#include "replay/workload/workload.hpp"
#include "text/seconds.hpp"

namespace nvl72block::replay {
namespace {

std::vector<TraceJob> generated(const LogFigures& figures, std::size_t count) {
    Random random(1);
    return generate(figures, count, random);
}

TEST(Generator, MakesAsManyJobsAsAskedByArrival) {
    for (const LogFigures* figures :
         {&llm_figures(), &small_figures(), &capability_figures(), &inference_figures()}) {
        const std::vector<TraceJob> jobs = generated(*figures, 3000);
        ASSERT_EQ(jobs.size(), 3000U);
        EXPECT_EQ(jobs.front().arrival, 0);
        EXPECT_TRUE(std::is_sorted(jobs.begin(), jobs.end(),
                                   [](const TraceJob& left, const TraceJob& right) {
                                       return left.arrival < right.arrival;
                                   }));
        for (const TraceJob& job : jobs) {
            EXPECT_GE(job.duration, 1);
            EXPECT_GE(job.gpus, 1U);
        }
        EXPECT_TRUE(generated(*figures, 0).empty());
    }
}

TEST(Generator, FollowsTheSeed) {
    Random one(7), again(7), other(8);
    const auto duration = [](Random& random) {
        return generate(small_figures(), 20, random).back().duration;
    };
    const std::int64_t first = duration(one);
    EXPECT_EQ(duration(again), first);
    EXPECT_NE(duration(other), first);
}

TEST(Generator, FiguresAscend) {
    for (const LogFigures* figures :
         {&llm_figures(), &small_figures(), &capability_figures(), &inference_figures()}) {
        EXPECT_TRUE(std::is_sorted(figures->jobs_per_day.begin(), figures->jobs_per_day.end()));
        for (const SizeClass& each : figures->classes) {
            EXPECT_TRUE(std::is_sorted(each.seconds.begin(), each.seconds.end()));
            EXPECT_FALSE(each.sizes.empty());
        }
    }
}

/// Jobs of `least` to `most` nodes.
struct Drawn {
    double jobs = 0;    // share
    double work = 0;    // share of the node time
    double median = 0;  // hours
    double percentile_90 = 0;
};

Drawn drawn(const std::vector<TraceJob>& jobs, std::uint32_t least, std::uint32_t most) {
    std::vector<double> hours;
    double all = 0, work = 0;
    for (const TraceJob& job : jobs) {
        const double each = job.gpus / 4.0 * static_cast<double>(job.duration);
        all += each;
        if (job.gpus < 4 * least || job.gpus > 4 * most) continue;
        work += each;
        hours.push_back(static_cast<double>(job.duration) / 3600);
    }
    std::ranges::sort(hours);
    return {static_cast<double>(hours.size()) / static_cast<double>(jobs.size()), work / all,
            hours[hours.size() / 2], hours[hours.size() * 9 / 10]};
}

// The table of the log, which the figures are from.
TEST(Generator, CapabilityHasTheSizesAndDurationsOfItsLog) {
    struct Row {
        std::uint32_t least, most;
        double jobs, work, median, percentile_90;  // percent, hours; 0: not known
    };
    const Row rows[] = {{16, 16, 56, 7, 0.8, 3},     {17, 31, 4, 1, 0, 0},
                        {32, 32, 18, 10, 1, 6},      {33, 63, 4, 5, 2.5, 9},
                        {64, 64, 4, 5, 1, 7.2},      {65, 127, 6, 19, 2.3, 12},
                        {128, 128, 5, 26, 1, 24},    {129, 255, 1, 10, 0, 0},
                        {256, 256, 0.6, 9, 4.8, 24}, {257, 506, 0.8, 9, 1.8, 13}};
    const std::vector<TraceJob> jobs = generated(capability_figures(), 23900);
    for (const Row& row : rows) {
        const Drawn found = drawn(jobs, row.least, row.most);
        EXPECT_NEAR(100 * found.jobs, row.jobs, 0.5) << row.least;
        EXPECT_NEAR(100 * found.work, row.work, 2.5) << row.least;
        if (row.median == 0) continue;
        EXPECT_NEAR(found.median / row.median, 1, 0.1) << row.least;
        EXPECT_NEAR(found.percentile_90 / row.percentile_90, 1, 0.1) << row.least;
    }
    EXPECT_EQ(drawn(jobs, 16, 506).jobs, 1);
    double use = 0;
    for (const TraceJob& job : jobs) {
        EXPECT_GE(job.time_limit, job.duration);
        use += static_cast<double>(job.duration) / static_cast<double>(job.time_limit);
    }
    EXPECT_NEAR(use / static_cast<double>(jobs.size()), 0.6, 0.01);
}

TEST(Generator, InferenceHasTheSizesOfTheRecipesInOneSegment) {
    const std::vector<TraceJob> jobs = generated(inference_figures(), 20000);
    EXPECT_NEAR(drawn(jobs, 1, 5).jobs, 0.41, 0.005);
    EXPECT_NEAR(drawn(jobs, 1, 9).jobs, 0.81, 0.005);
    EXPECT_NEAR(drawn(jobs, 1, 13).jobs, 0.93, 0.005);
    EXPECT_NEAR(drawn(jobs, 9, 9).jobs, 142.0 / 878, 0.005);
    EXPECT_NEAR(drawn(jobs, 6, 6).jobs, 125.0 / 878, 0.005);
    EXPECT_NEAR(drawn(jobs, 5, 5).jobs, 117.0 / 878, 0.005);
    const Drawn all = drawn(jobs, 1, 18);
    EXPECT_EQ(all.jobs, 1);
    EXPECT_NEAR(all.median, 72, 4);
    EXPECT_NEAR(all.percentile_90, 240, 15);
    for (const TraceJob& job : jobs) EXPECT_EQ(job.segment, job.gpus / 4);
}

/// A generator beside the log that its figures are from. The logs are not part of the project:
/// these tests run where the environment variable NVL72BLOCK_TRACES names the folder with them.
class GeneratorAndLog : public testing::TestWithParam<bool> {
  protected:
    void SetUp() override {
        const char* const folder = std::getenv("NVL72BLOCK_TRACES");
        if (folder == nullptr) GTEST_SKIP() << "NVL72BLOCK_TRACES names no folder with the logs";
        const std::string file =
            std::string(folder) + (llm() ? "/kalos_converted.csv" : "/philly_adaptdl.csv");
        std::ifstream stream(file);
        if (!stream) GTEST_SKIP() << file << " cannot be read";
        log_ = read_trace(stream, file).jobs;
        constexpr std::size_t many = 100000;
        generated_ = generated(figures(), many);
    }

    static bool llm() { return GetParam(); }
    static const LogFigures& figures() { return llm() ? llm_figures() : small_figures(); }

    std::vector<TraceJob> log_;
    std::vector<TraceJob> generated_;
};

std::map<std::uint32_t, double> size_shares(const std::vector<TraceJob>& jobs) {
    std::map<std::uint32_t, double> shares;
    for (const TraceJob& job : jobs) shares[job.gpus] += 1.0 / static_cast<double>(jobs.size());
    return shares;
}

TEST_P(GeneratorAndLog, SizesHaveTheSameShares) {
    const auto log = size_shares(log_);
    auto shares = size_shares(generated_);
    for (const auto& [gpus, share] : log) EXPECT_NEAR(shares[gpus], share, 0.005) << gpus;
    for (const auto& [gpus, share] : shares) EXPECT_TRUE(log.contains(gpus)) << gpus;
}

/// Seconds, ascending, of jobs of these sizes.
std::vector<double> durations(const std::vector<TraceJob>& jobs, const SizeClass& of) {
    std::vector<double> found;
    for (const TraceJob& job : jobs)
        if (std::any_of(of.sizes.begin(), of.sizes.end(),
                        [&](const SizeClass::Size& size) { return size.gpus == job.gpus; }))
            found.push_back(static_cast<double>(job.duration));
    std::sort(found.begin(), found.end());
    return found;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// A quantile of the generated jobs lies between those of the log a little below and above it, for
/// a class of few jobs has steps.
TEST_P(GeneratorAndLog, DurationsHaveTheSameQuantiles) {
    for (const SizeClass& each : figures().classes) {
        const std::vector<double> log = durations(log_, each);
        const std::vector<double> made = durations(generated_, each);
        for (const double share : {0.1, 0.25, 0.5, 0.75, 0.9, 0.95}) {
            const double got = percentile(made, share);
            const double least = percentile(log, share - 0.05);
            const double most = percentile(log, std::min(share + 0.05, 1.0));
            EXPECT_GE(got, 0.9 * least) << each.sizes.front().gpus << " GPUs, " << share;
            EXPECT_LE(got, 1.1 * most) << each.sizes.front().gpus << " GPUs, " << share;
        }
        EXPECT_NEAR(mean(made) / mean(log), 1, 0.2) << each.sizes.front().gpus << " GPUs";
    }
}

double gpu_days_per_day(const std::vector<TraceJob>& jobs) {
    double work = 0;
    for (const TraceJob& job : jobs)
        work += static_cast<double>(job.gpus) * static_cast<double>(job.duration);
    return work / static_cast<double>(jobs.back().arrival);
}

TEST_P(GeneratorAndLog, TheWorkPerDayIsTheSame) {
    EXPECT_NEAR(gpu_days_per_day(generated_) / gpu_days_per_day(log_), 1, 0.1);
}

/// Variance of the number of jobs per day over its mean: 1 if jobs came independently.
double dispersion(const std::vector<TraceJob>& jobs) {
    std::vector<double> days(static_cast<std::size_t>(jobs.back().arrival / day) + 1);
    for (const TraceJob& job : jobs) ++days[static_cast<std::size_t>(job.arrival / day)];
    const double usual = mean(days);
    double squares = 0;
    for (const double count : days) squares += (count - usual) * (count - usual);
    return squares / static_cast<double>(days.size()) / usual;
}

/// The generated days begin anywhere in the day, which levels them a little.
TEST_P(GeneratorAndLog, DaysDifferAsMuch) {
    EXPECT_NEAR(dispersion(generated_) / dispersion(log_), 1, 0.5);
}

/// Mean waits in seconds over some runs on 32 racks.
struct Waits {
    double large = 0;
    double all = 0;
};

Waits waits(const Source& source, std::size_t jobs) {
    constexpr int runs = 16;
    const Topology topology = racks(32, 18);
    SimulationOptions simulation;
    simulation.in_service = idle_nodes(topology, std::vector<std::uint32_t>(32, 18));
    Waits sum;
    for (int run = 1; run <= runs; ++run) {
        WorkloadOptions options;
        options.cluster_nodes = 32 * 18;
        options.load = 0.7;
        options.jobs = jobs;
        options.seed = static_cast<std::uint64_t>(run);
        options.rule = SegmentRule::parse("nvidia").value();
        // A third of the jobs only deals the log's jobs out anew before the measured part.
        options.warm = 1.0 / 3;
        const Workload workload = make_workload({source}, options);
        const Metrics metrics =
            measure(topology, workload.jobs, *make_strategy("stock-24.11"), simulation, {});
        sum.large += metrics.wait_large / runs;
        sum.all += metrics.wait_all / runs;
    }
    return sum;
}

TEST_P(GeneratorAndLog, JobsWaitAsLong) {
    if (!llm()) GTEST_SKIP() << "the small jobs wait for nothing unless large ones are beside them";
    constexpr std::size_t jobs = 1000;
    const Waits log = waits({log_}, jobs);
    const Waits made = waits({&figures()}, jobs);
    EXPECT_NEAR(made.large / log.large, 1, 0.25);
    EXPECT_NEAR(made.all / log.all, 1, 0.25);
}

INSTANTIATE_TEST_SUITE_P(Logs, GeneratorAndLog, testing::Bool(),
                         [](const auto& which) { return which.param ? "llm" : "small"; });

}  // namespace
}  // namespace nvl72block::replay
