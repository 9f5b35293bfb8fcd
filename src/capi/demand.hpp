// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is behind the handle of a demand.
#pragma once

#include <optional>

#include "nvl72block/engine.h"
#include "nvl72block/learned_demand.hpp"

struct nvl72block_demand {
    nvl72block::Demand stated;
    std::optional<nvl72block::LearnedDemand> learned;  // in place of the stated one

    [[nodiscard]] const nvl72block::Demand& in_force() const {
        return learned ? learned->demand() : stated;
    }
};
