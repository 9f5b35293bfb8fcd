// SPDX-License-Identifier: GPL-2.0-or-later
//
// JSON on one line, whatever bytes the names in it are made of.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "text/printable.hpp"

namespace nvl72block::cli {

/// Bytes that are not UTF-8 become U+FFFD (dump() alone would throw), and what is not printable is
/// escaped.
[[nodiscard]] inline std::string json_line(const nlohmann::ordered_json& json) {
    return printable(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace nvl72block::cli
