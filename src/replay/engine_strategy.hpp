// SPDX-License-Identifier: GPL-2.0-or-later
//
// The engine's own placement under one of its policies.
#pragma once

#include <utility>

#include "replay/strategy.hpp"

namespace nvl72block::replay {

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
