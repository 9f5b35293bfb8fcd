// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order that people expect of node names: n2 before n10. Slurm's node table has it, too.
#pragma once

#include <string_view>

namespace nvl72block::cli {

/// True if `left` sorts before `right`: runs of digits compare as numbers, all else as characters;
/// of equal numbers the one with fewer leading zeros comes first.
[[nodiscard]] bool natural_less(std::string_view left, std::string_view right);

}  // namespace nvl72block::cli
