// SPDX-License-Identifier: GPL-2.0-or-later
//
// The engine's policy demand: it keeps slots for the jobs that this cluster runs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "nvl72block/learned_demand.hpp"
#include "replay/strategies/strategy.hpp"

namespace nvl72block::replay {

class DemandStrategy : public Strategy {
  public:
    explicit DemandStrategy(DemandSource source) : source_(std::move(source)) {}

    [[nodiscard]] std::string name() const override { return "demand"; }
    void begin(const Topology& topology, const std::vector<Job>& jobs) override;
    void watch(std::int64_t time, std::span<const Job* const> queue) override;
    [[nodiscard]] std::optional<Placement> choose(const Topology& topology, const Job& job,
                                                  NodeSetView free) const override;

  private:
    DemandSource source_;
    LearnedDemand::Ground ground_;
    LearnedDemand learned_;
    Demand demand_;
};

}  // namespace nvl72block::replay
