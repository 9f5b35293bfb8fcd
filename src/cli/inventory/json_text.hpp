// SPDX-License-Identifier: GPL-2.0-or-later
//
// JSON of other tools: parsed once, with one kind of finding for what does not look as expected.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/inventory/inventory.hpp"

namespace nvl72block {

/// The parsed text; a discarded value and a finding if it is no JSON.
[[nodiscard]] nlohmann::json parse_json(const InventorySource& source, Diagnostics& diagnostics);

/// A finding about the text as a whole.
void report_shape(const InventorySource& source, const std::string& message,
                  const std::string& remedy, Diagnostics& diagnostics);

/// The string under `key` of an object; nullptr if there is none.
[[nodiscard]] const std::string* string_under(const nlohmann::json& object, const char* key);

}  // namespace nvl72block
