// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files that a slurmctld keeps and reads again after any kind of end.
#pragma once

#include <filesystem>
#include <string_view>

namespace nvl72block {

/// Writes `text` to `path` by way of `path`.new, so that `path` is never half written. False if
/// that fails: `path` is as before, and `path`.new is removed.
[[nodiscard]] bool write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace nvl72block
