// SPDX-License-Identifier: GPL-2.0-or-later
//
// Faults of the engine, for the lab's builds alone (NVL72BLOCK_PLANTS): what do shadow mode, the
// sanitizers, the simulator, the soak and the comparison with Slurm make of them?
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "nvl72block/placement.hpp"

namespace nvl72block::capi {

/// Whether the environment variable NVL72BLOCK_PLANT names this fault. Besides those of
/// plant_fault() there are "move" (a node that leaves its block stays), "exclusive" (blocks are not
/// completed), "stale" (cliques are read once), "save" (half of a file is written) and, in
/// the plugin, "lock" (one is not taken).
inline bool planted([[maybe_unused]] std::string_view fault) {
#ifdef NVL72BLOCK_PLANTS
    const char* variable = std::getenv("NVL72BLOCK_PLANT");
    return variable != nullptr && fault == variable;
#else
    return false;
#endif
}

/// A placement, the node that it gives up, and the first node that `allowed` lets it have instead.
template <typename Allowed>
void exchange(Placement& placement, std::size_t position, Allowed allowed) {
    for (NodeIndex node = 0; node < placement.nodes.size(); ++node) {
        if (placement.nodes.test(node) || !allowed(node)) continue;
        placement.nodes.reset(placement.segment_nodes[position]);
        placement.nodes.set(node);
        placement.segment_nodes[position] = node;
        return;
    }
}

/// Faults of what is answered: "nodes" (that were not offered), "count" (a node too few), "torn" (a
/// node of another block), "outside" (a node in no block among others), "required" (a node left
/// out).
inline void plant_in_placement(Placement& placement, const Topology& topology,
                               const Request& request, const State& state) {
    const auto usable = [&](NodeIndex node) { return state.usable.test(node); };
    const std::size_t last = placement.segment_nodes.size() - 1;
    const BlockIndex block = topology.block_of(placement.segment_nodes[last]);
    if (planted("nodes")) {
        NodeSet others(placement.nodes.size());
        for (NodeIndex node = 0; node < others.size(); ++node)
            if (!placement.nodes.test(node)) others.set(node);
        placement.nodes = others;
    }
    if (planted("count")) {
        placement.nodes.reset(placement.segment_nodes.back());
        placement.segment_nodes.pop_back();
        --placement.segment_begin.back();
    }
    if (planted("torn"))
        exchange(placement, last, [&](NodeIndex node) {
            return usable(node) && topology.block_of(node) != block &&
                   topology.block_of(node) != no_block;
        });
    if (planted("outside"))
        exchange(placement, last, [&](NodeIndex node) {
            return usable(node) && topology.block_of(node) == no_block;
        });
    if (planted("required"))
        for (std::size_t i = 0; i <= last; ++i)
            if (request.required.size() > 0 && request.required.test(placement.segment_nodes[i])) {
                exchange(placement, i, usable);
                break;
            }
}

/// Faults of memory and arithmetic: "overrun" (a write behind the end of an array), "freed" (a read
/// of what was given back), "overflow" (of a signed number) and "leak".
inline void plant_in_memory() {
    constexpr std::size_t size = 1 << 20;
    if (planted("overrun") || planted("freed")) {
        const std::size_t few = 8;
        auto array = std::make_unique<volatile char[]>(few);  // NOLINT: what is overrun
        static volatile char* volatile kept = nullptr;  // the compiler does not see through it
        kept = array.get();
        if (planted("overrun")) array[few] = 1;
        array.reset();
        if (planted("freed")) static_cast<void>(kept[0]);
    }
    if (planted("overflow")) {
        volatile int most = std::numeric_limits<int>::max();
        most = most + 1;
    }
    if (planted("leak")) {
        static char* volatile lost = nullptr;
        lost = new char[size];  // NOLINT: what is lost
        std::fill_n(lost, size, 'x');
    }
}

/// "late": a decision gets the answer of the one before.
inline void plant_delay(Answer& answer) {
    static Answer before = Refusal{};
    if (planted("late")) std::swap(answer, before);
}

/// Faults of a decision: those above and of plant_in_placement(), "exception", "budget" (more CPU
/// time than shadow mode lets an answer take), "refusal" (of what fits), "numbers" (a refusal with
/// wrong numbers) and "file" (one is opened that is not its own).
inline void plant_fault(Answer& answer, const Topology& topology, const Request& request,
                        const State& state) {
    if (planted("exception")) throw std::runtime_error("a planted fault");
    plant_in_memory();
    plant_delay(answer);
    if (planted("budget")) {
        const std::clock_t end = std::clock() + CLOCKS_PER_SEC * 3 / 5;
        while (std::clock() < end) {
        }
    }
    if (planted("file"))
        if (std::FILE* other = std::fopen("/etc/hostname", "r")) std::fclose(other);
    if (planted("refusal")) answer = Refusal{};
    if (auto* refusal = std::get_if<Refusal>(&answer); refusal != nullptr) {
        if (planted("numbers")) ++refusal->usable_nodes;
    }
    if (auto* placement = std::get_if<Placement>(&answer);
        placement != nullptr && !placement->segment_nodes.empty())
        plant_in_placement(*placement, topology, request, state);
}

}  // namespace nvl72block::capi
