// SPDX-License-Identifier: GPL-2.0-or-later
//
// What one decision costs: CPU time of this thread, and memory by counting every allocation of the
// program (allocations.hpp).
#pragma once

#include <cstddef>

#include "nvl72block/placement.hpp"

namespace nvl72block::bench {

struct Measured {
    Answer answer;
    double milliseconds = 0;
    std::size_t bytes = 0;  ///< most at any time beyond what was there before
};

[[nodiscard]] Measured measured_place(const Topology& topology, const Request& request,
                                      const State& state, const Budget& budget = {});

[[nodiscard]] bool is_proven(const Answer& answer);
[[nodiscard]] std::uint64_t steps_of(const Answer& answer);

}  // namespace nvl72block::bench
