// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nvl72block {
namespace {

using Kind = SuggestedChange::Kind;

class Search {
  public:
    Search(const Topology& topology, const Request& request, const State& state,
           const JobFacts& job, const SuggestionEffort& effort)
        : topology_(topology), request_(request), state_(state), job_(job), effort_(effort) {}

    std::vector<SuggestedChange> run() {
        fewer_nodes();
        smaller_segments();
        if (request_.spread_segments) without(Kind::without_spread, &Request::spread_segments);
        if (request_.consolidate_segments)
            without(Kind::without_consolidation, &Request::consolidate_segments);
        if (request_.exclusive && job_.without_exclusive)
            without(Kind::without_exclusive, &Request::exclusive);
        return std::move(found_);
    }

  private:
    [[nodiscard]] bool fits(const Request& request, const State& state) const {
        return std::holds_alternative<Placement>(place(topology_, request, state));
    }
    [[nodiscard]] bool fits(const Request& request) const { return fits(request, state_); }

    /// A total of the whole job, for so many of its nodes.
    [[nodiscard]] std::uint64_t part(std::uint64_t total, std::uint32_t nodes) const {
        return total * nodes / request_.min_nodes;
    }

    /// sbatch refuses more tasks than there are CPUs: so these shrink with the nodes.
    [[nodiscard]] Request smaller(std::uint32_t nodes) const {
        Request request = request_;
        request.min_nodes = request.max_nodes = nodes;
        request.cpus = (request_.cpus * nodes + request_.min_nodes - 1) / request_.min_nodes;
        request.gpus = part(request_.gpus, nodes);
        return request;
    }

    /// 0: none. More nodes can fit where fewer do not: each count has its own number of blocks.
    [[nodiscard]] std::uint32_t most_nodes(std::uint32_t unit) const {
        Request in_blocks = request_;
        in_blocks.cpus = in_blocks.gpus = 0;
        std::uint32_t nodes = request_.min_nodes;
        for (std::size_t tries = 0; tries < effort_.counts && nodes > unit; ++tries) {
            in_blocks.min_nodes = unit;
            in_blocks.max_nodes = (nodes - 1) / unit * unit;
            const Answer answer = place(topology_, in_blocks, state_);
            const auto* placement = std::get_if<Placement>(&answer);
            if (placement == nullptr) return 0;
            nodes = placement->nodes.count();
            if (fits(smaller(nodes))) return nodes;
        }
        return 0;
    }

    /// As to_string() names them.
    [[nodiscard]] std::uint32_t tasks_of(std::uint32_t nodes) const {
        if (job_.tasks == 0) return 0;
        Request with_all_cpus = smaller(nodes);
        with_all_cpus.cpus = request_.cpus;
        if (job_.tasks_may_follow && fits(with_all_cpus)) return 0;
        return std::max(nodes, static_cast<std::uint32_t>(part(job_.tasks, nodes)));
    }

    void fewer_nodes() {
        if (request_.sized_by_totals || !request_.required.empty() ||
            job_.least_nodes >= request_.min_nodes)
            return;
        const std::uint32_t fit = most_nodes(std::max(request_.segment_size, 1U));
        if (fit == 0 || fit < job_.least_nodes) return;
        Request request = smaller(fit);
        if (request_.gpus > 0 && request.gpus == 0) return;
        found_.push_back({Kind::fewer_nodes, request, tasks_of(fit)});
    }

    void smaller_segments() {
        Request request = request_;
        const std::uint32_t nodes = request.min_nodes;
        if (request.max_nodes != nodes) return;
        const std::uint32_t now = request.segment_size != 0 ? request.segment_size : nodes;
        std::size_t tried = 0;
        for (request.segment_size = std::min(now, nodes) - 1;
             request.segment_size > 0 && tried < effort_.sizes; --request.segment_size) {
            if (nodes % request.segment_size != 0) continue;
            ++tried;
            if (!fits(request)) continue;
            found_.push_back({Kind::smaller_segments, request});
            return;
        }
    }

    void without(Kind kind, bool Request::*option) {
        Request request = request_;
        request.*option = false;
        const bool shared = kind == Kind::without_exclusive;
        if (fits(request, shared ? *job_.without_exclusive : state_))
            found_.push_back({kind, request});
    }

    const Topology& topology_;
    const Request& request_;
    const State& state_;
    const JobFacts& job_;
    const SuggestionEffort& effort_;
    std::vector<SuggestedChange> found_;
};

}  // namespace

std::vector<SuggestedChange> suggested_changes(const Topology& topology, const Request& request,
                                               const State& state, const JobFacts& job,
                                               const SuggestionEffort& effort) {
    if (request.min_nodes == 0) return {};
    return Search(topology, request, state, job, effort).run();
}

std::string to_string(const SuggestedChange& change) {
    switch (change.kind) {
        case Kind::fewer_nodes: {
            std::string text = fmt::format("--nodes={}", change.request.min_nodes);
            if (change.tasks > 0) text += fmt::format(" --ntasks={}", change.tasks);
            if (change.request.gpus > 0) text += fmt::format(" --gpus={}", change.request.gpus);
            return text;
        }
        case Kind::smaller_segments:
            return fmt::format("--segment={}", change.request.segment_size);
        case Kind::without_spread:
            return "without --spread-segments";
        case Kind::without_consolidation:
            return "without --consolidate-segments";
        case Kind::without_exclusive:
            return "without --exclusive=topo";
    }
    return "";
}

}  // namespace nvl72block
