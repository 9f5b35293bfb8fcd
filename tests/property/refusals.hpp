// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the numbers of a refusal must satisfy among themselves and with the state.
#pragma once

#include <string>

#include "nvl72block/placement.hpp"

namespace nvl72block::oracle {

/// The empty string, or what contradicts what. Linear in nodes.
[[nodiscard]] std::string check_refusal(const Topology& topology, const Request& request,
                                        const State& state, const Refusal& refusal);

}  // namespace nvl72block::oracle
