// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "replay/random.hpp"

namespace nvl72block::replay {
namespace {

/// The jobs of the trace on this cluster, without those that are larger than it.
std::vector<Job> fitted(const std::vector<TraceJob>& trace, const WorkloadOptions& options,
                        std::size_t& too_large) {
    std::vector<Job> jobs;
    for (const TraceJob& recorded : trace) {
        const std::uint32_t nodes =
            (recorded.gpus + options.gpus_per_node - 1) / options.gpus_per_node;
        Job job{recorded.arrival, recorded.duration, options.rule.rounded(nodes),
                options.rule.segment(nodes)};
        if (job.nodes > options.cluster_nodes)
            ++too_large;
        else
            jobs.push_back(job);
    }
    return jobs;
}

std::int64_t span(const std::vector<Job>& jobs) {
    return jobs.back().submit - jobs.front().submit;
}

/// Work that the jobs bring over what the cluster can do in `seconds`.
double offered_load(const std::vector<Job>& jobs, std::int64_t seconds,
                    std::uint32_t cluster_nodes) {
    double work = 0;
    for (const Job& job : jobs)
        work += static_cast<double>(job.nodes) * static_cast<double>(job.duration);
    return work / (static_cast<double>(std::max<std::int64_t>(1, seconds)) * cluster_nodes);
}

/// The usual time between two arrivals, which stands between two rounds of a trace.
std::int64_t mean_gap(const std::vector<Job>& trace) {
    return std::max<std::int64_t>(1, span(trace) / static_cast<std::int64_t>(trace.size()));
}

/// The jobs of one trace, round after round.
class Rounds {
  public:
    Rounds(const std::vector<Job>& trace, Random& random) : trace_(trace), random_(random) {}

    /// The first round as recorded.
    void append_recorded(std::vector<Job>& jobs) {
        for (Job job : trace_) {
            job.submit -= trace_.front().submit;
            jobs.push_back(job);
        }
    }

    /// A round with the recorded arrival times, after those in `jobs`, and the jobs dealt out anew.
    void append_shuffled(std::vector<Job>& jobs) {
        std::vector<std::size_t> order(trace_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        random_.shuffle(order);
        const std::int64_t begin = jobs.empty() ? 0 : jobs.back().submit + mean_gap(trace_);
        for (std::size_t i = 0; i < trace_.size(); ++i) {
            Job job = trace_[order[i]];
            job.submit = trace_[i].submit - trace_.front().submit + begin;
            jobs.push_back(job);
        }
    }

  private:
    const std::vector<Job>& trace_;
    Random& random_;
};

/// The factor on arrival times that turns the load `recorded` into the one asked for.
double scale_for(double load, double recorded) {
    return load > 0 ? recorded / load : 1;
}

std::int64_t scaled(std::int64_t time, double scale) {
    return std::llround(static_cast<double>(time) * scale);
}

/// The trace that sets the number of jobs and so the length of the replay.
void add_first_trace(const std::vector<Job>& trace, const WorkloadOptions& options, double load,
                     Random& random, Workload& workload) {
    const std::size_t wanted = options.jobs != 0 ? options.jobs : trace.size();
    Rounds rounds(trace, random);
    rounds.append_recorded(workload.jobs);
    while (workload.jobs.size() < wanted) rounds.append_shuffled(workload.jobs);
    workload.jobs.resize(wanted);
    const double scale =
        scale_for(load, offered_load(workload.jobs, span(workload.jobs), options.cluster_nodes));
    for (Job& job : workload.jobs) job.submit = scaled(job.submit, scale);
    workload.time_scale.push_back(scale);
}

/// Another trace, until time `end`.
void add_trace(const std::vector<Job>& trace, const WorkloadOptions& options, double load,
               std::int64_t end, Random& random, Workload& workload) {
    const double scale =
        scale_for(load, offered_load(trace, span(trace) + mean_gap(trace), options.cluster_nodes));
    Rounds rounds(trace, random);
    std::vector<Job> jobs;
    do rounds.append_shuffled(jobs);
    while (scaled(jobs.back().submit, scale) <= end && span(trace) > 0);
    for (Job& job : jobs) {
        job.submit = scaled(job.submit, scale);
        if (job.submit <= end) workload.jobs.push_back(job);
    }
    workload.time_scale.push_back(scale);
}

}  // namespace

Workload make_workload(const std::vector<std::vector<TraceJob>>& traces,
                       const WorkloadOptions& options) {
    Workload workload;
    Random random(options.seed);
    const double load = options.load / static_cast<double>(traces.size());
    std::int64_t end = 0;
    for (const std::vector<TraceJob>& trace : traces) {
        const std::vector<Job> jobs = fitted(trace, options, workload.too_large);
        if (jobs.empty()) continue;
        if (workload.jobs.empty()) {
            add_first_trace(jobs, options, load, random, workload);
            end = workload.jobs.back().submit;
        } else {
            add_trace(jobs, options, load, end, random, workload);
        }
    }
    std::stable_sort(workload.jobs.begin(), workload.jobs.end(),
                     [](const Job& left, const Job& right) { return left.submit < right.submit; });
    if (!workload.jobs.empty())
        workload.load = offered_load(workload.jobs, span(workload.jobs), options.cluster_nodes);
    return workload;
}

}  // namespace nvl72block::replay
