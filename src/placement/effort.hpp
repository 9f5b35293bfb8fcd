// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a decision cost, and how far its searches can be relied on.
#pragma once

#include <cstdint>

namespace nvl72block {

/// Shared by the searches of one decision; each adds to it.
struct Effort {
    std::uint64_t steps = 0;  ///< blocks looked at, cost sums formed
    bool best = true;         ///< no search settled for less than the best answer
    bool complete = true;     ///< no search gave up where there may be an answer
};

}  // namespace nvl72block
