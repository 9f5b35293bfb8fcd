// SPDX-License-Identifier: GPL-2.0-or-later
//
// One inventory format, the READER that the build defines.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cli/inventory/inventory.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    nvl72block::Inventory inventory;
    nvl72block::Diagnostics diagnostics;
    nvl72block::READER({text, "file", "host", "p-"}, inventory, diagnostics);
    for (const nvl72block::InventoryNode& node : inventory.nodes())
        if (inventory.find(node.name) != &node) std::abort();  // a node is there once
    for (const nvl72block::Diagnostic& diagnostic : diagnostics)
        if (to_string(diagnostic).find('\n') != std::string::npos) std::abort();  // one line each
    return 0;
}
