// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers of nodes or segments that fit, which may be lower bounds.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "nvl72block/headroom.hpp"

namespace nvl72block::cli {

/// "12", or "at least 12".
[[nodiscard]] inline std::string fit_text(const FitCount& fit) {
    return fmt::format("{}{}", fit.exact ? "" : "at least ", fit.count);
}

/// Adds the number as `key`, and for a lower bound `at_least`.
inline void add_fit(nlohmann::ordered_json& object, const char* key, const FitCount& fit,
                    const char* at_least = "at_least") {
    object[key] = fit.count;
    if (!fit.exact) object[at_least] = true;
}

}  // namespace nvl72block::cli
