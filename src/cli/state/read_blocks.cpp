// SPDX-License-Identifier: GPL-2.0-or-later
#include <set>

#include "cli/input/input_error.hpp"
#include "cli/state/readers.hpp"
#include "text/excerpt.hpp"

namespace nvl72block::cli {
namespace {

/// A block's index that is far beyond the others is no hole but a mistake.
constexpr std::uint64_t widest_gap = 1U << 16;

}  // namespace

TopologyConfig read_blocks(const Document& document) {
    TopologyConfig config;
    config.file = "scontrol show topology";
    if (const std::string error = document.root().text("topology_error"); !error.empty())
        throw InputError(config.file, excerpt(error), "pass a topology.conf with --topology FILE");
    std::set<std::uint32_t> sizes;
    unsigned number = 0;
    document.root().for_each("blocks", [&](const Members& block) {
        ++number;
        if (const auto size = block.number<std::uint64_t>("size");
            size > 0 && size <= max_cluster_nodes)
            sizes.insert(static_cast<std::uint32_t>(size));
        if (block.flag("aggregated")) return;
        const auto index = block.number<std::uint64_t>("index");
        while (config.blocks.size() < index && index < config.blocks.size() + widest_gap)
            config.blocks.push_back({"", "", config.file, number, true});
        config.blocks.push_back(
            {block.text("name"), block.text("nodes"), config.file, number, false});
    });
    config.block_sizes.assign(sizes.begin(), sizes.end());
    return config;
}

}  // namespace nvl72block::cli
