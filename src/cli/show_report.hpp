// SPDX-License-Identifier: GPL-2.0-or-later
//
// The closing summary of `show`, and the whole of it as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/capacity.hpp"
#include "cli/node_states.hpp"
#include "cli/site.hpp"

namespace nvl72block::cli {

[[nodiscard]] std::string summary_text(const Site& site, const NodeStates& states,
                                       const Capacity& capacity);

[[nodiscard]] nlohmann::ordered_json show_json(const Site& site, const NodeStates& states,
                                               const Capacity& capacity);

}  // namespace nvl72block::cli
