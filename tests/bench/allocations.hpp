// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every allocation of a program that links allocations.cpp is counted.
#pragma once

#include <cstddef>

namespace nvl72block::bench {

/// What a step takes at most beyond what was there before, what it leaves behind, and how often it
/// allocates.
struct Taken {
    std::size_t peak;
    std::size_t kept;
    std::size_t allocations;
};

/// The bytes that are allocated now, the most at any time since the last call of restart_peak(),
/// and the number of allocations.
[[nodiscard]] Taken allocated() noexcept;
void restart_peak() noexcept;

template <typename Step>
[[nodiscard]] Taken measure_allocations(Step step) {
    restart_peak();
    const Taken before = allocated();
    step();
    const Taken after = allocated();
    return {after.peak - before.kept, after.kept - before.kept,
            after.allocations - before.allocations};
}

}  // namespace nvl72block::bench
