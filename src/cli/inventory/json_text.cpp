// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/inventory/json_text.hpp"

namespace nvl72block {

void report_shape(const InventorySource& source, const std::string& message,
                  const std::string& remedy, Diagnostics& diagnostics) {
    diagnostics.push_back({Severity::error, source.file, 0, message, remedy});
}

nlohmann::json parse_json(const InventorySource& source, Diagnostics& diagnostics) {
    nlohmann::json json = nlohmann::json::parse(source.text, nullptr, false);
    if (json.is_discarded())
        report_shape(source, "invalid or incomplete JSON", "save the tool's output unchanged",
                     diagnostics);
    return json;
}

const std::string* string_under(const nlohmann::json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : found->get_ptr<const std::string*>();
}

}  // namespace nvl72block
