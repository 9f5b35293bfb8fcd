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
           const Availability& nodes, const std::optional<Told>& told)
        : state_(state),
          occupancy_(occupancy),
          question_(question),
          nodes_(nodes),
          told_(told),
          offer_(offer_for(question, question.viewer)) {}

    std::vector<Suggestion> run() {
        if (!told_) other_options();
        without_options();
        shorter_time();
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

    /// What the plugin asks, too.
    void other_options() {
        const JobRecord& job = *question_.job;
        JobFacts facts{.least_nodes = question_.viewer.partition->min_nodes, .tasks = job.tasks};
        if (job.tasks == job.tasks_per_node * question_.request.min_nodes) facts.tasks = 0;
        facts.tasks_may_follow = job.tasks == question_.request.min_nodes;
        for (const SuggestedChange& change :
             suggested_changes(state_.topology(), complete(question_, question_.request),
                               state_of(question_, offer_), facts)) {
            const Request& now = change.request;
            const bool cut = change.kind == SuggestedChange::Kind::smaller_segments;
            add(to_string(change), cut ? plural(now.min_nodes / now.segment_size, "segment") : "");
        }
    }

    /// The longest time limit with which it ends before a reservation begins. Down to --time-min,
    /// backfill shortens it itself.
    void shorter_time() {
        if (question_.job->time_min) return;
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

    /// Without --exclusive=topo the job shares nodes, too, if its partition's jobs do: the plugin
    /// counts on idle ones only. 24.11 hides the option of a job that has whole nodes by its
    /// partition.
    void without_options() {
        const NodeSet none(state_.nodes.size());
        const JobRecord& job = *question_.job;
        if (job.exclusive_topo && !question_.viewer.partition->exclusive_topo)
            without("--exclusive=topo", [](JobRecord& changed) {
                changed.exclusive_topo = changed.exclusive_node = false;
            });
        if (!job.required.empty())
            without("--nodelist", [&](JobRecord& changed) { changed.required = none; });
        if (!job.excluded.empty())
            without("--exclude", [&](JobRecord& changed) { changed.excluded = none; });
    }

    template <typename Change>
    void without(const char* option, const Change& change) {
        const std::string text = fmt::format("without {}", option);
        if (told_ && std::ranges::count(told_->options, text) > 0) return;
        JobRecord job = *question_.job;
        change(job);
        const JobQuestion changed =
            job_question(state_, job, question_.request.segment_size, question_.viewer.partition);
        if (fits(state_, changed, changed.request, offer_for(changed, changed.viewer))) add(text);
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
    const std::optional<Told>& told_;
    Offer offer_;
    std::vector<Suggestion> found_;
};

}  // namespace

std::vector<Suggestion> suggestions(const ClusterState& state, const Occupancy& occupancy,
                                    const JobQuestion& question, const Availability& nodes,
                                    const std::optional<Told>& told) {
    return Search(state, occupancy, question, nodes, told).run();
}

}  // namespace nvl72block::cli
