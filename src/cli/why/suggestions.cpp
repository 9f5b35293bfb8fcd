// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "cli/question/repair.hpp"
#include "cli/why/diagnosis.hpp"
#include "nvl72block/suggestion.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

/// Seconds that the user has to submit the job again.
constexpr std::int64_t margin = 300;

class Search {
  public:
    Search(const ClusterState& state, const Occupancy& occupancy, const JobQuestion& question,
           const Availability& nodes)
        : state_(state),
          occupancy_(occupancy),
          question_(question),
          nodes_(nodes),
          offer_(offer_for(question, question.viewer)) {}

    std::vector<Suggestion> run(Asked asked) {
        if (asked == Asked::all) other_options();
        shorter_time();
        without_lists();
        repaired_nodes();
        return std::move(found_);
    }

  private:
    [[nodiscard]] Offer offer_for(const JobQuestion& question, const Viewer& viewer) const {
        return offer_at(state_, occupancy_, question, viewer, state_.now);
    }
    void add(std::string option, std::string because = "") {
        found_.push_back({std::move(option), NodeSet(), std::move(because)});
    }

    /// `shared` and its offer: the job without --exclusive=topo, if that is its own option.
    [[nodiscard]] JobFacts facts(JobQuestion& shared, Offer& offer) const {
        JobRecord job = *question_.job;
        const PartitionRecord& partition = *question_.viewer.partition;
        JobFacts facts{.least_nodes = partition.min_nodes, .tasks = job.tasks};
        if (job.tasks == job.tasks_per_node * question_.request.min_nodes) facts.tasks = 0;
        facts.tasks_may_follow = job.tasks == question_.request.min_nodes;
        if (!job.exclusive_topo || partition.exclusive_topo) return facts;
        job.exclusive_topo = job.exclusive_node = false;
        shared = job_question(state_, job, question_.request.segment_size, &partition);
        offer = offer_for(shared, shared.viewer);
        shared.job = nullptr;  // ends here
        facts.without_exclusive = state_of(shared, offer);
        return facts;
    }

    /// What the plugin asks, too.
    void other_options() {
        JobQuestion shared;
        Offer offer;
        const JobFacts job = facts(shared, offer);
        for (const SuggestedChange& change :
             suggested_changes(state_.topology(), complete(question_, question_.request),
                               state_of(question_, offer_), job)) {
            const Request& now = change.request;
            const bool cut = change.kind == SuggestedChange::Kind::smaller_segments;
            add(to_string(change), cut ? plural(now.min_nodes / now.segment_size, "segment") : "");
        }
    }

    /// The longest time limit with which it ends before a reservation begins.
    void shorter_time() {
        std::set<SlurmTime, std::greater<>> starts_of;
        for (const ReservationRecord& reservation : state_.reservations)
            if (reservation.start > state_.now + 2 * margin &&
                reservation.name != question_.viewer.reservation)
                starts_of.insert(reservation.start);
        for (const SlurmTime begin : starts_of) {
            Viewer viewer = question_.viewer;
            const std::int64_t duration = (begin - state_.now - margin) / 60 * 60;
            if (viewer.duration && *viewer.duration <= duration) continue;
            viewer.duration = duration;
            const Offer offer = offer_for(question_, viewer);
            if (offer.usable == offer_.usable || !fits(state_, question_, question_.request, offer))
                continue;
            add(fmt::format("--time={}", duration / 60),
                fmt::format("ends before the reservation at {}", short_time(begin, state_.now)));
            return;
        }
    }

    void without_lists() {
        const NodeSet none(state_.nodes.size());
        const JobRecord& job = *question_.job;
        if (!job.required.empty())
            without("--nodelist", [&](JobRecord& changed) { changed.required = none; });
        if (!job.excluded.empty())
            without("--exclude", [&](JobRecord& changed) { changed.excluded = none; });
    }

    template <typename Change>
    void without(const char* option, const Change& change) {
        JobRecord job = *question_.job;
        change(job);
        const JobQuestion changed =
            job_question(state_, job, question_.request.segment_size, question_.viewer.partition);
        if (fits(state_, changed, changed.request, offer_for(changed, changed.viewer)))
            add(fmt::format("without {}", option));
    }

    void repaired_nodes() {
        const NodeSet idle = idle_once_repaired(state_, question_.viewer, nodes_.drained);
        const NodeSet needed = needed_repairs(state_, question_, offer_, idle);
        if (!needed.empty()) found_.push_back({"", needed, reasons(needed)});
    }

    /// For which the nodes are out of service, each once.
    [[nodiscard]] std::string reasons(const NodeSet& nodes) const {
        std::vector<std::string> found;
        nodes.for_each([&](NodeIndex node) {
            const std::string& reason = state_.nodes[node].reason;
            if (!reason.empty() && std::ranges::find(found, reason) == found.end())
                found.push_back(reason);
        });
        return fmt::format("{}", fmt::join(found, "; "));
    }

    const ClusterState& state_;
    const Occupancy& occupancy_;
    const JobQuestion& question_;
    const Availability& nodes_;
    Offer offer_;
    std::vector<Suggestion> found_;
};

}  // namespace

std::vector<Suggestion> suggestions(const ClusterState& state, const Occupancy& occupancy,
                                    const JobQuestion& question, const Availability& nodes,
                                    Asked asked) {
    return Search(state, occupancy, question, nodes).run(asked);
}

}  // namespace nvl72block::cli
