// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/suggestions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/question/node_use.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

/// More nodes than these are not worth a suggestion.
constexpr std::uint32_t most_repaired = 8;
constexpr std::size_t most_questions = 32;
/// Seconds that the user has to submit the job again.
constexpr std::int64_t margin = 300;

class Search {
  public:
    Search(const ClusterState& state, const JobQuestion& question, const Availability& nodes)
        : state_(state),
          question_(question),
          nodes_(nodes),
          usable_(usable_now(state, question, question.viewer)) {}

    std::vector<Suggestion> run() {
        smaller_segment();
        fewer_nodes();
        shorter_time();
        without_options();
        repaired_nodes();
        return std::move(found_);
    }

  private:
    [[nodiscard]] bool starts(const Request& request) const {
        return fits(state_, question_, request, usable_);
    }
    void add(std::string option, std::string because = "") {
        found_.push_back({std::move(option), NodeSet(), std::move(because)});
    }

    /// The largest segment that divides the node count and fits.
    void smaller_segment() {
        Request request = question_.request;
        const std::uint32_t nodes = request.min_nodes;
        const bool fixed = request.max_nodes == nodes;
        if (!fixed || nodes < 2) return;
        const std::uint32_t now = request.segment_size != 0 ? request.segment_size : nodes;
        std::size_t questions = 0;
        for (std::uint32_t size = std::min(now, nodes) - 1; size > 0; --size) {
            if (nodes % size != 0) continue;
            if (++questions > most_questions) return;
            request.segment_size = size;
            if (!starts(request)) continue;
            add(fmt::format("--segment={}", size), plural(nodes / size, "segment"));
            return;
        }
    }

    /// The most nodes that fit with the segment as it is.
    void fewer_nodes() {
        Request request = question_.request;
        const std::uint32_t unit = std::max(request.segment_size, 1U);
        if (request.min_nodes <= unit || request.sized_by_capacity || !question_.required.empty())
            return;
        request.max_nodes = (request.min_nodes - 1) / unit * unit;
        request.min_nodes = unit;
        request.cpus = request.gpus = 0;  // they shrink with the nodes
        const Answer answer = ask(state_, question_, request, usable_, {});
        if (const auto* placement = std::get_if<Placement>(&answer))
            add(fmt::format("--nodes={}", placement->nodes.count()));
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
            const NodeSet usable = usable_now(state_, question_, viewer);
            if (usable == usable_ || !fits(state_, question_, question_.request, usable)) continue;
            add(fmt::format("--time={}", duration / 60),
                fmt::format("ends before the reservation at {}", short_time(begin, state_.now)));
            return;
        }
    }

    void without_options() {
        if (question_.request.spread_segments) {
            Request request = question_.request;
            request.spread_segments = false;
            if (starts(request)) add("without --spread-segments");
        }
        if (question_.request.consolidate_segments) {
            Request request = question_.request;
            request.consolidate_segments = false;
            if (starts(request)) add("without --consolidate-segments");
        }
        if (!question_.job->required.empty()) without_list("without --nodelist", true, false);
        if (!question_.job->excluded.empty()) without_list("without --exclude", false, true);
    }

    /// The same job with one list of nodes less.
    void without_list(const char* option, bool required, bool excluded) {
        JobRecord job = *question_.job;
        if (required) job.required = NodeSet(state_.nodes.size());
        if (excluded) job.excluded = NodeSet(state_.nodes.size());
        const JobQuestion changed = job_question(state_, job, question_.request.segment_size);
        if (fits(state_, changed, changed.request, usable_now(state_, changed, changed.viewer)))
            add(option);
    }

    /// Drained nodes that would be idle and, back in service, are enough; as few as possible.
    void repaired_nodes() {
        if (question_.request.exclusive) return;  // the state of their blocks would matter, too
        NodeSet idle(state_.nodes.size());
        nodes_.drained.for_each([&](NodeIndex node) {
            if (!runs_job(state_.nodes[node]) && question_.suitable.test(node) &&
                !reserved_.test(node))
                idle.set(node);
        });
        NodeSet all = usable_;
        all.unite(idle);
        JobQuestion preferring = question_;
        // Only where nothing else fits does a placement use them.
        idle.for_each([&](NodeIndex node) { preferring.weight[node] += std::uint64_t{1} << 32; });
        const Answer answer = ask(state_, preferring, question_.request, all, {});
        const auto* placement = std::get_if<Placement>(&answer);
        if (placement == nullptr) return;
        NodeSet needed(state_.nodes.size());
        idle.for_each([&](NodeIndex node) {
            if (placement->nodes.test(node)) needed.set(node);
        });
        if (needed.count() > most_questions) return;
        NodeSet left = needed;
        left.for_each([&](NodeIndex node) {
            needed.reset(node);
            NodeSet usable = usable_;
            usable.unite(needed);
            if (!fits(state_, question_, question_.request, usable)) needed.set(node);
        });
        if (needed.empty() || needed.count() > most_repaired) return;
        found_.push_back({"", needed, ""});
    }

    const ClusterState& state_;
    const JobQuestion& question_;
    const Availability& nodes_;
    NodeSet usable_;
    NodeSet reserved_ = reserved_nodes(state_, question_.viewer, state_.now);
    std::vector<Suggestion> found_;
};

}  // namespace

std::vector<Suggestion> suggestions(const ClusterState& state, const JobQuestion& question,
                                    const Availability& nodes) {
    return Search(state, question, nodes).run();
}

}  // namespace nvl72block::cli
