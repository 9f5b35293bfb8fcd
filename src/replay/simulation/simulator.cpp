// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/simulation/simulator.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>
#include <utility>

namespace nvl72block::replay {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t show_pause = 3600;

/// Nodes that a reserved job keeps from others during [begin, end).
struct Reservation {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    NodeSet nodes;
};

struct RunningJob {
    std::size_t job = 0;
    std::int64_t end = 0;
    std::int64_t planned_end = 0;  ///< by its time limit
    NodeSet nodes;
    double useful_nodes = 0;
};

bool ends_first(const RunningJob& left, const RunningJob& right) {
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
    Simulation(const Topology& topology, const std::vector<Job>& jobs, Strategy& strategy,
               const SimulationOptions& options, const Observer& observer)
        : topology_(topology),
          jobs_(jobs),
          strategy_(strategy),
          options_(options),
          observer_(observer),
          free_(options.in_service),
          outcomes_(jobs.size()) {}

    std::vector<JobOutcome> run() {
        strategy_.begin(topology_, jobs_);
        while (arrived_ < jobs_.size() || !running_.empty()) {
            now_ = std::min(arrived_ < jobs_.size() ? jobs_[arrived_].submit : never,
                            running_.empty() ? never : running_.front().end);
            end_jobs();
            admit_jobs();
            schedule();
            show_queue();
            report();
        }
        return std::move(outcomes_);
    }

  private:
    void end_jobs() {
        auto last = running_.begin();
        for (; last != running_.end() && last->end <= now_; ++last) {
            free_.unite(last->nodes);
            useful_nodes_ -= last->useful_nodes;
        }
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

    void show_queue() {
        if (shown_ && now_ < *shown_ + show_pause) return;
        shown_ = now_;
        std::vector<const Job*> all;
        all.reserve(running_.size() + queue_.size());
        for (const RunningJob& each : running_) all.push_back(&jobs_[each.job]);
        for (const std::size_t index : queue_) all.push_back(&jobs_[index]);
        strategy_.watch(now_, all);
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
            strategy_.choose(topology_, job, unreserved(free_, now_, job.planned()));
        if (!placement) {
            failed_.insert(attempt);
            return false;
        }
        start(index, std::move(*placement));
        return true;
    }

    void start(std::size_t index, Placement placement) {
        free_.subtract(placement.nodes);
        const Job& job = jobs_[index];
        const Run run = options_.run ? options_.run(index, placement) : Run{job.duration};
        // A limit that a torn job would exceed is one that its user would not have set.
        RunningJob running{index, now_ + run.seconds, now_ + std::max(job.planned(), run.seconds),
                           placement.nodes, job.nodes * run.useful};
        useful_nodes_ += running.useful_nodes;
        running_.insert(std::upper_bound(running_.begin(), running_.end(), running, ends_first),
                        std::move(running));
        outcomes_[index].start = now_;
        outcomes_[index].run = run;
        outcomes_[index].placement = std::move(placement);
        ++started_;
        failed_.clear();
    }

    /// Reservations that the job would run into if it started now.
    [[nodiscard]] std::size_t reservations_ahead(const Job& job) const {
        return static_cast<std::size_t>(std::count_if(
            reservations_.begin(), reservations_.end(),
            [&](const Reservation& ahead) { return ahead.begin < now_ + job.planned(); }));
    }

    /// `nodes` without those reserved at some time in [begin, begin + duration).
    [[nodiscard]] NodeSet unreserved(NodeSet nodes, std::int64_t begin,
                                     std::int64_t duration) const {
        for (const Reservation& reservation : reservations_)
            if (reservation.begin < begin + duration && begin < reservation.end)
                nodes.subtract(reservation.nodes);
        return nodes;
    }

    /// Books the earliest time at which the job fits, given the time limits of what runs and what
    /// is reserved now.
    void reserve(std::size_t index) {
        const Job& job = jobs_[index];
        const std::vector<const RunningJob*> running = running_by_planned_end();
        const std::vector<std::int64_t> times = times_of_change(running);
        std::optional<Reservation> found =
            reservations_.empty() ? earliest(job, running, times) : first_of(job, running, times);
        if (!found) return;
        failed_.clear();
        reservations_.push_back(std::move(*found));
    }

    /// Beside running jobs alone, a job that fits at one time fits at each later one. The search
    /// begins where the last one ended: between two passes few jobs start or end.
    [[nodiscard]] std::optional<Reservation> earliest(const Job& job,
                                                      const std::vector<const RunningJob*>& running,
                                                      const std::vector<std::int64_t>& times) {
        const auto at = [&](std::size_t index) {
            NodeSet free = free_;
            for (const RunningJob* each : running)
                if (each->planned_end <= times[index]) free.unite(each->nodes);
            return reservation(job, times[index], free);
        };
        std::optional<Reservation> found;
        std::size_t fails = 0, fits = times.size();  // it does before `fails`, and from `fits` on
        const auto guess = std::lower_bound(times.begin(), times.end(), last_reserved_);
        auto next = static_cast<std::size_t>(guess - times.begin());
        for (std::size_t step = 1; fails < fits; step *= 2) {
            next = std::clamp(next, fails, fits - 1);
            std::optional<Reservation> tried = at(next);
            if (tried) {
                found = std::move(tried);
                fits = next;
                next = fits > fails + step ? fits - step : fails;
            } else {
                fails = next + 1;
                next = fails + step - 1;
            }
            // Both ends are known: halve.
            if (fails > 0 && found) next = fails + (fits - fails) / 2;
        }
        if (found) last_reserved_ = found->begin;
        return found;
    }

    [[nodiscard]] std::optional<Reservation> first_of(
        const Job& job, const std::vector<const RunningJob*>& running,
        const std::vector<std::int64_t>& times) const {
        NodeSet free = free_;
        auto next = running.begin();
        for (const std::int64_t time : times) {
            for (; next != running.end() && (*next)->planned_end <= time; ++next)
                free.unite((*next)->nodes);
            if (std::optional<Reservation> found = reservation(job, time, free)) return found;
        }
        return std::nullopt;
    }

    /// The job from `time` on, when `free` are the nodes on which nothing runs any more.
    [[nodiscard]] std::optional<Reservation> reservation(const Job& job, std::int64_t time,
                                                         const NodeSet& free) const {
        if (free.count() < job.nodes) return std::nullopt;
        const NodeSet usable = unreserved(free, time, job.planned());
        if (usable.count() < job.nodes) return std::nullopt;
        std::optional<Placement> placement = strategy_.choose(topology_, job, usable);
        if (!placement) return std::nullopt;
        return Reservation{time, time + job.planned(), std::move(placement->nodes)};
    }

    [[nodiscard]] std::vector<const RunningJob*> running_by_planned_end() const {
        std::vector<const RunningJob*> running;
        running.reserve(running_.size());
        for (const RunningJob& each : running_) running.push_back(&each);
        std::stable_sort(running.begin(), running.end(),
                         [](const RunningJob* left, const RunningJob* right) {
                             return left->planned_end < right->planned_end;
                         });
        return running;
    }

    [[nodiscard]] std::vector<std::int64_t> times_of_change(
        const std::vector<const RunningJob*>& running) const {
        std::vector<std::int64_t> times;
        times.reserve(running.size() + reservations_.size());
        for (const RunningJob* each : running) times.push_back(each->planned_end);
        for (const Reservation& each : reservations_) times.push_back(each.end);
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        return times;
    }

    void report() const {
        if (observer_.moment) {
            Moment moment;
            moment.time = now_;
            moment.busy_nodes = options_.in_service.count() - free_.count();
            moment.useful_nodes = useful_nodes_;
            moment.waiting_jobs = static_cast<std::uint32_t>(queue_.size());
            moment.free = free_;
            observer_.moment(moment);
        }
        if (observer_.progress) observer_.progress(started_);
    }

    const Topology& topology_;
    const std::vector<Job>& jobs_;
    Strategy& strategy_;
    const SimulationOptions& options_;
    const Observer& observer_;
    NodeSet free_;
    double useful_nodes_ = 0;
    std::vector<JobOutcome> outcomes_;
    std::vector<RunningJob> running_;  // by end
    std::vector<Reservation> reservations_;
    std::int64_t last_reserved_ = 0;  // begin of the last reservation beside running jobs alone
    std::set<Attempt> failed_;        // in this pass, since the last start or reservation
    std::deque<std::size_t> queue_;
    std::size_t arrived_ = 0;
    std::size_t started_ = 0;
    std::int64_t now_ = 0;
    std::optional<std::int64_t> shown_;  // when the strategy saw the queue
};

}  // namespace

std::vector<JobOutcome> simulate(const Topology& topology, const std::vector<Job>& jobs,
                                 Strategy& strategy, const SimulationOptions& options,
                                 const Observer& observer) {
    return Simulation(topology, jobs, strategy, options, observer).run();
}

}  // namespace nvl72block::replay
