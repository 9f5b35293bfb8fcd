// SPDX-License-Identifier: GPL-2.0-or-later
#include "throughput/fabric.hpp"

#include <algorithm>
#include <numeric>

namespace nvl72block::throughput {
namespace {

// Fitted to the all-reduce of one rack: this share of the line rate, after a fixed time.
constexpr double ring_share = 860.0 / 900.0;
constexpr double ring_seconds = 0.62e-3;
// Fitted to the all-to-all of four GPUs.
constexpr double exchange_share = 700.0 / 900.0;
constexpr double exchange_seconds = 42e-6;
// Fitted to the smallest all-reduce of 20 racks: one of the 2 (n - 1) steps of a ring over n racks.
constexpr double rack_step_seconds = 0.11e-3;
// Fitted to the largest all-reduce of 20 racks: further racks slow a communicator of all GPUs.
constexpr double contention_per_rack = 0.2;

double gpus_of(std::span<const std::uint32_t> parts) {
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

/// GPUs that talk to their likes in other racks, one each, have ways of their own.
double contention(std::span<const std::uint32_t> parts) {
    const bool single =
        std::all_of(parts.begin(), parts.end(), [](auto part) { return part == 1; });
    return single || parts.size() < 2
               ? 1
               : 1 + contention_per_rack * static_cast<double>(parts.size() - 2);
}

/// One direction of a collective: what a rack lacks comes in through the network of its own GPUs.
double one_way(const Fabric& fabric, double bytes, std::span<const std::uint32_t> parts) {
    const double largest = *std::max_element(parts.begin(), parts.end());
    double inside = 0;
    if (largest > 1)
        inside = ring_seconds / 2 + bytes * (largest - 1) / largest / (fabric.inside * ring_share);
    if (parts.size() == 1) return inside;
    const double smallest = *std::min_element(parts.begin(), parts.end());
    const double missing = bytes * (1 - smallest / gpus_of(parts));
    return inside + static_cast<double>(parts.size() - 1) * rack_step_seconds +
           contention(parts) * missing / (smallest * fabric.outside);
}

}  // namespace

Parts one_per_rack(std::size_t racks) {
    return Parts(racks, 1);
}

Parts even_parts(std::uint32_t nodes, std::uint32_t racks) {
    Parts parts(racks, nodes / racks * gpus_per_node);
    for (std::uint32_t rack = 0; rack < nodes % racks; ++rack) parts[rack] += gpus_per_node;
    return parts;
}

double all_reduce(const Fabric& fabric, double bytes, std::span<const std::uint32_t> parts) {
    return 2 * one_way(fabric, bytes, parts);
}

double all_gather(const Fabric& fabric, double bytes, std::span<const std::uint32_t> parts) {
    return one_way(fabric, bytes, parts);
}

double all_to_all(const Fabric& fabric, double bytes, std::span<const std::uint32_t> parts) {
    const double gpus = gpus_of(parts);
    if (gpus < 2) return 0;
    const double smallest = *std::min_element(parts.begin(), parts.end());
    const double share = bytes / (gpus - 1);
    return exchange_seconds + share * (smallest - 1) / (fabric.inside * exchange_share) +
           share * (gpus - smallest) / fabric.outside;
}

}  // namespace nvl72block::throughput
