// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary of demand.
#include "nvl72block/demand.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "capi/demand.hpp"
#include "capi/handles.hpp"
#include "capi/save.hpp"
#include "files/read_file.hpp"
#include "text/seconds.hpp"

namespace engine = nvl72block;
using engine::capi::as_view;
using engine::capi::guarded;
using engine::capi::save;
using engine::capi::set_error;

namespace {

// Far more than the sizes that a history keeps; what is longer is not ours.
constexpr std::size_t longest_file = 64UL * 1024;

bool fail(nvl72block_error* error, nvl72block_code code, const std::string& sentence) {
    set_error(error, code, sentence.c_str());
    return false;
}

/// The history in the text of a file; false without an error where there is no file.
bool read_history(const char* path, int64_t now, engine::LearnedDemand& learned,
                  nvl72block_error* error) {
    std::string text;
    if (const auto failure = engine::read_file(path, longest_file, text)) {
        if (failure->absent) return false;
        return fail(error, NVL72BLOCK_BAD_INPUT, std::string(path) + ": " + failure->reason);
    }
    std::string sentence;
    if (learned.restore(text, now, sentence)) return true;
    return fail(error, NVL72BLOCK_BAD_INPUT, std::string(path) + ": " + sentence);
}

/// What nvl72block_demand_adopt() says; node-seconds as of now.
std::string adoption(const char* path, bool taken, const engine::DemandHistory& theirs,
                     double amount, double known) {
    const double days = amount / engine::day;
    if (!taken)
        return fmt::format("{} is not taken over: it has {:.1f} node-days, {:.1f} are known", path,
                           days, known / engine::day);
    return fmt::format("{} is taken over: {:.1f} node-days in place of {:.1f}, for slots of {}",
                       path, days, known / engine::day,
                       to_string(theirs.demand(theirs.latest(), {})));
}

}  // namespace

nvl72block_demand* nvl72block_demand_create(const char* stated, nvl72block_error* error) noexcept {
    return guarded<nvl72block_demand*>(error, nullptr, [&]() -> nvl72block_demand* {
        auto demand = std::make_unique<nvl72block_demand>();
        if (stated == nullptr) {
            demand->learned.emplace();
            return demand.release();
        }
        std::string sentence;
        const auto parsed = engine::Demand::parse(stated, sentence);
        if (!parsed) {
            set_error(error, NVL72BLOCK_BAD_INPUT, sentence.c_str());
            return nullptr;
        }
        demand->stated = *parsed;
        return demand.release();
    });
}

void nvl72block_demand_free(nvl72block_demand* demand) noexcept {
    delete demand;
}

bool nvl72block_demand_is_learned(const nvl72block_demand* demand) noexcept {
    return demand != nullptr && demand->learned.has_value();
}

bool nvl72block_demand_begin(nvl72block_demand* demand, int64_t time) noexcept {
    if (!nvl72block_demand_is_learned(demand)) return false;
    return guarded(nullptr, false, [&] {
        demand->learned->begin(time);
        return true;
    });
}

bool nvl72block_demand_observe(nvl72block_demand* demand, const nvl72block_topology* topology,
                               double cpus_a_node, const nvl72block_queue_job* job) noexcept {
    if (!nvl72block_demand_is_learned(demand) || topology == nullptr || job == nullptr)
        return false;
    using enum engine::QueueJob::State;
    return guarded(nullptr, false, [&] {
        return demand->learned->observe(topology->model(), cpus_a_node,
                                        {.state = job->runs    ? running
                                                  : job->waits ? waiting
                                                               : other,
                                         .priority = job->priority,
                                         .begin = job->begin,
                                         .reach = as_view(job->reach),
                                         .nodes = job->nodes,
                                         .segment_size = job->segment_size,
                                         .cpus = job->cpus,
                                         .whole_nodes = job->whole_nodes,
                                         .array_tasks = job->array_tasks});
    });
}

uint32_t nvl72block_demand_measuring_node(const nvl72block_topology* topology) noexcept {
    if (topology == nullptr) return NVL72BLOCK_NO_NODE;
    return engine::LearnedDemand::measuring_node(topology->model()).value_or(NVL72BLOCK_NO_NODE);
}

void nvl72block_demand_finish(nvl72block_demand* demand,
                              const nvl72block_topology* topology) noexcept {
    if (!nvl72block_demand_is_learned(demand) || topology == nullptr) return;
    guarded(nullptr, false, [&] {
        demand->learned->finish(engine::LearnedDemand::Ground::of(topology->model()));
        return true;
    });
}

void nvl72block_demand_text(const nvl72block_demand* demand, char* text, size_t size) noexcept {
    std::snprintf(text, size, "%s", "off");
    if (demand == nullptr) return;
    guarded(nullptr, false, [&] {
        std::snprintf(text, size, "%s", to_string(demand->in_force()).c_str());
        return true;
    });
}

void nvl72block_demand_kept(const nvl72block_demand* demand, const nvl72block_topology* topology,
                            nvl72block_view idle, nvl72block_view taken, char* text,
                            size_t size) noexcept {
    std::snprintf(text, size, "%s", "");
    if (demand == nullptr || topology == nullptr || idle.words == nullptr) return;
    guarded(nullptr, false, [&] {
        const std::string kept =
            kept_slots(topology->model(), demand->in_force(), as_view(idle), as_view(taken));
        std::snprintf(text, size, "%s", kept.c_str());
        return true;
    });
}

bool nvl72block_demand_save(const nvl72block_demand* demand, const char* path,
                            nvl72block_save_failed failed, nvl72block_error* error) noexcept {
    return guarded(error, false, [&] {
        if (!nvl72block_demand_is_learned(demand) || path == nullptr)
            return fail(error, NVL72BLOCK_BAD_INPUT, "nothing to save");
        save(path, demand->learned->to_text(), failed);
        return true;
    });
}

bool nvl72block_demand_load(nvl72block_demand* demand, const char* path, int64_t now,
                            nvl72block_error* error) noexcept {
    return guarded(error, false, [&] {
        if (!nvl72block_demand_is_learned(demand) || path == nullptr)
            return fail(error, NVL72BLOCK_BAD_INPUT, "nothing to load");
        const auto unwritten = engine::StateSaver::of_process().unwritten(path);
        if (!unwritten) return read_history(path, now, *demand->learned, error);
        std::string sentence;
        if (demand->learned->restore(*unwritten, now, sentence)) return true;
        return fail(error, NVL72BLOCK_INTERNAL, std::string(path) + ": " + sentence);
    });
}

bool nvl72block_demand_adopt(nvl72block_demand* demand, const char* path, int64_t now, char* told,
                             size_t size, nvl72block_error* error) noexcept {
    std::snprintf(told, size, "%s", "");
    return guarded(error, false, [&] {
        if (!nvl72block_demand_is_learned(demand) || path == nullptr)
            return fail(error, NVL72BLOCK_BAD_INPUT, "nothing to take over");
        engine::LearnedDemand theirs;
        if (!read_history(path, now, theirs, error)) return false;
        const double known = demand->learned->history().amount(now);
        const bool taken = demand->learned->adopt(theirs, now);
        std::snprintf(
            told, size, "%s",
            adoption(path, taken, theirs.history(), theirs.history().amount(now), known).c_str());
        return taken;
    });
}
