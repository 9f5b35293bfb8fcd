// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/forecast.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "cli/question/blocks_in_use.hpp"
#include "cli/question/node_use.hpp"

namespace nvl72block::cli {
namespace {

/// Each of them costs a bisection; where there are more, the time may not be the earliest.
constexpr std::size_t most_reservations = 16;
constexpr SlurmTime never = std::numeric_limits<SlurmTime>::max();

/// When each node has no job any more: 0 for now, `never` where nothing tells.
std::vector<SlurmTime> release_times(const ClusterState& state) {
    std::vector<SlurmTime> times(state.nodes.size(), 0);
    std::vector<bool> known(state.nodes.size(), false);
    for (const JobRecord& job : state.jobs) {
        if (!holds_nodes(job)) continue;
        // A job that is past its end is about to leave its nodes.
        const SlurmTime end =
            job.state == JobState::completing ? state.now : job.end.value_or(never);
        job.nodes.for_each([&](NodeIndex node) {
            times[node] = std::max(times[node], std::max(end, state.now));
            known[node] = true;
        });
    }
    for (NodeIndex node = 0; node < state.nodes.size(); ++node)
        if (!known[node] && !is_free(state.nodes[node]) && state.nodes[node].base != NodeBase::idle)
            times[node] = never;
    return times;
}

class Future {
  public:
    Future(const ClusterState& state, const JobQuestion& question)
        : state_(state),
          question_(question),
          released_(release_times(state)),
          inside_(visible_nodes(state, question.viewer)) {}

    [[nodiscard]] NodeSet usable_at(SlurmTime time) const {
        NodeSet usable(state_.nodes.size());
        question_.suitable.for_each([&](NodeIndex node) {
            if (in_service(state_.nodes[node]) && released_[node] <= time && inside_.test(node))
                usable.set(node);
        });
        const NodeSet reserved = reserved_nodes(state_, question_.viewer, time);
        usable.subtract(reserved);
        if (question_.request.exclusive)
            close_blocks(state_.topology(), in_use_at(time, reserved), usable);
        return usable;
    }

    [[nodiscard]] Answer ask_at(SlurmTime time) const {
        return ask(state_, question_, question_.request, usable_at(time), {});
    }

    /// The times at which nodes become free, ascending.
    [[nodiscard]] std::vector<SlurmTime> events() const {
        std::vector<SlurmTime> times;
        question_.suitable.for_each([&](NodeIndex node) {
            if (released_[node] > state_.now && released_[node] != never)
                times.push_back(released_[node]);
        });
        for (const ReservationRecord& reservation : state_.reservations)
            if (reservation.end > state_.now && reservation.end != never)
                times.push_back(reservation.end);
        const ReservationRecord* own = state_.find_reservation(question_.viewer.reservation);
        if (own != nullptr && own->start > state_.now) times.push_back(own->start);
        if (question_.job->eligible && *question_.job->eligible > state_.now)
            times.push_back(*question_.job->eligible);
        std::ranges::sort(times);
        times.erase(std::unique(times.begin(), times.end()), times.end());
        return times;
    }

    /// The last times at which the job ends before a reservation begins, ascending, then `never`.
    [[nodiscard]] std::vector<SlurmTime> closing_times() const {
        std::vector<SlurmTime> times{never};
        for (const ReservationRecord& reservation : state_.reservations)
            if (question_.viewer.duration && reservation.start > state_.now &&
                reservation.name != question_.viewer.reservation &&
                times.size() < most_reservations)
                times.push_back(reservation.start - *question_.viewer.duration);
        std::ranges::sort(times);
        return times;
    }

    [[nodiscard]] std::uint32_t endless_nodes() const {
        std::uint32_t count = 0;
        question_.suitable.for_each([&](NodeIndex node) {
            if (released_[node] == never && in_service(state_.nodes[node])) ++count;
        });
        return count;
    }

  private:
    /// By other jobs and by reservations.
    [[nodiscard]] NodeSet in_use_at(SlurmTime time, const NodeSet& reserved) const {
        NodeSet in_use = reserved;
        for (NodeIndex node = 0; node < state_.nodes.size(); ++node)
            if (released_[node] > time) in_use.set(node);
        return in_use;
    }

    const ClusterState& state_;
    const JobQuestion& question_;
    std::vector<SlurmTime> released_;
    NodeSet inside_;
};

/// Jobs that are running now on nodes of the placement, the last to end first.
std::vector<const JobRecord*> jobs_on(const ClusterState& state, const NodeSet& nodes) {
    std::vector<const JobRecord*> jobs;
    for (const JobRecord& job : state.jobs) {
        if (!holds_nodes(job)) continue;
        bool meets = false;
        job.nodes.for_each([&](NodeIndex node) { meets |= nodes.test(node); });
        if (meets) jobs.push_back(&job);
    }
    std::ranges::stable_sort(jobs, std::greater<>(),
                             [](const JobRecord* job) { return job->end.value_or(0); });
    return jobs;
}

}  // namespace

Forecast forecast(const ClusterState& state, const JobQuestion& question) {
    const Future future(state, question);
    Forecast result;
    result.endless_nodes = future.endless_nodes();
    const std::vector<SlurmTime> events = future.events();
    auto begin = events.begin();
    for (const SlurmTime closing : future.closing_times()) {
        // Up to there, nodes only become free: what fits once fits at each later event.
        const auto end = std::upper_bound(begin, events.end(), closing);
        if (begin == end) continue;
        const auto first = std::partition_point(begin, std::prev(end), [&](SlurmTime time) {
            return !std::holds_alternative<Placement>(future.ask_at(time));
        });
        begin = end;
        const Answer answer = future.ask_at(*first);
        const auto* placement = std::get_if<Placement>(&answer);
        if (placement == nullptr) continue;
        result.start = *first;
        result.usable = future.usable_at(*first);
        result.ended = jobs_on(state, placement->nodes);
        break;
    }
    return result;
}

}  // namespace nvl72block::cli
