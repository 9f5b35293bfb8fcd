// SPDX-License-Identifier: GPL-2.0-or-later
//
// A log of whole lines that never takes more than twice a number of bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace nvl72block {

/// What a file is called that append_bounded() has set aside.
[[nodiscard]] std::filesystem::path set_aside(const std::filesystem::path& path);

/// Appends `lines`, which end with a line end, to the regular file `path`, mode 0600. A file that
/// would grow beyond `limit` bytes is set aside first, in place of the one before it, and the new
/// one begins with `head`; so does a file that was not there. What a killed writer left of a line
/// is ended. A link is never followed, and nothing but a regular file is written to. Returns the
/// empty string; or why it failed, in one sentence with the file: then `path` is as before.
[[nodiscard]] std::string append_bounded(const std::filesystem::path& path, std::string_view head,
                                         std::string_view lines, std::size_t limit);

}  // namespace nvl72block
