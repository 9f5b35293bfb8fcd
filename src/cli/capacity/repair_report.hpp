// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `nvl72block capacity` prints of the nodes to be repaired first.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/capacity/repairs.hpp"

namespace nvl72block::cli {

/// The first ones, one a line; empty for none.
[[nodiscard]] std::string repairs_text(const ClusterState& state,
                                       const std::vector<Repair>& repairs);

[[nodiscard]] nlohmann::ordered_json repairs_json(const ClusterState& state,
                                                  const std::vector<Repair>& repairs);

}  // namespace nvl72block::cli
