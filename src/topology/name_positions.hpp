// SPDX-License-Identifier: GPL-2.0-or-later
//
// Aggregation by name: the number at the end of a block's name is its position among the blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "nvl72block/topology_config.hpp"

namespace nvl72block {

/// "block" and 3 of "block003". Nullopt without a number, or with one of more than 18 digits.
struct NumberedName {
    std::string_view prefix;
    std::uint64_t number = 0;
};
[[nodiscard]] std::optional<NumberedName> split_number(std::string_view name);

/// Most positions that `blocks` blocks may be spread over: every position costs memory, taken or
/// not.
[[nodiscard]] std::uint64_t most_positions(std::uint64_t blocks);

/// The position of `name` under `naming`; nullopt if it has none.
[[nodiscard]] std::optional<std::uint64_t> position_of(std::string_view name,
                                                       const BlockNaming& naming);

}  // namespace nvl72block
