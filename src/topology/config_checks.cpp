// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology/config_checks.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "text/excerpt.hpp"
#include "topology/block_sizes.hpp"

namespace nvl72block {
namespace {

// Slurm joins block names to a host list such as b[1-2]; a longer number overflows there.
constexpr std::size_t max_trailing_digits = 18;

const std::string& sizes_file(const TopologyConfig& config) {
    return config.block_sizes_file.empty() ? config.file : config.block_sizes_file;
}

void check_sizes(const TopologyConfig& config, Diagnostics& diagnostics) {
    for (SizeFinding& finding : check_block_sizes(config.block_sizes))
        diagnostics.push_back({Severity::error, sizes_file(config), config.block_sizes_line,
                               std::move(finding.message), std::move(finding.remedy)});
}

}  // namespace

void check_block_name(const BlockLine& block, Diagnostics& diagnostics) {
    const std::string start = fmt::format("BlockName={}: ", excerpt(block.name));
    const auto report = [&](std::string_view message, std::string_view remedy) {
        diagnostics.push_back({Severity::error, block.file, block.line,
                               start + std::string(message), std::string(remedy)});
    };
    const std::string_view name = block.name;
    if (name.empty()) return report("the block has no name", "write a name after BlockName=");
    const std::size_t bad = name.find_first_of("[]{}, \t\r\n\v\f");
    if (bad != name.npos)
        return report(fmt::format("'{}' in a name would break the names of the blocks that join it",
                                  excerpt(name.substr(bad, 1))),
                      "use letters, digits, '-', '.' and '_'");
    const std::size_t last_other = name.find_last_not_of("0123456789");
    const std::size_t digits = last_other == name.npos ? name.size() : name.size() - last_other - 1;
    if (digits > max_trailing_digits)
        report(fmt::format("the name ends with {} digits, more than Slurm supports", digits),
               fmt::format("use at most {} digits", max_trailing_digits));
}

std::string location_of(const BlockLine& block, const std::string& seen_from) {
    return block.file == seen_from ? fmt::format("line {}", block.line)
                                   : fmt::format("{} line {}", block.file, block.line);
}

void check_blocks_and_sizes(const TopologyConfig& config, Diagnostics& diagnostics) {
    std::unordered_map<std::string_view, const BlockLine*> first_of_name;
    for (const BlockLine& block : config.blocks) {
        if (block.hole) continue;
        check_block_name(block, diagnostics);
        const auto [found, is_new] = first_of_name.emplace(block.name, &block);
        if (is_new || block.name.empty()) continue;
        diagnostics.push_back({Severity::error, block.file, block.line,
                               fmt::format("BlockName={} is already on {}", excerpt(block.name),
                                           location_of(*found->second, block.file)),
                               "give each block a unique name, with all its nodes on one line"});
    }
    check_sizes(config, diagnostics);
}

void check_any_block(const TopologyConfig& config, Diagnostics& diagnostics) {
    // The line of BlockSizes is the nearest thing to a line where a block is missing.
    if (config.blocks.empty())
        diagnostics.push_back({Severity::error, sizes_file(config), config.block_sizes_line,
                               "no BlockName line",
                               "write one for each rack, e.g. BlockName=b1 Nodes=n[1-18]"});
}

void check_sizes_alone(const TopologyConfig& config, Diagnostics& diagnostics) {
    check_sizes(config, diagnostics);
    if (!config.blocks.empty())
        diagnostics.push_back(
            {Severity::warning, config.blocks.front().file, config.blocks.front().line,
             fmt::format("{} BlockName line{} ignored, the blocks come from the "
                         "cliques",
                         config.blocks.size(), config.blocks.size() == 1 ? " is" : "s are"),
             "remove them, or set Nvl72Clique=verify"});
}

}  // namespace nvl72block
