// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a Nodes= text may be, whoever resolves it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace nvl72block {

/// How many names `text` has, a function counted as one for each name in its braces: checked before
/// a resolver sees it, since Slurm's own reader has no limit and takes some mistakes for names. Of
/// Slurm's functions only feature{NAME} has a meaning here: blocks and switches are what the file
/// defines. nullopt with a sentence in `error` for a text that is wrong or too long.
[[nodiscard]] std::optional<std::size_t> check_nodes_text(std::string_view text,
                                                          std::string& error);

}  // namespace nvl72block
