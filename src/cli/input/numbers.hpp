// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers in options and files, with messages that name the location.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nvl72block::cli {

/// A decimal number from `least` to 2^32 - 1, or InputError that names `location`.
[[nodiscard]] std::uint32_t parse_count(const std::string& location, std::string_view text,
                                        std::uint32_t least);

struct CountRange {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
};

/// Node counts: "N" or "MIN-MAX", both 1 or more and in order, or InputError. As for sbatch, a k
/// behind a number stands for 1024 times it, an m for 1024 times as much.
[[nodiscard]] CountRange parse_count_range(const std::string& location, std::string_view text);

/// A decimal number from 0 to 2^64 - 1, or InputError.
[[nodiscard]] std::uint64_t parse_large_count(const std::string& location, std::string_view text);

}  // namespace nvl72block::cli
