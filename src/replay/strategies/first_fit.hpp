// SPDX-License-Identifier: GPL-2.0-or-later
//
// Baseline without topology: the free nodes of lowest index, as a scheduler takes them that does
// not know of racks. It obeys no block rule; segments are what its nodes cut into.
#pragma once

#include "replay/strategies/strategy.hpp"

namespace nvl72block::replay {

class FirstFit : public Strategy {
  public:
    [[nodiscard]] std::string name() const override { return "first-fit"; }
    [[nodiscard]] std::optional<Placement> choose(const Topology& topology, const Job& job,
                                                  NodeSetView free) const override;
};

}  // namespace nvl72block::replay
