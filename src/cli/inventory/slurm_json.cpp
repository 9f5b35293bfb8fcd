// SPDX-License-Identifier: GPL-2.0-or-later
//
// `scontrol show nodes --json`.
#include <fmt/format.h>

#include "cli/inventory/json_text.hpp"

namespace nvl72block {
namespace {

/// Newer data parsers write a list, the oldest ones a string.
std::string features_of(const nlohmann::json& node) {
    if (const std::string* text = string_under(node, "features")) return *text;
    std::string joined;
    const auto list = node.find("features");
    if (list == node.end() || !list->is_array()) return joined;
    for (const nlohmann::json& feature : *list)
        if (const auto* text = feature.get_ptr<const std::string*>())
            joined += (joined.empty() ? "" : ",") + *text;
    return joined;
}

}  // namespace

void read_slurm_json(const InventorySource& source, Inventory& inventory,
                     Diagnostics& diagnostics) {
    const nlohmann::json json = parse_json(source, diagnostics);
    if (json.is_discarded()) return;
    const auto nodes = json.is_object() ? json.find("nodes") : json.end();
    if (!json.is_object() || nodes == json.end() || !nodes->is_array())
        return report_shape(source, "the JSON has no list \"nodes\"",
                            "save the output of scontrol show nodes --json, or of kubectl get "
                            "nodes -o json",
                            diagnostics);
    for (std::size_t i = 0; i < nodes->size(); ++i) {
        const nlohmann::json& node = (*nodes)[i];
        const std::string* name = string_under(node, "name");
        if (name == nullptr || name->empty())
            return report_shape(source, fmt::format("entry {} of \"nodes\" has no name", i + 1),
                                "save the tool's output unchanged", diagnostics);
        inventory.add(*name, read_clique(features_of(node), source.prefix));
    }
}

}  // namespace nvl72block
