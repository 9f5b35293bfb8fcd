// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rules of BlockSizes: whole numbers, the first times powers of two.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nvl72block {

/// A thing wrong with a BlockSizes text, and the remedy.
struct SizeFinding {
    std::string message;
    std::string remedy;
};

/// The numbers of a BlockSizes value; appends a finding for each item that is none.
[[nodiscard]] std::vector<std::uint32_t> parse_block_sizes(std::string_view text,
                                                           std::vector<SizeFinding>& findings);

/// The findings of sizes that are numbers: the first is the planning size, each other one must be
/// it times a power of two up to 2^max_block_exponent. Order and repetition do not matter.
[[nodiscard]] std::vector<SizeFinding> check_block_sizes(std::span<const std::uint32_t> sizes);

/// log2 of size / planning_size, or nullopt if that is no power of two within the limit.
[[nodiscard]] std::optional<unsigned> block_exponent(std::uint32_t size,
                                                     std::uint32_t planning_size);

}  // namespace nvl72block
