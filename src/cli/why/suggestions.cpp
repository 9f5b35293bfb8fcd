// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/suggestions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/question/repair.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::size_t most_questions = 32;
constexpr std::size_t most_counts = 4;
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
        if (asked == Asked::all) {
            smaller_segment();
            fewer_nodes();
            without_options();
        }
        shorter_time();
        without_lists();
        repaired_nodes();
        return std::move(found_);
    }

  private:
    [[nodiscard]] Offer offer_for(const JobQuestion& question, const Viewer& viewer) const {
        return offer_at(state_, occupancy_, question, viewer, state_.now);
    }
    [[nodiscard]] bool starts(const Request& request) const {
        return fits(state_, question_, request, offer_);
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

    /// The job with fewer nodes, and with tasks and GPUs in proportion.
    struct Smaller {
        Request request;
        std::uint32_t tasks = 0;
    };
    [[nodiscard]] Smaller smaller(std::uint32_t nodes) const {
        const std::uint64_t all = question_.request.min_nodes;
        Smaller job{question_.request,
                    std::max(nodes, static_cast<std::uint32_t>(question_.job->tasks *
                                                               std::uint64_t{nodes} / all))};
        job.request.min_nodes = job.request.max_nodes = nodes;
        job.request.cpus = (question_.request.cpus * nodes + all - 1) / all;
        job.request.gpus = question_.request.gpus * nodes / all;
        return job;
    }

    /// The most nodes that fit, as far as blocks count, and then with their CPUs and GPUs; 0: none.
    /// More nodes can fit where fewer do not: each count has its own number of blocks.
    [[nodiscard]] std::uint32_t most_nodes(std::uint32_t unit) const {
        Request request = question_.request;
        request.cpus = request.gpus = 0;
        std::uint32_t nodes = request.min_nodes;
        for (std::size_t tries = 0; tries < most_counts && nodes > unit; ++tries) {
            request.min_nodes = unit;
            request.max_nodes = (nodes - 1) / unit * unit;
            const Answer answer = ask(state_, question_, request, offer_);
            const auto* placement = std::get_if<Placement>(&answer);
            if (placement == nullptr) break;
            nodes = static_cast<std::uint32_t>(placement->nodes.count());
            if (starts(smaller(nodes).request)) return nodes;
        }
        return 0;
    }

    /// The most nodes that fit with the segment as it is. sbatch refuses more nodes than tasks or
    /// GPUs, and more tasks than CPUs: so these shrink, too.
    void fewer_nodes() {
        const Request& whole = question_.request;
        const std::uint32_t unit = std::max(whole.segment_size, 1U);
        if (whole.min_nodes <= unit || whole.sized_by_capacity || !question_.required.empty())
            return;
        const std::uint32_t fit = most_nodes(unit);
        if (fit == 0 || fit < question_.viewer.partition->min_nodes) return;
        Smaller job = smaller(fit);
        const JobRecord& asked = *question_.job;
        std::string option = fmt::format("--nodes={}", fit);
        Request with_all_tasks = job.request;
        with_all_tasks.cpus = whole.cpus;
        // As many tasks as nodes is also what sbatch makes of --nodes alone.
        const bool counted = asked.tasks != whole.min_nodes || !starts(with_all_tasks);
        if (counted && asked.tasks > 0 && asked.tasks != asked.tasks_per_node * whole.min_nodes)
            option += fmt::format(" --ntasks={}", job.tasks);
        if (whole.gpus > 0 && job.request.gpus == 0) return;
        if (whole.gpus > 0) option += fmt::format(" --gpus={}", job.request.gpus);
        add(std::move(option));
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
        if (question_.job->exclusive_topo && !question_.viewer.partition->exclusive_topo)
            without("--exclusive=topo", [](JobRecord& changed) {
                changed.exclusive_topo = changed.exclusive_node = false;
            });
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
        if (!needed.empty()) found_.push_back({"", needed, ""});
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
