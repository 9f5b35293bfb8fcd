// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inventories as text for tests: "n1=<uuid>.1 n2=- n3=PROBLEM", or the finding.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "cli/inventory/inventory.hpp"

namespace nvl72block {

inline const std::string clique_a = "b78ed242-7b98-426f-b194-b76b8899f4ea.32766";
inline const std::string clique_b = "b78ed242-7b98-426f-b194-b76b8899f4eb.32766";

inline std::string describe(const Inventory& inventory) {
    std::string text;
    for (const InventoryNode& node : inventory.nodes()) {
        text += (text.empty() ? "" : " ") + node.name + "=";
        if (node.clique.problem == CliqueProblem::none)
            text += to_string(node.clique.identity);
        else if (node.clique.problem == CliqueProblem::absent)
            text += "-";
        else
            text += std::string(to_string(node.clique.problem)) + " [" + node.clique.text + "]";
    }
    return text;
}

/// Reads `text` as read_inventory does, from "file" of host "h1".
inline std::string read_text(std::string_view text, const std::string& prefix = "") {
    Inventory inventory;
    Diagnostics diagnostics;
    read_inventory({text, "file", "h1", prefix}, inventory, diagnostics);
    std::string findings;
    for (const Diagnostic& diagnostic : diagnostics)
        findings += (findings.empty() ? "" : "\n") + to_string(diagnostic);
    return findings.empty() ? describe(inventory) : findings;
}

}  // namespace nvl72block
