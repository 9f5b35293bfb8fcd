// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line of shadow mode's records, with its checksum or as it would be with the right one.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "nvl72block/shadow_record.hpp"

namespace {

constexpr std::size_t nodes = 200;

void read(const nvl72block::ShadowRecord& record) {
    std::string line = to_line(record);
    line.pop_back();
    const auto again = nvl72block::parse_shadow_line(line);
    if (!again || again->kind != record.kind || again->fields != record.fields) std::abort();
    for (const auto& [key, value] : record.fields) {
        (void)record.number(key);
        const auto set = record.nodes(key, nodes);
        if (set && nvl72block::parse_node_ranges(nvl72block::node_ranges(*set), nodes) != set)
            std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto record = nvl72block::parse_shadow_line(text)) read(*record);
    const auto set = nvl72block::parse_node_ranges(text, nodes);
    if (set && nvl72block::parse_node_ranges(nvl72block::node_ranges(*set), nodes) != set)
        std::abort();
    return 0;
}
