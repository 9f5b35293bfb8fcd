// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace nvl72block {

/// Reads a whole file into `text`; returns the empty string, or why it cannot be read. A file of
/// more than 64 MiB is refused: no topology.conf is that long, but /dev/zero is.
[[nodiscard]] std::string read_file(const std::filesystem::path& path, std::string& text);

}  // namespace nvl72block
