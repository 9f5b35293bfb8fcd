// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files that a command writes for others to read.
#pragma once

#include <string>

namespace nvl72block::cli {

/// Writes `text` to `file` by way of a draft beside it, so that a reader sees the previous text or
/// this one, never a part. The permissions are those of the file that is replaced, or what the
/// umask gives a new one. A device or pipe is written directly. InputError names `option` if that
/// fails; what was there then is unchanged.
void replace_file(const std::string& option, const std::string& file, const std::string& text);

/// InputError names `option` if replace_file() could not write now; for what takes long to compute.
void check_replaceable(const std::string& option, const std::string& file);

}  // namespace nvl72block::cli
