// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one way in which files are opened that somebody else may have put there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace nvl72block {

/// Far more than any topology.conf has, and far less than memory.
inline constexpr std::size_t longest_configuration = std::size_t{64} << 20;

/// Why a file was not read.
struct Unreadable {
    bool absent = false;  ///< nothing has that name, neither a file nor a link
    std::string reason;   ///< "it is a FIFO, not a regular file"
};

/// Reads all of the regular file `path`, or of the one that a link leads to, into `text`. A
/// directory, FIFO, terminal or other device is refused and never waited for; so is a file of more
/// than `longest` bytes.
[[nodiscard]] std::optional<Unreadable> read_file(const std::filesystem::path& path,
                                                  std::size_t longest, std::string& text);

}  // namespace nvl72block
