// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/history/log_history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace nvl72block::replay {
namespace {

/// Sums over the jobs of one size.
struct Sums {
    std::size_t jobs = 0;
    double work = 0;     // node-seconds
    double squares = 0;  // of the node-seconds of each job
    double recent = 0;
};

class Log {
  public:
    explicit Log(std::int64_t end) : end_(end) {}

    void add(std::uint32_t slot, const DemandHistory::Run& run) {
        const double work = run.nodes * static_cast<double>(run.end - run.begin);
        Sums& sums = sizes_[slot];
        ++sums.jobs;
        sums.work += work;
        sums.squares += work * work;
        sums.recent += DemandHistory().amount_of(run, end_);
        work_ += work;
        squares_ += work * work;
    }

    [[nodiscard]] double work() const { return work_; }

    [[nodiscard]] std::vector<SizeInLog> sizes() const {
        std::vector<SizeInLog> sizes;
        for (const auto& [nodes, sums] : sizes_) {
            SizeInLog size{nodes, sums.jobs, sums.work, sums.work / work_, 0, sums.recent};
            size.standard_error = error(sums, size.share);
            sizes.push_back(size);
        }
        std::ranges::stable_sort(sizes, std::greater<>(), &SizeInLog::share);
        return sizes;
    }

    /// Sizes above those that a history tells apart are its smallest.
    [[nodiscard]] DemandHistory history() const {
        std::vector<DemandHistory::Entry> entries;
        for (const auto& [nodes, sums] : sizes_) entries.push_back({nodes, sums.recent});
        DemandHistory history;
        history.restore(end_, entries);
        return history;
    }

  private:
    /// Of a ratio of sums over jobs: each job adds its work times how far the share is from the
    /// job's own, which is 1 for a job of this size and 0 for the others.
    [[nodiscard]] double error(const Sums& sums, double share) const {
        const double own = (1 - share) * (1 - share) * sums.squares;
        return std::sqrt(own + share * share * (squares_ - sums.squares)) / work_;
    }

    std::int64_t end_;
    std::map<std::uint32_t, Sums> sizes_;  // by nodes per slot
    double work_ = 0;
    double squares_ = 0;
};

std::int64_t start_of(const TraceJob& job) {
    return job.arrival + job.wait;
}

}  // namespace

LogHistory history_of(const std::vector<TraceJob>& jobs, const WorkloadOptions& options) {
    LogHistory known;
    known.begin = std::numeric_limits<std::int64_t>::max();
    known.end = std::numeric_limits<std::int64_t>::min();
    for (const TraceJob& job : jobs) {
        known.begin = std::min(known.begin, start_of(job));
        known.end = std::max(known.end, start_of(job) + job.duration);
    }
    Log log(known.end);
    for (const TraceJob& recorded : jobs) {
        Job job = job_of(recorded, options);
        job.nodes = recorded_nodes(recorded, options);  // not those of whole segments
        const std::int64_t start = start_of(recorded);
        log.add(job.slot_nodes(), {job.nodes, start, start + recorded.duration});
    }
    known.history = log.history();
    known.sizes = log.sizes();
    known.jobs = jobs.size();
    known.node_seconds = log.work();
    return known;
}

}  // namespace nvl72block::replay
