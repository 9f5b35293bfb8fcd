// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <iterator>

#include "cli/question/node_use.hpp"
#include "cli/question/queue_order.hpp"
#include "cli/why/diagnosis.hpp"

namespace nvl72block::cli {
namespace {

/// Each of them costs a bisection; where there are more, the time may not be the earliest.
constexpr std::size_t most_reservations = 16;
constexpr SlurmTime never = Occupancy::never;

/// The times at which the job gets more nodes, ascending.
std::vector<SlurmTime> events(const ClusterState& state, const Occupancy& occupancy,
                              const JobQuestion& question) {
    std::vector<SlurmTime> times;
    for (NodeIndex node = 0; node < state.nodes.size(); ++node) {
        const std::vector<SlurmTime> releases = occupancy.releases(node);
        times.insert(times.end(), releases.begin(), releases.end());
    }
    for (const ReservationRecord& reservation : state.reservations)
        times.push_back(reservation.name == question.viewer.reservation ? reservation.start
                                                                        : reservation.end);
    const SlurmTime first = first_start(*question.job, state.now);
    times.push_back(first);
    std::erase_if(times, [&](SlurmTime time) { return time < first || time == never; });
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

/// The last times before it gets fewer nodes, ascending, then `never`: when it would not end before
/// a reservation begins, and when its own one ends.
std::vector<SlurmTime> closing_times(const ClusterState& state, const JobQuestion& question) {
    std::vector<SlurmTime> times{never};
    for (const ReservationRecord& reservation : state.reservations) {
        if (times.size() == most_reservations) break;
        if (reservation.name == question.viewer.reservation)
            times.push_back(reservation.end - 1);
        else if (question.viewer.duration && reservation.start > state.now)
            times.push_back(reservation.start - *question.viewer.duration);
    }
    std::ranges::sort(times);
    return times;
}

/// Those of `records` that are over by `time` and hold some of the nodes now, the last to end
/// first.
template <typename Record, typename Holds>
std::vector<const Record*> ended(const std::vector<Record>& records, const NodeSet& nodes,
                                 SlurmTime time, const Holds& holds) {
    std::vector<const Record*> found;
    for (const Record& record : records) {
        if (!holds(record) || std::optional<SlurmTime>(record.end).value_or(never) > time) continue;
        bool meets = false;
        record.nodes.for_each([&](NodeIndex node) { meets |= nodes.test(node); });
        if (meets) found.push_back(&record);
    }
    std::ranges::stable_sort(found, std::greater<>(), [](const Record* record) {
        return std::optional<SlurmTime>(record->end).value_or(0);
    });
    return found;
}

void tell(const ClusterState& state, const JobQuestion& question, Forecast& result) {
    result.ended = ended(state.jobs, result.nodes, *result.start, holds_nodes);
    result.released = ended(
        state.reservations, result.nodes, *result.start, [&](const ReservationRecord& record) {
            return record.name != question.viewer.reservation && record.start <= *result.start;
        });
}

}  // namespace

Forecast forecast(const ClusterState& state, const Occupancy& occupancy,
                  const JobQuestion& question) {
    const auto offer = [&](SlurmTime time) {
        return offer_at(state, occupancy, question, question.viewer, time);
    };
    Forecast result;
    question.suitable.for_each([&](NodeIndex node) {
        if (in_service(state.nodes[node]) && occupancy.is_endless(node)) ++result.endless_nodes;
    });
    const std::vector<SlurmTime> times = events(state, occupancy, question);
    auto begin = times.begin();
    for (const SlurmTime closing : closing_times(state, question)) {
        // Up to there, nodes only become free: what fits once fits at each later event.
        const auto end = std::upper_bound(begin, times.end(), closing);
        if (begin == end) continue;
        const auto first = std::partition_point(begin, std::prev(end), [&](SlurmTime time) {
            return !fits(state, question, question.request, offer(time));
        });
        begin = end;
        Offer then = offer(*first);
        const Answer answer = ask(state, question, question.request, then);
        const auto* placement = std::get_if<Placement>(&answer);
        if (placement == nullptr) continue;
        result.start = *first;
        result.nodes = placement->nodes;
        if (question.request.exclusive)
            result.nodes.unite(whole_blocks(state.topology(), placement->nodes));
        tell(state, question, result);
        result.usable = std::move(then.usable);
        break;
    }
    return result;
}

}  // namespace nvl72block::cli
