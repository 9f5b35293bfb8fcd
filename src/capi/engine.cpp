// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary: opaque handles around the engine's objects, and exceptions turned into codes.
#include "nvl72block/engine.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capi/handles.hpp"
#include "capi/planted.hpp"
#include "capi/save.hpp"
#include "nvl72block/fragmentation.hpp"
#include "topology/config_checks.hpp"

namespace engine = nvl72block;
using engine::capi::as_options;
using engine::capi::as_view;
using engine::capi::guarded;
using engine::capi::planted;
using engine::capi::save;
using engine::capi::set_error;

struct nvl72block_nodes {
    std::vector<engine::NodeIndex>* list = nullptr;
    std::string* error = nullptr;
    bool failed = false;
    bool out_of_memory = false;
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
        const engine::Options& options = as_options(reader->options);
        auto cluster = engine::Cluster::read(path == nullptr ? "" : path,
                                             reader->saved_of_yaml ? of_yaml(options) : options,
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
        if (planted("move") && block == engine::no_block && topology != nullptr)
            return new nvl72block_topology(topology->cluster);
        if (topology == nullptr || node >= topology->model().node_count() ||
            (block != engine::no_block && block >= topology->model().block_count())) {
            set_error(error, NVL72BLOCK_BAD_INPUT, "no such node or block");
            return nullptr;
        }
        return std::make_unique<nvl72block_topology>(topology->cluster.with_node_in(node, block))
            .release();
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
        engine::BlockLine block;
        block.name = name;
        engine::Diagnostics findings;
        engine::check_block_name(block, findings);
        if (has_error(findings)) {
            set_error(error, NVL72BLOCK_BAD_INPUT, to_string(findings.front()).c_str());
            return nullptr;
        }
        return std::make_unique<nvl72block_topology>(topology->cluster.with_block(name)).release();
    });
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
    if (planted("exclusive")) return;
    for (engine::BlockIndex block = 0; block < blocks; ++block)
        if (topology->model().count(block, set) != 0)
            for (const engine::NodeRange& range : topology->model().ranges(block))
                set_range(words, bits, range);
}

uint32_t nvl72block_fragmentation(const nvl72block_topology* topology,
                                  const nvl72block_options* options,
                                  nvl72block_view available) noexcept {
    if (topology == nullptr) return 0;
    return guarded<uint32_t>(nullptr, 0, [&] {
        return as_options(options).fragmentation == engine::FragmentationScore::usable
                   ? engine::fragmentation_usable(topology->model(), as_view(available))
                   : engine::fragmentation_stock(topology->model(), as_view(available));
    });
}
