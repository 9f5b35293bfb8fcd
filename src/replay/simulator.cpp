// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/simulator.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>
#include <utility>

namespace nvl72block::replay {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// Nodes that are not free during [begin, end): a running job's or a reserved job's.
struct Booking {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    NodeSet nodes;
};

bool ends_first(const Booking& left, const Booking& right) {
    return left.end < right.end;
}

/// What decides, between two changes of the state, whether a job can start: its shape, and how many
/// reservations it has to keep clear of (the earliest ones; so their number tells which).
struct Attempt {
    std::uint32_t nodes = 0;
    std::uint32_t segment = 0;
    std::size_t reservations_ahead = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 misreads what the compiler writes
    auto operator<=>(const Attempt&) const = default;
};

class Simulation {
  public:
    Simulation(const Topology& topology, const std::vector<Job>& jobs, const Strategy& strategy,
               const SimulationOptions& options, const Observer& observer)
        : topology_(topology),
          jobs_(jobs),
          strategy_(strategy),
          options_(options),
          observer_(observer),
          free_(options.in_service),
          outcomes_(jobs.size()) {}

    std::vector<JobOutcome> run() {
        while (arrived_ < jobs_.size() || !running_.empty()) {
            now_ = std::min(arrived_ < jobs_.size() ? jobs_[arrived_].submit : never,
                            running_.empty() ? never : running_.front().end);
            end_jobs();
            admit_jobs();
            schedule();
            report();
        }
        return std::move(outcomes_);
    }

  private:
    void end_jobs() {
        auto last = running_.begin();
        for (; last != running_.end() && last->end <= now_; ++last) free_.unite(last->nodes);
        running_.erase(running_.begin(), last);
    }

    /// A job that the empty cluster cannot hold is refused at once, as sbatch does.
    void admit_jobs() {
        for (; arrived_ < jobs_.size() && jobs_[arrived_].submit <= now_; ++arrived_) {
            outcomes_[arrived_].refused =
                !strategy_.choose(topology_, jobs_[arrived_], options_.in_service);
            if (outcomes_[arrived_].refused)
                ++started_;
            else
                queue_.push_back(arrived_);
        }
    }

    /// Starts what can start; the first jobs that cannot get reservations.
    void schedule() {
        reservations_.clear();
        failed_.clear();
        std::uint32_t looked_at = 0;
        for (auto next = queue_.begin(); next != queue_.end() && !free_.empty();) {
            if (++looked_at > options_.backfill_window) return;
            if (try_start(*next)) {
                next = queue_.erase(next);
                continue;
            }
            if (reservations_.size() < options_.reservations) reserve(*next);
            ++next;
        }
    }

    bool try_start(std::size_t index) {
        const Job& job = jobs_[index];
        if (free_.count() < job.nodes) return false;
        const Attempt attempt{job.nodes, job.segment, reservations_ahead(job)};
        if (failed_.contains(attempt)) return false;
        std::optional<Placement> placement =
            strategy_.choose(topology_, job, unreserved(free_, now_, job.duration));
        if (!placement) {
            failed_.insert(attempt);
            return false;
        }
        start(index, std::move(*placement));
        return true;
    }

    void start(std::size_t index, Placement placement) {
        free_.subtract(placement.nodes);
        Booking booking{now_, now_ + jobs_[index].duration, placement.nodes};
        running_.insert(std::upper_bound(running_.begin(), running_.end(), booking, ends_first),
                        std::move(booking));
        outcomes_[index].start = now_;
        outcomes_[index].placement = std::move(placement);
        ++started_;
        failed_.clear();
    }

    /// Reservations that the job would run into if it started now.
    [[nodiscard]] std::size_t reservations_ahead(const Job& job) const {
        return static_cast<std::size_t>(std::count_if(
            reservations_.begin(), reservations_.end(),
            [&](const Booking& booking) { return booking.begin < now_ + job.duration; }));
    }

    /// `nodes` without those reserved at some time in [begin, begin + duration).
    [[nodiscard]] NodeSet unreserved(NodeSet nodes, std::int64_t begin,
                                     std::int64_t duration) const {
        for (const Booking& reservation : reservations_)
            if (reservation.begin < begin + duration && begin < reservation.end)
                nodes.subtract(reservation.nodes);
        return nodes;
    }

    /// Books the earliest time at which the job fits, given what runs and is reserved now.
    void reserve(std::size_t index) {
        const Job& job = jobs_[index];
        NodeSet free = free_;
        auto running = running_.begin();
        for (const std::int64_t time : times_of_change()) {
            for (; running != running_.end() && running->end <= time; ++running)
                free.unite(running->nodes);
            if (free.count() < job.nodes) continue;
            const NodeSet usable = unreserved(free, time, job.duration);
            if (usable.count() < job.nodes) continue;
            const std::optional<Placement> placement = strategy_.choose(topology_, job, usable);
            if (!placement) continue;
            failed_.clear();
            reservations_.push_back({time, time + job.duration, placement->nodes});
            return;
        }
    }

    [[nodiscard]] std::vector<std::int64_t> times_of_change() const {
        std::vector<std::int64_t> times;
        for (const Booking& booking : running_) times.push_back(booking.end);
        for (const Booking& booking : reservations_) times.push_back(booking.end);
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        return times;
    }

    void report() const {
        if (observer_.moment) {
            Moment moment;
            moment.time = now_;
            moment.busy_nodes = options_.in_service.count() - free_.count();
            moment.waiting_jobs = static_cast<std::uint32_t>(queue_.size());
            moment.free = free_;
            observer_.moment(moment);
        }
        if (observer_.progress) observer_.progress(started_);
    }

    const Topology& topology_;
    const std::vector<Job>& jobs_;
    const Strategy& strategy_;
    const SimulationOptions& options_;
    const Observer& observer_;
    NodeSet free_;
    std::vector<JobOutcome> outcomes_;
    std::vector<Booking> running_;  // by end
    std::vector<Booking> reservations_;
    std::set<Attempt> failed_;  // in this pass, since the last start or reservation
    std::deque<std::size_t> queue_;
    std::size_t arrived_ = 0;
    std::size_t started_ = 0;
    std::int64_t now_ = 0;
};

}  // namespace

std::vector<JobOutcome> simulate(const Topology& topology, const std::vector<Job>& jobs,
                                 const Strategy& strategy, const SimulationOptions& options,
                                 const Observer& observer) {
    return Simulation(topology, jobs, strategy, options, observer).run();
}

}  // namespace nvl72block::replay
