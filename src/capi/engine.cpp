// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary: opaque handles around the engine's objects, and exceptions turned into codes.
#include "nvl72block/engine.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "capi/demand.hpp"
#include "capi/handles.hpp"
#include "capi/planted.hpp"
#include "capi/save.hpp"
#include "nvl72block/fragmentation.hpp"
#include "nvl72block/placement.hpp"

namespace engine = nvl72block;
using engine::capi::as_options;
using engine::capi::as_view;
using engine::capi::guarded;
using engine::capi::save;
using engine::capi::set_error;

struct nvl72block_nodes {
    std::vector<engine::NodeIndex>* list = nullptr;
    std::string* error = nullptr;
    bool failed = false;
    bool out_of_memory = false;
};

struct nvl72block_answer {
    engine::Answer value;
    std::string sentence;
};

namespace {

nvl72block_severity as_severity(engine::Severity severity) noexcept {
    switch (severity) {
        case engine::Severity::note:
            return NVL72BLOCK_NOTE;
        case engine::Severity::warning:
            return NVL72BLOCK_WARNING;
        case engine::Severity::error:
            break;
    }
    return NVL72BLOCK_ERROR;
}

// Hands every finding to the reader's reporter and keeps the first error for the caller.
void report(const engine::Diagnostics& diagnostics, const nvl72block_reader& reader,
            nvl72block_error* error) {
    bool first = true;
    for (const engine::Diagnostic& finding : diagnostics) {
        const std::string line = to_string(finding);
        if (reader.report != nullptr)
            reader.report(reader.argument, as_severity(finding.severity), line.c_str());
        if (finding.severity != engine::Severity::error || !first) continue;
        first = false;
        set_error(error, NVL72BLOCK_BAD_INPUT, line.c_str());
    }
}

engine::NodeResolver as_resolver(const nvl72block_reader& reader) {
    return [&reader](std::string_view text, std::vector<engine::NodeIndex>& nodes,
                     std::string& sentence) {
        nvl72block_nodes sink{.list = &nodes, .error = &sentence};
        reader.resolve(reader.argument, std::string(text).c_str(), &sink);
        if (sink.out_of_memory) throw std::bad_alloc();
        return !sink.failed;
    };
}

// The handle for a cluster that was read; nullptr with `error` set when it is wrong.
nvl72block_topology* as_handle(std::optional<engine::Cluster> cluster,
                               const nvl72block_reader& reader,
                               const engine::Diagnostics& diagnostics, nvl72block_error* error) {
    report(diagnostics, reader, error);
    if (cluster) return new nvl72block_topology(*std::move(cluster));
    if (error != nullptr && error->code == NVL72BLOCK_OK)
        set_error(error, NVL72BLOCK_BAD_INPUT, "the topology cannot be used");
    return nullptr;
}

// The file name that messages show, as the administrator knows it.
std::string base_name(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

engine::Policy as_policy(nvl72block_policy policy) noexcept {
    switch (policy) {
        case NVL72BLOCK_POLICY_COMPACT:
            return engine::Policy::compact;
        case NVL72BLOCK_POLICY_DEMAND:
            return engine::Policy::demand;
        case NVL72BLOCK_POLICY_PACK:
            break;
    }
    return engine::Policy::pack;
}

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
    result.sized_by_capacity = request.sized_by_capacity;
    result.policy = as_policy(request.policy);
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

nvl72block_reason as_reason(engine::RefusalReason reason) noexcept {
    switch (reason) {
        case engine::RefusalReason::bad_request:
            return NVL72BLOCK_BAD_REQUEST;
        case engine::RefusalReason::not_enough_nodes:
            return NVL72BLOCK_NOT_ENOUGH_NODES;
        case engine::RefusalReason::required_not_usable:
            return NVL72BLOCK_REQUIRED_NOT_USABLE;
        case engine::RefusalReason::required_outside_too_few:
        case engine::RefusalReason::required_without_island:
            return NVL72BLOCK_REQUIRED_DO_NOT_FIT;
        case engine::RefusalReason::required_not_in_block:
            return NVL72BLOCK_REQUIRED_NOT_IN_BLOCK;
        case engine::RefusalReason::required_do_not_fit:
            return NVL72BLOCK_REQUIRED_DO_NOT_FIT;
        case engine::RefusalReason::no_block_fits:
            return NVL72BLOCK_NO_BLOCK_FITS;
        case engine::RefusalReason::segments_do_not_fit:
            return NVL72BLOCK_SEGMENTS_DO_NOT_FIT;
        case engine::RefusalReason::too_many_base_blocks:
            return NVL72BLOCK_TOO_MANY_BASE_BLOCKS;
        case engine::RefusalReason::not_enough_capacity:
            break;
    }
    return NVL72BLOCK_NOT_ENOUGH_CAPACITY;
}

const engine::Placement* placement_of(const nvl72block_answer* answer) noexcept {
    return answer == nullptr ? nullptr : std::get_if<engine::Placement>(&answer->value);
}

const engine::Refusal* refusal_of(const nvl72block_answer* answer) noexcept {
    return answer == nullptr ? nullptr : std::get_if<engine::Refusal>(&answer->value);
}

void set_sentence(nvl72block_nodes* nodes, const char* sentence) noexcept {
    try {
        *nodes->error = sentence == nullptr ? "" : sentence;
    } catch (...) {
        nodes->out_of_memory = true;
    }
}

void set_range(std::uint64_t* words, std::size_t bits, engine::NodeRange range) noexcept {
    const auto end = static_cast<engine::NodeIndex>(std::min<std::size_t>(range.end, bits));
    for (engine::NodeIndex node = range.begin; node < end; ++node)
        words[node / 64] |= std::uint64_t{1} << (node % 64);
}

}  // namespace

void nvl72block_nodes_add(nvl72block_nodes* nodes, uint32_t node) noexcept {
    try {
        nodes->list->push_back(node);
    } catch (...) {
        nodes->out_of_memory = true;
    }
}

void nvl72block_nodes_fail(nvl72block_nodes* nodes, const char* sentence) noexcept {
    if (nodes->failed) return;  // the first one counts
    nodes->failed = true;
    set_sentence(nodes, sentence);
}

void nvl72block_nodes_warn(nvl72block_nodes* nodes, const char* sentence) noexcept {
    if (!nodes->failed) set_sentence(nodes, sentence);
}

nvl72block_topology* nvl72block_topology_read(const char* path, const nvl72block_reader* reader,
                                              nvl72block_error* error) noexcept {
    return guarded<nvl72block_topology*>(error, nullptr, [&]() -> nvl72block_topology* {
        if (reader == nullptr || reader->resolve == nullptr) {
            set_error(error, NVL72BLOCK_BAD_INPUT, "no topology.conf to read");
            return nullptr;
        }
        engine::Diagnostics diagnostics;
        auto cluster =
            engine::Cluster::read(path == nullptr ? "" : path, as_options(reader->options),
                                  reader->node_count, as_resolver(*reader), diagnostics);
        return as_handle(std::move(cluster), *reader, diagnostics, error);
    });
}

nvl72block_topology* nvl72block_topology_build(const char* source, const nvl72block_block* blocks,
                                               size_t block_count, const uint32_t* sizes,
                                               size_t size_count, const nvl72block_reader* reader,
                                               nvl72block_error* error) noexcept {
    return guarded<nvl72block_topology*>(error, nullptr, [&]() -> nvl72block_topology* {
        if (reader == nullptr || reader->resolve == nullptr) {
            set_error(error, NVL72BLOCK_BAD_INPUT, "node names cannot be read");
            return nullptr;
        }
        engine::Diagnostics diagnostics;
        engine::TopologyConfig config;
        config.file = source == nullptr ? "topology" : base_name(source);
        if (size_count != 0) config.block_sizes.assign(sizes, sizes + size_count);
        for (size_t i = 0; i < block_count; ++i) {
            if (blocks[i].name == nullptr || *blocks[i].name == '\0') {
                diagnostics.push_back({.file = config.file,
                                       .message = "block " + std::to_string(i + 1) + " has no name",
                                       .remedy = "name it"});
                continue;
            }
            config.blocks.push_back({.name = blocks[i].name,
                                     .nodes = blocks[i].nodes == nullptr ? "" : blocks[i].nodes,
                                     .file = config.file});
        }
        std::optional<engine::Cluster> cluster;
        if (!has_error(diagnostics))
            cluster = engine::Cluster::build_from_yaml(
                std::move(config), as_options(reader->options), reader->node_count,
                as_resolver(*reader), diagnostics);
        return as_handle(std::move(cluster), *reader, diagnostics, error);
    });
}

nvl72block_topology* nvl72block_topology_retain(nvl72block_topology* topology) noexcept {
    if (topology != nullptr) topology->references.fetch_add(1, std::memory_order_relaxed);
    return topology;
}

void nvl72block_topology_release(nvl72block_topology* topology) noexcept {
    if (topology == nullptr) return;
    if (topology->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete topology;
}

bool nvl72block_topology_save(const nvl72block_topology* topology, const char* path,
                              nvl72block_save_failed failed, nvl72block_error* error) noexcept {
    return guarded(error, false, [&] {
        if (topology == nullptr || path == nullptr) {
            set_error(error, NVL72BLOCK_BAD_INPUT, "nothing to save");
            return false;
        }
        save(path, topology->cluster.to_topology_conf(), failed);
        return true;
    });
}

nvl72block_topology* nvl72block_topology_move(const nvl72block_topology* topology, uint32_t node,
                                              uint32_t block, nvl72block_error* error) noexcept {
    return guarded<nvl72block_topology*>(error, nullptr, [&]() -> nvl72block_topology* {
        if (topology == nullptr || node >= topology->model().node_count() ||
            (block != engine::no_block && block >= topology->model().block_count())) {
            set_error(error, NVL72BLOCK_BAD_INPUT, "no such node or block");
            return nullptr;
        }
        return new nvl72block_topology(topology->cluster.with_node_in(node, block));
    });
}

nvl72block_topology* nvl72block_topology_add_block(const nvl72block_topology* topology,
                                                   const char* name,
                                                   nvl72block_error* error) noexcept {
    return guarded<nvl72block_topology*>(error, nullptr, [&]() -> nvl72block_topology* {
        if (topology == nullptr || name == nullptr || *name == '\0') {
            set_error(error, NVL72BLOCK_BAD_INPUT, "a block needs a name");
            return nullptr;
        }
        return new nvl72block_topology(topology->cluster.with_block(name));
    });
}

nvl72block_clique_mode nvl72block_topology_clique_mode(
    const nvl72block_topology* topology) noexcept {
    return topology == nullptr
               ? NVL72BLOCK_CLIQUES_OFF
               : static_cast<nvl72block_clique_mode>(topology->cluster.clique_mode());
}

size_t nvl72block_topology_node_count(const nvl72block_topology* topology) noexcept {
    return topology == nullptr ? 0 : topology->model().node_count();
}

uint32_t nvl72block_topology_block_count(const nvl72block_topology* topology) noexcept {
    return topology == nullptr ? 0 : topology->model().block_count();
}

uint32_t nvl72block_topology_planning_size(const nvl72block_topology* topology) noexcept {
    return topology == nullptr ? 0 : topology->model().planning_size();
}

uint32_t nvl72block_topology_level_count(const nvl72block_topology* topology) noexcept {
    return topology == nullptr ? 0 : static_cast<uint32_t>(topology->model().levels().size());
}

uint32_t nvl72block_topology_level_exponent(const nvl72block_topology* topology,
                                            uint32_t level) noexcept {
    return level < nvl72block_topology_level_count(topology)
               ? topology->model().levels()[level].exponent
               : 0;
}

const char* nvl72block_topology_block_name(const nvl72block_topology* topology,
                                           uint32_t block) noexcept {
    return block < nvl72block_topology_block_count(topology)
               ? topology->model().block_name(block).c_str()
               : nullptr;
}

bool nvl72block_topology_is_hole(const nvl72block_topology* topology, uint32_t block) noexcept {
    return block < nvl72block_topology_block_count(topology) && topology->model().is_hole(block);
}

bool nvl72block_topology_is_listed(const nvl72block_topology* topology, uint32_t level,
                                   uint32_t aggregate) noexcept {
    return level < nvl72block_topology_level_count(topology) &&
           aggregate < topology->model().levels()[level].aggregates &&
           topology->model().is_listed(level, aggregate);
}

const char* nvl72block_topology_block_text(const nvl72block_topology* topology,
                                           uint32_t block) noexcept {
    if (block >= nvl72block_topology_block_count(topology)) return nullptr;
    const std::string& text = topology->cluster.nodes_text(block);
    return topology->cluster.is_changed(block) || text.empty() ? nullptr : text.c_str();
}

bool nvl72block_topology_block_changed(const nvl72block_topology* topology,
                                       uint32_t block) noexcept {
    return block < nvl72block_topology_block_count(topology) && topology->cluster.is_changed(block);
}

uint32_t nvl72block_topology_find_block(const nvl72block_topology* topology,
                                        const char* name) noexcept {
    if (topology == nullptr || name == nullptr) return NVL72BLOCK_NO_BLOCK;
    return guarded<uint32_t>(nullptr, NVL72BLOCK_NO_BLOCK,
                             [&] { return topology->model().find_block(name); });
}

uint32_t nvl72block_topology_block_of(const nvl72block_topology* topology, uint32_t node) noexcept {
    return node < nvl72block_topology_node_count(topology) ? topology->model().block_of(node)
                                                           : NVL72BLOCK_NO_BLOCK;
}

bool nvl72block_topology_touches(const nvl72block_topology* topology,
                                 nvl72block_view set) noexcept {
    return topology != nullptr && topology->cluster.touches(as_view(set));
}

void nvl72block_topology_members(const nvl72block_topology* topology, uint32_t first, uint32_t last,
                                 uint64_t* words, size_t bits) noexcept {
    last = std::min(last, nvl72block_topology_block_count(topology));
    for (engine::BlockIndex block = first; block < last; ++block)
        for (const engine::NodeRange& range : topology->model().ranges(block))
            set_range(words, bits, range);
}

void nvl72block_topology_complete(const nvl72block_topology* topology, uint64_t* words,
                                  size_t bits) noexcept {
    const uint32_t blocks = nvl72block_topology_block_count(topology);
    const engine::NodeSetView set(words, bits);
    for (engine::BlockIndex block = 0; block < blocks; ++block)
        if (topology->model().count(block, set) != 0)
            for (const engine::NodeRange& range : topology->model().ranges(block))
                set_range(words, bits, range);
}

uint32_t nvl72block_fragmentation(const nvl72block_topology* topology,
                                  nvl72block_fragmentation_kind kind,
                                  nvl72block_view available) noexcept {
    if (topology == nullptr) return 0;
    return guarded<uint32_t>(nullptr, 0, [&] {
        return kind == NVL72BLOCK_FRAGMENTATION_USABLE
                   ? engine::fragmentation_usable(topology->model(), as_view(available))
                   : engine::fragmentation_stock(topology->model(), as_view(available));
    });
}

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
        engine::Answer answer = engine::place(topology->model(), as_request(*request),
                                              as_state(*state, *topology), budget);
#ifdef NVL72BLOCK_PLANTS
        engine::capi::plant_fault(answer);
#endif
        return new nvl72block_answer{.value = std::move(answer), .sentence = {}};
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
    return refusal == nullptr ? NVL72BLOCK_BAD_REQUEST : as_reason(refusal->reason);
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
