// SPDX-License-Identifier: GPL-2.0-or-later
//
// `kubectl get nodes -o json`: the label that NVIDIA's device plugin sets.
#include <fmt/format.h>

#include "cli/inventory/json_text.hpp"

namespace nvl72block {
namespace {

constexpr const char* clique_label = "nvidia.com/gpu.clique";

NodeClique clique_of(const nlohmann::json& metadata) {
    const auto labels = metadata.find("labels");
    const std::string* label =
        labels == metadata.end() ? nullptr : string_under(*labels, clique_label);
    return label == nullptr || label->empty() ? NodeClique() : read_clique_name(*label);
}

/// One object of kind Node; false if it has no name.
bool read_node(const nlohmann::json& node, Inventory& inventory) {
    if (!node.is_object()) return false;
    const auto metadata = node.find("metadata");
    const std::string* name = metadata == node.end() ? nullptr : string_under(*metadata, "name");
    if (name == nullptr || name->empty()) return false;
    inventory.add(*name, clique_of(*metadata));
    return true;
}

}  // namespace

void read_kubectl_json(const InventorySource& source, Inventory& inventory,
                       Diagnostics& diagnostics) {
    constexpr const char* remedy = "save the output of kubectl get nodes -o json unchanged";
    const nlohmann::json json = parse_json(source, diagnostics);
    if (json.is_discarded()) return;
    if (!json.is_object())
        return report_shape(source, "the JSON is not an object", remedy, diagnostics);
    const std::string* kind = string_under(json, "kind");
    if (kind != nullptr && *kind == "Node" && read_node(json, inventory)) return;
    const auto items = json.find("items");
    if (items == json.end() || !items->is_array())
        return report_shape(source, "the JSON has no list \"items\"", remedy, diagnostics);
    for (std::size_t i = 0; i < items->size(); ++i)
        if (!read_node((*items)[i], inventory))
            return report_shape(source, fmt::format("entry {} of \"items\" has no name", i + 1),
                                remedy, diagnostics);
}

}  // namespace nvl72block
