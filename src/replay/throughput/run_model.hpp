// SPDX-License-Identifier: GPL-2.0-or-later
//
// How long a job of the replay runs in its placement, and how much of that is work.
#pragma once

#include <optional>

#include "replay/simulation/run.hpp"
#include "replay/throughput/kind_mix.hpp"
#include "replay/workload/workload.hpp"
#include "throughput/placement_effect.hpp"

namespace nvl72block::replay {

struct ThroughputOptions {
    std::optional<KindMix> kinds;  ///< none: every torn job loses `torn_loss`
    double torn_loss = 0;
    throughput::Fabric fabric = throughput::gb200;
};

/// A job whose group cannot run torn ends after this time without result: the communication
/// library's watchdog (NeMo-RL issue 2986).
inline constexpr std::int64_t watchdog_seconds = 600;

/// The duration of a job is that in its best placement. `options`, `topology` and `jobs` have to
/// outlive the result.
[[nodiscard]] RunModel make_run_model(const ThroughputOptions& options, const Topology& topology,
                                      const std::vector<Job>& jobs, std::uint64_t seed);

}  // namespace nvl72block::replay
