// SPDX-License-Identifier: GPL-2.0-or-later
//
// The engine's own placement under one of its policies.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "replay/strategies/strategy.hpp"

namespace nvl72block::replay {

/// What the engine does with a job on the free nodes; nullopt where it does not fit. `demand` is
/// for Policy::demand.
[[nodiscard]] std::optional<Placement> choose_by_engine(const Topology& topology, const Job& job,
                                                        NodeSetView free, Policy policy,
                                                        std::span<const DemandSize> demand = {});

class EngineStrategy : public Strategy {
  public:
    EngineStrategy(std::string name, Policy policy) : name_(std::move(name)), policy_(policy) {}

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::optional<Placement> choose(const Topology& topology, const Job& job,
                                                  NodeSetView free) const override;

  private:
    std::string name_;
    Policy policy_;
};

}  // namespace nvl72block::replay
