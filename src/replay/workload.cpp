// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "replay/random.hpp"

namespace nvl72block::replay {
namespace {

/// The jobs of the trace on this site, without those that are larger than it.
std::vector<Job> fitted(const std::vector<TraceJob>& trace, const WorkloadOptions& options,
                        std::size_t& too_large) {
    std::vector<Job> jobs;
    for (const TraceJob& recorded : trace) {
        const std::uint32_t nodes =
            (recorded.gpus + options.gpus_per_node - 1) / options.gpus_per_node;
        Job job{recorded.arrival, recorded.duration, options.rule.rounded(nodes),
                options.rule.segment(nodes)};
        if (job.nodes > options.site_nodes)
            ++too_large;
        else
            jobs.push_back(job);
    }
    return jobs;
}

std::int64_t span(const std::vector<Job>& jobs) {
    return jobs.back().submit - jobs.front().submit;
}

/// Appends another round of the trace: the same arrival times after the last one, other jobs.
void append_round(const std::vector<Job>& trace, Random& random, std::vector<Job>& jobs) {
    std::vector<std::size_t> order(trace.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(order);
    const std::int64_t gap =
        std::max<std::int64_t>(1, span(trace) / static_cast<std::int64_t>(trace.size()));
    const std::int64_t shift = jobs.back().submit + gap - trace.front().submit;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        Job job = trace[order[i]];
        job.submit = trace[i].submit + shift;
        jobs.push_back(job);
    }
}

double offered_load(const std::vector<Job>& jobs, std::uint32_t site_nodes) {
    double work = 0;
    for (const Job& job : jobs)
        work += static_cast<double>(job.nodes) * static_cast<double>(job.duration);
    return work / (static_cast<double>(std::max<std::int64_t>(1, span(jobs))) * site_nodes);
}

}  // namespace

Workload make_workload(const std::vector<TraceJob>& trace, const WorkloadOptions& options) {
    Workload workload;
    const std::vector<Job> once = fitted(trace, options, workload.too_large);
    if (once.empty()) return workload;
    workload.jobs = once;
    const std::size_t wanted = options.jobs != 0 ? options.jobs : once.size();
    Random random(options.seed);
    while (workload.jobs.size() < wanted) append_round(once, random, workload.jobs);
    workload.jobs.resize(wanted);

    const std::int64_t first = workload.jobs.front().submit;
    workload.load = offered_load(workload.jobs, options.site_nodes);
    if (options.load > 0) workload.time_scale = workload.load / options.load;
    for (Job& job : workload.jobs)
        job.submit = std::llround(static_cast<double>(job.submit - first) * workload.time_scale);
    workload.load = offered_load(workload.jobs, options.site_nodes);
    return workload;
}

}  // namespace nvl72block::replay
