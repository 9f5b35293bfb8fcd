// SPDX-License-Identifier: GPL-2.0-or-later
//
// The closing summary of `show`, and the whole of it as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/show/shown_cluster.hpp"
#include "nvl72block/headroom.hpp"

namespace nvl72block::cli {

[[nodiscard]] std::string summary_text(const ShownCluster& shown, const Headroom& headroom);

[[nodiscard]] nlohmann::ordered_json show_json(const ShownCluster& shown, const Headroom& headroom);

}  // namespace nvl72block::cli
