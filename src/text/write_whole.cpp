// SPDX-License-Identifier: GPL-2.0-or-later
#include "text/write_whole.hpp"

#include <fstream>
#include <system_error>

namespace nvl72block {

bool write_whole(const std::filesystem::path& path, std::string_view text) {
    std::filesystem::path draft = path;
    draft += ".new";
    std::ofstream file(draft, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    std::error_code failure;
    if (file) std::filesystem::rename(draft, path, failure);
    if (file && !failure) return true;
    std::filesystem::remove(draft, failure);
    return false;
}

}  // namespace nvl72block
