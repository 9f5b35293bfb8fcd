// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ways to choose the nodes of a job that the replay compares.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nvl72block/demand_history.hpp"
#include "nvl72block/placement.hpp"
#include "replay/workload/workload.hpp"

namespace nvl72block::replay {

class Strategy {
  public:
    Strategy() = default;
    Strategy(const Strategy&) = delete;
    Strategy& operator=(const Strategy&) = delete;
    virtual ~Strategy() = default;

    /// The name on the command line and in the report.
    [[nodiscard]] virtual std::string name() const = 0;

    /// A simulation of these jobs begins.
    virtual void begin(const Topology& /*topology*/, const std::vector<Job>& /*jobs*/) {}
    /// Jobs that run or wait at `time`, seconds of the simulation; called once an hour at most.
    virtual void watch(std::int64_t /*time*/, std::span<const Job* const> /*queue*/) {}

    /// Nodes for `job` out of `free`, or nothing.
    [[nodiscard]] virtual std::optional<Placement> choose(const Topology& topology, const Job& job,
                                                          NodeSetView free) const = 0;
};

/// Where policy demand has its demand from.
struct DemandSource {
    enum class Kind {
        learned,  ///< from the jobs that ran and waited so far, as slurmctld learns it
        known,    ///< from all jobs of the simulation
        stated,   ///< `stated`, which may be none
    };
    Kind kind = Kind::learned;
    Demand stated;
    /// What was learned before the first job; nullopt: from the jobs before the measured part.
    std::optional<DemandHistory> history = std::nullopt;
};

/// "demand", "pack" or "compact" (the engine), "stock-26.05" or "stock-24.11" (the greedy order of
/// Slurm's topology/block), "first-fit"; null if there is no such strategy.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(std::string_view name,
                                                      const DemandSource& demand = {});

/// Every name that make_strategy knows, in the order of a report.
[[nodiscard]] const std::vector<std::string>& strategy_names();

}  // namespace nvl72block::replay
