// SPDX-License-Identifier: GPL-2.0-or-later
//
// topology.conf as text, with blocks put at the places of their names.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "nvl72block/topology_config.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string text(reinterpret_cast<const char*>(data), size);
    std::string lower = text;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char letter) { return std::tolower(letter); });
    if (lower.find("include") != std::string::npos) return 0;  // it would read this machine's files
    nvl72block::Diagnostics diagnostics;
    auto config = nvl72block::parse_topology_config(text, "topology.conf", diagnostics);
    if (!config && !has_error(diagnostics)) std::abort();
    if (!config) return 0;
    const std::size_t blocks = config->blocks.size();
    nvl72block::aggregate_by_name(*config, diagnostics);
    const auto real = std::count_if(config->blocks.begin(), config->blocks.end(),
                                    [](const auto& block) { return !block.hole; });
    if (static_cast<std::size_t>(real) != blocks) std::abort();
    return 0;
}
