// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <set>

#include "cli/inventory/words.hpp"
#include "cli/state/parse.hpp"
#include "cli/state/record.hpp"
#include "text/excerpt.hpp"

namespace nvl72block::cli {
namespace {

/// A block's index that is far beyond the others is no hole but a mistake.
constexpr std::uint64_t widest_gap = 1U << 16;

}  // namespace

TopologyConfig parse_blocks(std::string_view text, Notes& notes) {
    TopologyConfig config;
    config.file = "scontrol show topology";
    std::set<std::uint32_t> sizes;
    unsigned number = 0;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        ++number;
        const Record record(line);
        const bool base = line.starts_with("BlockName=");
        if (!base && !line.starts_with("AggregatedBlock=")) {
            if (!trim(line).empty())
                notes.add(
                    fmt::format("a line about the topology is not understood: {}", excerpt(line)));
            continue;
        }
        if (const auto size = number_or_zero(record.value("BlockSize"));
            size > 0 && size <= max_cluster_nodes)
            sizes.insert(static_cast<std::uint32_t>(size));
        if (!base) continue;
        const std::uint64_t index = number_or_zero(record.value("BlockIndex"));
        while (config.blocks.size() < index && index < config.blocks.size() + widest_gap)
            config.blocks.push_back({"", "", config.file, number, true});
        config.blocks.push_back({std::string(record.value("BlockName")),
                                 std::string(record.value("Nodes")), config.file, number, false});
    }
    config.block_sizes.assign(sizes.begin(), sizes.end());
    return config;
}

}  // namespace nvl72block::cli
