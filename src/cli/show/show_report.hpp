// SPDX-License-Identifier: GPL-2.0-or-later
//
// The closing summary of `show`, and the whole of it as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/input/site.hpp"
#include "cli/show/node_states.hpp"
#include "nvl72block/idle_capacity.hpp"

namespace nvl72block::cli {

[[nodiscard]] std::string summary_text(const Site& site, const NodeStates& states,
                                       const IdleCapacity& capacity);

[[nodiscard]] nlohmann::ordered_json show_json(const Site& site, const NodeStates& states,
                                               const IdleCapacity& capacity);

}  // namespace nvl72block::cli
