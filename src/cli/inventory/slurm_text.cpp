// SPDX-License-Identifier: GPL-2.0-or-later
//
// `scontrol show nodes`, with or without --oneliner.
#include "cli/inventory/inventory.hpp"
#include "cli/inventory/words.hpp"

namespace nvl72block {
namespace {

constexpr std::string_view name_key = "NodeName=";
constexpr std::string_view features_key = "AvailableFeatures=";
constexpr std::string_view null_text = "(null)";

}  // namespace

void read_slurm_text(const InventorySource& source, Inventory& inventory,
                     Diagnostics& diagnostics) {
    std::string_view rest = source.text;
    std::string name;
    bool known = false;  // the features of the node at hand have been read
    unsigned line_number = 0;
    while (!rest.empty()) {
        std::string_view line = take_line(rest);
        ++line_number;
        for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
            if (word.starts_with(name_key)) {
                name = word.substr(name_key.size());
                known = false;
                if (name.empty()) {
                    diagnostics.push_back({Severity::error, source.file, line_number,
                                           "NodeName= has no value",
                                           "save the output of scontrol show nodes unchanged"});
                    return;
                }
                inventory.add(name, {});
            } else if (word.starts_with(features_key) && !known && !name.empty()) {
                known = true;  // later ones stand in a comment
                const std::string_view features = word.substr(features_key.size());
                if (features != null_text)
                    inventory.add(name, read_clique(features, source.prefix));
            }
        }
    }
}

}  // namespace nvl72block
