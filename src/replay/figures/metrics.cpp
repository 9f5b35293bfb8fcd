// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/figures/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "nvl72block/fragmentation.hpp"
#include "replay/figures/time_series.hpp"
#include "replay/simulation/rule_check.hpp"
#include "throughput/fabric.hpp"

namespace nvl72block::replay {
namespace {

constexpr std::size_t series_slices = 160;

double mean(const std::vector<double>& values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool all_segments_whole(const Topology& topology, const Placement& placement) {
    const std::span nodes(placement.segment_nodes);
    for (std::size_t i = 0; i + 1 < placement.segment_begin.size(); ++i) {
        const std::uint32_t begin = placement.segment_begin[i];
        const std::uint32_t end = placement.segment_begin[i + 1];
        if (!obeys_plain_rule(topology, nodes.subspan(begin, end - begin))) return false;
    }
    return true;
}

/// GPU hours that the job held and that are no work.
double lost_gpu_hours(const Job& job, const Run& run) {
    return job.nodes * throughput::gpus_per_node * static_cast<double>(run.seconds) *
           (1 - run.useful) / seconds_an_hour;
}

void measure_run(const Job& job, const JobOutcome& outcome, Metrics& metrics,
                 std::vector<double>& turnarounds) {
    metrics.lost_gpu_hours += lost_gpu_hours(job, outcome.run);
    if (outcome.run.torn) ++metrics.torn_jobs;
    if (outcome.run.failed)
        ++metrics.failed_jobs;
    else if (job.nodes >= large_job_nodes)
        turnarounds.push_back(
            static_cast<double>(outcome.start + outcome.run.seconds - job.submit));
}

/// Free nodes in base blocks that have all their planned nodes free.
std::uint32_t free_in_whole_blocks(const Topology& topology, NodeSetView free) {
    std::uint32_t nodes = 0;
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        const std::uint32_t count = topology.count(block, free);
        if (count >= topology.planning_size()) nodes += count;
    }
    return nodes;
}

void measure_jobs(const Topology& topology, const std::vector<Job>& jobs,
                  const std::vector<JobOutcome>& outcomes, Metrics& metrics) {
    const std::uint32_t rack = std::max(topology.largest_block_nodes(), 1U);
    std::size_t whole = 0;
    std::vector<double> waits;
    std::vector<double> racks_over_least;
    std::vector<double> turnarounds;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const Job& job = jobs[i];
        const JobOutcome& outcome = outcomes[i];
        if (job.submit < 0) continue;
        ++metrics.jobs;
        if (outcome.refused) {
            ++metrics.refused;
            continue;
        }
        waits.push_back(static_cast<double>(outcome.start - job.submit));
        if (job.nodes >= large_job_nodes) metrics.large_waits.push_back(waits.back());
        measure_run(job, outcome, metrics, turnarounds);
        metrics.makespan = std::max(metrics.makespan, outcome.start + outcome.run.seconds);
        if (job.has_segments()) {
            ++metrics.segmented_jobs;
            if (all_segments_whole(topology, outcome.placement)) ++whole;
        }
        const std::uint32_t least = (job.nodes + rack - 1) / rack;
        if (job.nodes > 1)
            racks_over_least.push_back(static_cast<double>(outcome.placement.blocks.size()) /
                                       least);
    }
    std::sort(metrics.large_waits.begin(), metrics.large_waits.end());
    metrics.wait_all = mean(waits);
    metrics.turnaround_large = mean(turnarounds);
    metrics.wait_large = mean(metrics.large_waits);
    metrics.wait_large_p95 = percentile(metrics.large_waits, 0.95);
    if (!racks_over_least.empty()) metrics.racks_over_least = mean(racks_over_least);
    if (metrics.segmented_jobs != 0)
        metrics.segments_whole =
            static_cast<double>(whole) / static_cast<double>(metrics.segmented_jobs);
}

}  // namespace

double percentile(const std::vector<double>& ascending, double share) {
    if (ascending.empty()) return 0;
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(ascending.size())));
    return ascending[std::max<std::size_t>(rank, 1) - 1];
}

Metrics measure(const Topology& topology, const std::vector<Job>& jobs, Strategy& strategy,
                const SimulationOptions& options,
                const std::function<void(std::size_t started)>& progress) {
    Metrics metrics;
    metrics.strategy = strategy.name();
    const std::int64_t window = jobs.empty() ? 0 : jobs.back().submit;
    StepMean busy(window, series_slices);
    StepMean useful(window, series_slices);
    StepMean usable(window, series_slices);
    StepMean stock(window, series_slices);
    StepMean in_whole_racks(window, series_slices);
    const double nodes = std::max<std::uint32_t>(options.in_service.count(), 1);
    Observer observer;
    observer.progress = progress;
    observer.moment = [&](const Moment& moment) {
        if (moment.time < 0) return;
        busy.change(moment.time, moment.busy_nodes / nodes);
        useful.change(moment.time, moment.useful_nodes / nodes);
        usable.change(moment.time, fragmentation_usable(topology, moment.free));
        stock.change(moment.time, fragmentation_stock(topology, moment.free));
        in_whole_racks.change(moment.time, free_in_whole_blocks(topology, moment.free) / nodes);
    };
    measure_jobs(topology, jobs, simulate(topology, jobs, strategy, options, observer), metrics);
    metrics.occupancy = busy.mean();
    metrics.useful = useful.mean();
    metrics.fragmentation_usable = usable.mean();
    metrics.fragmentation_stock = stock.mean();
    if (metrics.occupancy < 1)
        metrics.free_in_whole_racks = in_whole_racks.mean() / (1 - metrics.occupancy);
    metrics.occupancy_series = busy.slices();
    metrics.fragmentation_series = usable.slices();
    return metrics;
}

}  // namespace nvl72block::replay
