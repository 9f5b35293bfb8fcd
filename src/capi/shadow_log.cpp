// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary of shadow mode's records.
#include <fmt/format.h>

#include <boost/crc.hpp>
#include <memory>
#include <string>

#include "capi/handles.hpp"
#include "files/state_saver.hpp"
#include "nvl72block/engine.h"
#include "nvl72block/shadow_record.hpp"

namespace engine = nvl72block;
using engine::capi::as_view;
using engine::capi::guarded;
using engine::capi::set_error;

struct nvl72block_record {
    engine::ShadowRecord value;
    bool complete = true;
};

struct nvl72block_log {
    nvl72block_log(std::string path_, std::size_t limit_, nvl72block_save_failed failed_)
        : path(std::move(path_)), limit(limit_), failed(failed_) {}
    nvl72block_log(const nvl72block_log&) = delete;
    nvl72block_log& operator=(const nvl72block_log&) = delete;
    ~nvl72block_log() { nvl72block_topology_release(described); }

    std::string path;
    std::size_t limit;
    nvl72block_save_failed failed;
    nvl72block_topology* described = nullptr;
    std::string head;  // its line
    std::string id;
};

namespace {

/// Runs `change` on the record's fields; what fails makes it incomplete.
template <typename Change>
void change(nvl72block_record* record, Change body) noexcept {
    if (record == nullptr) return;
    record->complete &= guarded(nullptr, false, [&] {
        body(record->value.fields);
        return true;
    });
}

void append(const nvl72block_log& log, std::string line) {
    engine::StateSaver::of_process().append(log.path, log.head, std::move(line), log.limit,
                                            [failed = log.failed](const std::string& sentence) {
                                                if (failed != nullptr) failed(sentence.c_str());
                                            });
}

std::string sizes_text(const nvl72block_topology* topology) {
    std::string text;
    for (uint32_t level = 0; level < nvl72block_topology_level_count(topology); ++level)
        text += fmt::format("{}{}", level == 0 ? "" : ",",
                            nvl72block_topology_planning_size(topology)
                                << nvl72block_topology_level_exponent(topology, level));
    return text;
}

std::string members_text(const engine::Topology& topology, engine::BlockIndex block) {
    engine::NodeSet nodes(topology.node_count());
    for (const engine::NodeRange& range : topology.ranges(block))
        for (engine::NodeIndex node = range.begin; node < range.end; ++node) nodes.set(node);
    return engine::node_ranges(nodes);
}

engine::ShadowRecord description(const nvl72block_topology* topology, const char* options,
                                 const char* slurm) {
    engine::ShadowRecord record{.kind = "topology", .fields = {}};
    const engine::Topology& model = topology->model();
    record.fields["nodes"] = std::to_string(model.node_count());
    record.fields["sizes"] = sizes_text(topology);
    record.fields["options"] = options;
    record.fields["slurm"] = slurm;
    for (engine::BlockIndex block = 0; block < model.block_count(); ++block)
        record.fields[fmt::format("block.{:05}", block)] = members_text(model, block);
    return record;
}

/// Of the line: two topologies that differ have different ones.
std::string id_of(const std::string& line) {
    boost::crc_32_type crc;
    crc.process_bytes(line.data(), line.size());
    return fmt::format("{:08x}", crc.checksum());
}

void describe(nvl72block_log& log, nvl72block_topology* topology, const char* options,
              const char* slurm) {
    engine::ShadowRecord told = description(topology, options, slurm);
    std::string id = id_of(to_line(told));
    if (id != log.id) {
        told.fields["id"] = id;
        log.head = to_line(told);
        log.id = std::move(id);
        append(log, log.head);
    }
    nvl72block_topology_release(log.described);
    log.described = nvl72block_topology_retain(topology);
}

}  // namespace

nvl72block_log* nvl72block_log_create(const char* path, size_t limit, nvl72block_save_failed failed,
                                      nvl72block_error* error) noexcept {
    return guarded<nvl72block_log*>(error, nullptr, [&]() -> nvl72block_log* {
        if (path == nullptr || limit == 0) {
            set_error(error, NVL72BLOCK_BAD_INPUT, "no file for records");
            return nullptr;
        }
        return new nvl72block_log(path, limit, failed);
    });
}

void nvl72block_log_free(nvl72block_log* log) noexcept {
    delete log;
}

nvl72block_record* nvl72block_record_create(const char* kind) noexcept {
    return guarded<nvl72block_record*>(nullptr, nullptr, [&] {
        return new nvl72block_record{.value = {.kind = kind, .fields = {}}};
    });
}

size_t nvl72block_record_bytes(const nvl72block_record* record) noexcept {
    constexpr std::size_t entry = 160;  // of the map: two strings and links
    std::size_t bytes = sizeof(nvl72block_record);
    if (record == nullptr) return 0;
    for (const auto& [key, value] : record->value.fields)
        bytes += entry + key.size() + value.size();
    return bytes;
}

void nvl72block_record_free(nvl72block_record* record) noexcept {
    delete record;
}

void nvl72block_record_number(nvl72block_record* record, const char* key, uint64_t value) noexcept {
    change(record, [&](auto& fields) { fields[key] = std::to_string(value); });
}

void nvl72block_record_text(nvl72block_record* record, const char* key, const char* text) noexcept {
    if (text == nullptr || text[0] == '\0') return;
    change(record, [&](auto& fields) { fields[key] = text; });
}

void nvl72block_record_nodes(nvl72block_record* record, const char* key,
                             nvl72block_view nodes) noexcept {
    change(record, [&](auto& fields) { fields[key] = engine::node_ranges(as_view(nodes)); });
}

void nvl72block_record_weight(nvl72block_record* record, const char* key, uint64_t weight,
                              nvl72block_view nodes) noexcept {
    change(record, [&](auto& fields) {
        std::string& text = fields[key];
        text += fmt::format("{}{}:{}", text.empty() ? "" : ";", weight,
                            engine::node_ranges(as_view(nodes)));
    });
}

bool nvl72block_log_append(nvl72block_log* log, nvl72block_record* record) noexcept {
    const std::unique_ptr<nvl72block_record> owned(record);
    return guarded(nullptr, false, [&] {
        if (log == nullptr || !owned || !owned->complete) return false;
        append(*log, to_line(owned->value));
        return true;
    });
}

void nvl72block_log_describe(nvl72block_log* log, nvl72block_record* record,
                             nvl72block_topology* topology, const char* options,
                             const char* slurm) noexcept {
    if (log == nullptr || topology == nullptr) return;
    change(record, [&](auto& fields) {
        if (topology != log->described) describe(*log, topology, options, slurm);
        fields["topology"] = log->id;
    });
}
