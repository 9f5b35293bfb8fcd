// SPDX-License-Identifier: GPL-2.0-or-later
//
// YAML as a tree whose parts know their lines. It is what Slurm makes of the text: every scalar is
// a string at first, and aliases are refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nvl72block/diagnostics.hpp"

namespace nvl72block::cli {

struct YamlNode {
    enum class Kind { scalar, list, map };

    Kind kind = Kind::scalar;
    unsigned line = 0;                                     ///< from 1
    std::string text;                                      ///< of a scalar
    std::vector<YamlNode> items;                           ///< of a list
    std::vector<std::pair<std::string, YamlNode>> fields;  ///< of a map, each key once

    /// The value of `key` in a map, or nullptr.
    [[nodiscard]] const YamlNode* find(std::string_view key) const;
};

/// "a list", for messages.
[[nodiscard]] std::string_view kind_name(YamlNode::Kind kind);

/// The first document of `text`. What is wrong is a finding with line and remedy, and the result
/// nullopt; a key that a map has twice is a warning, the last value counts.
[[nodiscard]] std::optional<YamlNode> parse_yaml(std::string_view text, const std::string& file,
                                                 Diagnostics& diagnostics);

}  // namespace nvl72block::cli
