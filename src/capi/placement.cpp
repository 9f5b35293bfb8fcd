// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary of decisions: requests, answers and suggestions.
#include "nvl72block/placement.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "capi/demand.hpp"
#include "capi/handles.hpp"
#include "capi/planted.hpp"
#include "nvl72block/suggestion.hpp"

namespace engine = nvl72block;
using engine::capi::as_options;
using engine::capi::as_view;
using engine::capi::guarded;
using engine::capi::set_error;

struct nvl72block_answer {
    engine::Answer value;
    std::string sentence;
};

namespace {

engine::Request as_request(const nvl72block_request& request) {
    engine::Request result;
    result.min_nodes = request.min_nodes;
    result.max_nodes = request.max_nodes;
    result.segment_size = request.segment_size;
    result.spread_segments = request.spread_segments;
    result.consolidate_segments = request.consolidate_segments;
    result.exclusive = request.exclusive;
    result.max_base_blocks = request.max_base_blocks;
    result.required = as_view(request.required);
    result.cpus = request.cpus;
    result.gpus = request.gpus;
    result.sized_by_totals = request.sized_by_totals;
    result.policy = as_options(request.options).policy;
    if (request.demand != nullptr) result.demand = request.demand->in_force().sizes();
    return result;
}

engine::State as_state(const nvl72block_state& state, const nvl72block_topology& topology) {
    const std::size_t node_count = topology.model().node_count();
    engine::State result;
    result.usable = as_view(state.usable);
    if (state.weight != nullptr) result.weight = {state.weight, node_count};
    if (state.cpus != nullptr) result.cpus = {state.cpus, node_count};
    if (state.gpus != nullptr) result.gpus = {state.gpus, node_count};
    result.drained = as_view(state.drained);
    result.excluded = as_view(state.excluded);
    result.idle = as_view(state.idle);
    return result;
}

// Both have the same order.
static_assert(static_cast<int>(engine::RefusalReason::not_enough_totals) ==
              NVL72BLOCK_NOT_ENOUGH_CAPACITY);
static_assert(static_cast<int>(engine::RefusalReason::engine_failed) == NVL72BLOCK_ENGINE_FAILED);

const engine::Placement* placement_of(const nvl72block_answer* answer) noexcept {
    return answer == nullptr ? nullptr : std::get_if<engine::Placement>(&answer->value);
}

const engine::Refusal* refusal_of(const nvl72block_answer* answer) noexcept {
    return answer == nullptr ? nullptr : std::get_if<engine::Refusal>(&answer->value);
}

}  // namespace

nvl72block_answer* nvl72block_place(const nvl72block_topology* topology,
                                    const nvl72block_request* request,
                                    const nvl72block_state* state,
                                    nvl72block_error* error) noexcept {
    return guarded<nvl72block_answer*>(error, nullptr, [&]() -> nvl72block_answer* {
        if (topology == nullptr || request == nullptr || state == nullptr) {
            set_error(error, NVL72BLOCK_BAD_INPUT, "no topology, request or state");
            return nullptr;
        }
        engine::Budget budget;
        if (request->budget != 0) budget.steps = request->budget;
        const engine::Request wanted = as_request(*request);
        const engine::State there = as_state(*state, *topology);
        engine::Answer answer = engine::place(topology->model(), wanted, there, budget);
#ifdef NVL72BLOCK_PLANTS
        engine::capi::plant_fault(answer, topology->model(), wanted, there);
#endif
        return std::make_unique<nvl72block_answer>(nvl72block_answer{std::move(answer), {}})
            .release();
    });
}

bool nvl72block_waits_for_cliques(const nvl72block_topology* topology,
                                  const nvl72block_request* request,
                                  nvl72block_view nodes) noexcept {
    if (request == nullptr || !nvl72block_topology_follows_cliques(topology)) return false;
    return guarded(nullptr, false, [&] {
        engine::Request wanted = as_request(*request);
        wanted.cpus = wanted.gpus = 0;
        wanted.sized_by_totals = false;
        wanted.demand = {};
        engine::State every;
        every.usable = as_view(nodes);
        const auto fits = [&](const engine::Topology& blocks) {
            return std::holds_alternative<engine::Placement>(
                engine::place(blocks, wanted, every, {}));
        };
        return !fits(topology->model()) && fits(topology->cluster.topology_as_planned());
    });
}

nvl72block_answer* nvl72block_refuse(const nvl72block_topology* topology,
                                     const nvl72block_request* request,
                                     const nvl72block_state* state,
                                     const nvl72block_refusal* refusal) noexcept {
    if (topology == nullptr || request == nullptr || state == nullptr || refusal == nullptr)
        return nullptr;
    return guarded<nvl72block_answer*>(nullptr, nullptr, [&]() -> nvl72block_answer* {
        std::optional<engine::Refusal> refused =
            refuse(topology->model(), as_request(*request), as_state(*state, *topology),
                   static_cast<engine::RefusalReason>(refusal->reason),
                   {.allowed_nodes = refusal->allowed_nodes,
                    .tasks = refusal->tasks,
                    .tasks_per_node = refusal->tasks_per_node,
                    .kept_nodes = refusal->kept_nodes,
                    .shares_nodes = refusal->shares_nodes,
                    .unused_blocks = refusal->unused_blocks,
                    .allowed_blocks = refusal->allowed_blocks,
                    .blocks_now = refusal->blocks_now,
                    .wait_seconds = refusal->wait_seconds});
        if (!refused) return nullptr;
        return std::make_unique<nvl72block_answer>(nvl72block_answer{*std::move(refused), {}})
            .release();
    });
}

void nvl72block_answer_free(nvl72block_answer* answer) noexcept {
    delete answer;
}

bool nvl72block_answer_placed(const nvl72block_answer* answer) noexcept {
    return placement_of(answer) != nullptr;
}

nvl72block_view nvl72block_answer_nodes(const nvl72block_answer* answer) noexcept {
    const engine::Placement* placement = placement_of(answer);
    if (placement == nullptr) return {.words = nullptr, .bits = 0};
    return {.words = placement->nodes.words().data(), .bits = placement->nodes.size()};
}

size_t nvl72block_answer_segment_count(const nvl72block_answer* answer) noexcept {
    const engine::Placement* placement = placement_of(answer);
    return placement == nullptr || placement->segment_begin.empty()
               ? 0
               : placement->segment_begin.size() - 1;
}

const uint32_t* nvl72block_answer_segment(const nvl72block_answer* answer, size_t segment,
                                          size_t* count) noexcept {
    if (count != nullptr) *count = 0;
    if (segment >= nvl72block_answer_segment_count(answer)) return nullptr;
    const engine::Placement* placement = placement_of(answer);
    const std::uint32_t begin = placement->segment_begin[segment];
    if (count != nullptr) *count = placement->segment_begin[segment + 1] - begin;
    return placement->segment_nodes.data() + begin;
}

size_t nvl72block_answer_block_count(const nvl72block_answer* answer) noexcept {
    const engine::Placement* placement = placement_of(answer);
    return placement == nullptr ? 0 : placement->blocks.size();
}

size_t nvl72block_answer_broken_count(const nvl72block_answer* answer) noexcept {
    const engine::Placement* placement = placement_of(answer);
    return placement == nullptr ? 0 : placement->broken_blocks;
}

bool nvl72block_answer_proven(const nvl72block_answer* answer) noexcept {
    if (const engine::Placement* placement = placement_of(answer)) return placement->proven;
    const engine::Refusal* refusal = refusal_of(answer);
    return refusal != nullptr && refusal->proven;
}

nvl72block_reason nvl72block_answer_reason(const nvl72block_answer* answer) noexcept {
    const engine::Refusal* refusal = refusal_of(answer);
    return refusal == nullptr ? NVL72BLOCK_BAD_REQUEST
                              : static_cast<nvl72block_reason>(refusal->reason);
}

bool nvl72block_answer_permanent(const nvl72block_answer* answer) noexcept {
    const engine::Refusal* refusal = refusal_of(answer);
    return refusal != nullptr && refusal->permanent;
}

const char* nvl72block_answer_sentence(nvl72block_answer* answer) noexcept {
    const engine::Refusal* refusal = refusal_of(answer);
    if (refusal == nullptr) return "";
    return guarded<const char*>(nullptr, "", [&] {
        if (answer->sentence.empty()) answer->sentence = engine::sentence(*refusal);
        return answer->sentence.c_str();
    });
}

void nvl72block_suggest(const nvl72block_topology* topology, const nvl72block_request* request,
                        const nvl72block_state* state, const nvl72block_job_facts* job,
                        void (*take)(void* argument, const char* option), void* argument) noexcept {
    // Under slurmctld's locks: fewer questions than the command asks.
    constexpr engine::SuggestionEffort effort{.sizes = 12, .counts = 4};
    if (topology == nullptr || request == nullptr || state == nullptr || job == nullptr) return;
    guarded(nullptr, false, [&] {
        const engine::State nodes = as_state(*state, *topology);
        engine::JobFacts facts{.least_nodes = job->least_nodes, .tasks = job->tasks};
        if (job->may_share_blocks) {
            facts.without_exclusive = nodes;
            facts.without_exclusive->usable = as_view(job->without_exclusive);
        }
        for (const engine::SuggestedChange& change :
             suggested_changes(topology->model(), as_request(*request), nodes, facts, effort))
            take(argument, to_string(change).c_str());
        return true;
    });
}
