// SPDX-License-Identifier: GPL-2.0-or-later
//
// Handles that free what they hold, and a topology for tests of the C boundary.
#pragma once

#include <cstdint>
#include <memory>

#include "nvl72block/engine.h"

namespace nvl72block::testing {

struct ReleaseTopology {
    void operator()(nvl72block_topology* topology) const { nvl72block_topology_release(topology); }
};
struct FreeAnswer {
    void operator()(nvl72block_answer* answer) const { nvl72block_answer_free(answer); }
};
struct FreeOptions {
    void operator()(nvl72block_options* options) const { nvl72block_options_free(options); }
};
using TopologyHandle = std::unique_ptr<nvl72block_topology, ReleaseTopology>;
using AnswerHandle = std::unique_ptr<nvl72block_answer, FreeAnswer>;
using OptionsHandle = std::unique_ptr<nvl72block_options, FreeOptions>;

inline OptionsHandle read_options(const char* topology_param) {
    return OptionsHandle(nvl72block_options_read(topology_param, nullptr, nullptr, nullptr));
}

/// Two racks of 4, nodes 0 to 7, and nodes 8 and 9 in no block.
inline TopologyHandle two_racks() {
    const nvl72block_block blocks[] = {{"a", "0-3"}, {"b", "4-7"}};
    const std::uint32_t sizes[] = {4, 8};
    nvl72block_reader reader{};
    reader.node_count = 10;
    reader.resolve = [](void*, const char* text, nvl72block_nodes* nodes) {
        for (unsigned node = text[0] - '0'; node <= unsigned(text[2] - '0'); ++node)
            nvl72block_nodes_add(nodes, node);
    };
    return TopologyHandle(
        nvl72block_topology_build("topology.yaml", blocks, 2, sizes, 2, &reader, nullptr));
}

}  // namespace nvl72block::testing
