// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/throughput/run_model.hpp"

#include <algorithm>
#include <cmath>

namespace nvl72block::replay {

RunModel make_run_model(const ThroughputOptions& options, const Topology& topology,
                        const std::vector<Job>& jobs, std::uint64_t seed) {
    return [&options, &topology, &jobs, seed](std::size_t index, const Placement& placement) {
        const Job& job = jobs[index];
        throughput::Model model{std::nullopt, options.torn_loss, options.fabric};
        if (options.kinds) model.kind = options.kinds->of(seed, index);
        const throughput::Effect effect =
            throughput::placement_effect(topology, placement, job.segment, model);
        if (effect.fails) return Run{std::min(job.duration, watchdog_seconds), 0, true, true};
        const double useful = 1 - effect.loss;
        return Run{std::llround(static_cast<double>(job.duration) / useful), useful,
                   effect.torn_groups != 0, false};
    };
}

}  // namespace nvl72block::replay
