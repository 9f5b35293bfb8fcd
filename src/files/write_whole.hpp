// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one way in which files are written that are read again after any kind of end.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace nvl72block {

/// Who may read a file that is written.
enum class Readers {
    owner,      ///< mode 0600: the state of a daemon
    usual,      ///< as before; where nothing was there, whom the umask lets
    everybody,  ///< mode 0644: what root writes for a daemon's user
};

/// Replaces `path` by a file with `text`: a draft beside it, on the disk before it takes the
/// place of `path`. After a power cut `path` is what it was or all of `text`. A link at `path` is
/// replaced, never followed. Returns the empty string; or why it failed, in one sentence with the
/// file: then the draft is removed, and `path` is as before or, where only its directory could not
/// be written to the disk, new.
[[nodiscard]] std::string write_whole(const std::filesystem::path& path, std::string_view text,
                                      Readers readers);

/// Removes what writers of `path` left behind that were killed.
void remove_drafts(const std::filesystem::path& path);

}  // namespace nvl72block
