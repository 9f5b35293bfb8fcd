// SPDX-License-Identifier: GPL-2.0-or-later
//
// The comparison in words and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/shadow/shadow_summary.hpp"

namespace nvl72block::cli {

/// A figure and its name.
using ShadowFigures = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] ShadowFigures shadow_figures(const ShadowFile& file, const ShadowSummary& summary);

/// "2026-11-24 12:00:00 job 17: 32 nodes, segments of 16: topology/block 4 racks, nvl72block 2
/// racks (decision 12)"
[[nodiscard]] std::string decision_line(const ShadowFile& file, std::size_t number);

/// What such a comparison leaves open.
[[nodiscard]] const std::vector<std::string>& shadow_limits();

[[nodiscard]] std::string shadow_text(const ShadowFile& file, const ShadowSummary& summary);
[[nodiscard]] nlohmann::ordered_json shadow_json(const ShadowFile& file,
                                                 const ShadowSummary& summary);

}  // namespace nvl72block::cli
