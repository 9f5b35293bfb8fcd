// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which format a text has.
#include "cli/inventory/inventory.hpp"
#include "cli/inventory/words.hpp"

namespace nvl72block {
namespace {

// Long enough for the head of each format, short enough not to read a large file twice.
constexpr std::size_t head_length = 4096;

}  // namespace

InventoryFormat detect_format(std::string_view text) {
    const std::string_view start = trim(text.substr(0, head_length));
    if (start.starts_with('{') || start.starts_with('[')) {
        // kubectl's objects name their kind; Slurm's answer is one object with "nodes".
        const bool kubernetes = text.find("\"apiVersion\"") != text.npos;
        return kubernetes ? InventoryFormat::kubectl_json : InventoryFormat::slurm_json;
    }
    if (start.starts_with("NodeName=")) return InventoryFormat::slurm_text;
    if (start.find(nvidia_smi_title) != start.npos) return InventoryFormat::nvidia_smi;
    return InventoryFormat::two_columns;
}

void read_inventory(const InventorySource& source, Inventory& inventory, Diagnostics& diagnostics) {
    switch (detect_format(source.text)) {
        case InventoryFormat::slurm_text:
            return read_slurm_text(source, inventory, diagnostics);
        case InventoryFormat::slurm_json:
            return read_slurm_json(source, inventory, diagnostics);
        case InventoryFormat::kubectl_json:
            return read_kubectl_json(source, inventory, diagnostics);
        case InventoryFormat::nvidia_smi:
            return read_nvidia_smi(source, inventory, diagnostics);
        case InventoryFormat::two_columns:
            return read_two_columns(source, inventory, diagnostics);
    }
}

}  // namespace nvl72block
