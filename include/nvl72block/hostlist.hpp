// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm's node list notation, "node[001-018,020],login1", read and written without Slurm.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nvl72block {

/// Most names that one list may expand to; a longer list is refused, so that a mistyped
/// range such as n[0-999999999] cannot exhaust memory. Four times the nodes that Slurm supports,
/// and as many ranges as its own reader takes: it ends the process at one more. Fuzzers are built
/// with a low limit, which they reach often and at once.
#ifdef NVL72BLOCK_FUZZED
inline constexpr std::size_t max_hostlist_names = 1U << 10;
#else
inline constexpr std::size_t max_hostlist_names = 1U << 18;
#endif

/// Most digits of one number; more could overflow 64 bits.
inline constexpr std::size_t max_hostlist_digits = 18;

/// The names of `text` in the order written, duplicates kept, several bracket groups per name
/// allowed. Leading zeros set the width, as in Slurm. On a malformed list returns nullopt and puts
/// one sentence into `error` that quotes the offending part.
[[nodiscard]] std::optional<std::vector<std::string>> expand_hostlist(std::string_view text,
                                                                      std::string& error);

/// The number of those names, without making them: for a list that another reader is to expand.
[[nodiscard]] std::optional<std::size_t> count_hostlist(std::string_view text, std::string& error);

/// The parts of `text` between separators outside brackets, "n[1,3]"; views into it.
[[nodiscard]] std::vector<std::string_view> hostlist_items(std::string_view text);

/// The shortest bracket form of `names`, in the order given (neighbouring numbers are joined to
/// ranges); the empty string for no names. Names that differ in prefix or digit width start a new
/// group, as Slurm's hostlist_ranged_string prints them.
[[nodiscard]] std::string compress_hostlist(std::span<const std::string> names);

}  // namespace nvl72block
