// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text from outside, made fit for XML, HTML and scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "text/xml.hpp"

namespace nvl72block::cli {

/// JSON that may stand in a <script> element: nothing in it ends the element.
[[nodiscard]] std::string script_json(const nlohmann::ordered_json& json);

/// Characters of UTF-8 text; other bytes count for one each.
[[nodiscard]] std::size_t character_count(std::string_view text);

/// At most `most` characters of `text`, the last one an ellipsis if there are more.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

}  // namespace nvl72block::cli
