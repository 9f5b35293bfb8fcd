// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload/workload.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "replay/workload/random.hpp"
#include "replay/workload/services.hpp"

namespace nvl72block::replay {
namespace {

/// The jobs of the trace on this cluster, without those that are larger than it.
std::vector<Job> fitted(const std::vector<TraceJob>& trace, const WorkloadOptions& options,
                        std::size_t& too_large) {
    std::vector<Job> jobs;
    for (const TraceJob& recorded : trace) {
        jobs.push_back(job_of(recorded, options));
        if (jobs.back().nodes <= options.cluster_nodes) continue;
        jobs.pop_back();
        ++too_large;
    }
    return jobs;
}

std::int64_t span(std::span<const Job> jobs) {
    return jobs.back().submit - jobs.front().submit;
}

/// Work that the jobs bring over what the cluster can do in `seconds`.
double offered_load(std::span<const Job> jobs, std::int64_t seconds, std::uint32_t cluster_nodes) {
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

/// How many jobs of the first source there are, with those that precede the measured part.
struct Counts {
    std::size_t all = 0;
    std::size_t warm = 0;
};

Counts counts(std::size_t recorded, const WorkloadOptions& options) {
    const double measured = 1 - options.warm;
    Counts counts;
    counts.all =
        options.jobs == 0
            ? recorded
            : static_cast<std::size_t>(std::llround(static_cast<double>(options.jobs) / measured));
    const auto warm = static_cast<std::size_t>(static_cast<double>(counts.all) * options.warm);
    counts.warm = options.jobs == 0 ? std::min(warm, counts.all - 1) : counts.all - options.jobs;
    return counts;
}

class Maker {
  public:
    explicit Maker(const WorkloadOptions& options) : options_(options), random_(options.seed) {}

    Workload make(const std::vector<Source>& sources) {
        set_rest(sources);
        for (const Source& source : sources) add(source);
        std::stable_sort(
            workload_.jobs.begin(), workload_.jobs.end(),
            [](const Job& left, const Job& right) { return left.submit < right.submit; });
        const auto measured = std::find_if(workload_.jobs.begin(), workload_.jobs.end(),
                                           [](const Job& job) { return job.submit >= 0; });
        workload_.warm = static_cast<std::size_t>(measured - workload_.jobs.begin());
        return std::move(workload_);
    }

  private:
    /// The load that a source without a share of its own brings.
    void set_rest(const std::vector<Source>& sources) {
        rest_ = options_.load;
        double parts = 0;
        for (const Source& source : sources) {
            rest_ -= source.share;
            if (source.share == 0) ++parts;
        }
        if (options_.load > 0 && parts > 0) rest_ = std::max(rest_, 0.0) / parts;
    }

    void add(const Source& source) {
        if (std::holds_alternative<Services>(source.jobs)) {
            add_services(source.share);
            return;
        }
        const std::vector<Job> jobs = fitted(recorded(source), options_, workload_.too_large);
        if (jobs.empty()) return;
        const double load = options_.load > 0 && source.share == 0 ? rest_ : source.share;
        if (!has_time_)
            add_first(jobs, load);
        else
            add_another(jobs, load);
    }

    [[nodiscard]] std::vector<TraceJob> recorded(const Source& source) {
        const auto* const figures = std::get_if<const LogFigures*>(&source.jobs);
        if (figures == nullptr) return std::get<std::vector<TraceJob>>(source.jobs);
        const std::size_t count = counts((*figures)->jobs, options_).all;
        return generate(**figures, std::max((*figures)->jobs, count), random_);
    }

    /// The jobs that set the time of all others.
    void add_first(const std::vector<Job>& trace, double load) {
        const Counts count = counts(trace.size(), options_);
        std::vector<Job> jobs;
        Rounds rounds(trace, random_);
        rounds.append_recorded(jobs);
        while (jobs.size() < count.all) rounds.append_shuffled(jobs);
        jobs.resize(count.all);
        const std::span measured = std::span(jobs).subspan(count.warm);
        const double offered = offered_load(measured, span(measured), options_.cluster_nodes);
        const double scale = scale_for(load, offered);
        const std::int64_t zero = scaled(measured.front().submit, scale);
        for (Job& job : jobs) job.submit = scaled(job.submit, scale) - zero;
        begin_ = jobs.front().submit;
        end_ = jobs.back().submit;
        has_time_ = true;
        append(jobs, scale, load > 0 ? load : offered);
    }

    /// Jobs from the beginning to the end of the first ones.
    void add_another(const std::vector<Job>& trace, double load) {
        const std::int64_t round = span(trace) + mean_gap(trace);
        const double offered = offered_load(trace, round, options_.cluster_nodes);
        const double scale = scale_for(load, offered);
        const double least =
            static_cast<double>(end_ - begin_) / (static_cast<double>(round) * scale);
        if (least * static_cast<double>(trace.size()) > max_workload_jobs && span(trace) > 0)
            throw TooManyJobs();
        Rounds rounds(trace, random_);
        std::vector<Job> jobs;
        do rounds.append_shuffled(jobs);
        while (scaled(jobs.back().submit, scale) <= end_ - begin_ && span(trace) > 0);
        for (Job& job : jobs) job.submit = begin_ + scaled(job.submit, scale);
        std::erase_if(jobs, [this](const Job& job) { return job.submit > end_; });
        append(jobs, scale, load > 0 ? load : offered);
    }

    void append(const std::vector<Job>& jobs, double scale, double load) {
        workload_.jobs.insert(workload_.jobs.end(), jobs.begin(), jobs.end());
        workload_.time_scale.push_back(scale);
        workload_.load += load;
    }

    void add_services(double share) {
        ServiceOptions services;
        services.nodes = share * options_.cluster_nodes;
        services.begin = begin_;
        services.end = end_;
        for (Job& job : make_services(services, options_.limits, random_)) {
            job.segment = options_.rule.segment(job.nodes);
            job.nodes = options_.rule.rounded(job.nodes);
            workload_.jobs.push_back(job);
        }
        workload_.load += share;
    }

    const WorkloadOptions& options_;
    Random random_;
    Workload workload_;
    double rest_ = 0;
    std::int64_t begin_ = 0;
    std::int64_t end_ = 0;
    bool has_time_ = false;
};

}  // namespace

std::uint32_t recorded_nodes(const TraceJob& recorded, const WorkloadOptions& options) {
    return std::max(recorded.nodes,
                    (recorded.gpus + options.gpus_per_node - 1) / options.gpus_per_node);
}

Job job_of(const TraceJob& recorded, const WorkloadOptions& options) {
    Job job;
    job.submit = recorded.arrival;
    job.duration = recorded.duration;
    job.time_limit = time_limit(options.limits, recorded.duration, recorded.time_limit);
    const std::uint32_t nodes = recorded_nodes(recorded, options);
    job.segment = recorded.segment.value_or(options.rule.segment(nodes));
    job.nodes = rounded_to(job.segment, nodes);
    return job;
}

Workload make_workload(const std::vector<Source>& sources, const WorkloadOptions& options) {
    return Maker(options).make(sources);
}

}  // namespace nvl72block::replay
