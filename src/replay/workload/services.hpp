// SPDX-License-Identifier: GPL-2.0-or-later
//
// Long-lived small jobs, such as inference services and notebooks.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/workload/random.hpp"
#include "replay/workload/workload.hpp"

namespace nvl72block::replay {

struct ServiceOptions {
    double nodes = 0;        ///< that they want together at any time
    std::int64_t begin = 0;  ///< submitted from here
    std::int64_t end = 0;    ///< to here
};

/// Jobs of 1, 2 and 4 nodes, each size as often as the others, with durations that are log-uniform
/// from a day to 120 days. As soon as those that have not ended want fewer than `nodes`, the next
/// one is submitted. Those that run at `begin` are submitted then, for what is left of their
/// duration and of their time limit. Sorted by submit time, without segments.
[[nodiscard]] std::vector<Job> make_services(const ServiceOptions& options, Limits limits,
                                             Random& random);

}  // namespace nvl72block::replay
