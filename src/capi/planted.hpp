// SPDX-License-Identifier: GPL-2.0-or-later
//
// Faults of the engine, for the lab's builds alone (NVL72BLOCK_PLANTS): what do shadow mode and the
// sanitizers make of them?
#pragma once

#include <cstdlib>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "nvl72block/placement.hpp"

namespace nvl72block::capi {

/// What the environment variable NVL72BLOCK_PLANT names: "exception", "budget" (two seconds of
/// work), "nodes" (that were not offered), "count" (a node too few), "refusal" (of what fits) or
/// "overrun" (a write behind the end of an array).
inline void plant_fault(Answer& answer) {
    const char* variable = std::getenv("NVL72BLOCK_PLANT");
    const std::string_view fault = variable == nullptr ? "" : variable;
    if (fault == "exception") throw std::runtime_error("a planted fault");
    if (fault == "budget") {
        const std::clock_t end = std::clock() + 2 * CLOCKS_PER_SEC;
        while (std::clock() < end) {
        }
    }
    if (fault == "overrun") {
        const auto array =
            std::make_unique<volatile char[]>(fault.size());  // NOLINT: what is overrun
        array[fault.size()] = 1;
    }
    if (fault == "refusal") answer = Refusal{};
    auto* placement = std::get_if<Placement>(&answer);
    if (placement == nullptr) return;
    if (fault == "nodes") {
        NodeSet others(placement->nodes.size());
        for (NodeIndex node = 0; node < others.size(); ++node)
            if (!placement->nodes.test(node)) others.set(node);
        placement->nodes = others;
    }
    if (fault == "count" && !placement->segment_nodes.empty()) {
        placement->nodes.reset(placement->segment_nodes.back());
        placement->segment_nodes.pop_back();
        --placement->segment_begin.back();
    }
}

}  // namespace nvl72block::capi
