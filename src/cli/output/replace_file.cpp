// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/output/replace_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "cli/input/input_error.hpp"
#include "files/write_whole.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

/// A device or pipe: the empty string, or why it cannot be written.
std::string write_directly(const std::string& file, const std::string& text) {
    errno = 0;
    std::ofstream stream(file, std::ios::binary);
    if ((stream << text).flush()) return {};
    return std::generic_category().message(errno != 0 ? errno : EIO);
}

/// A link stays one: its target is replaced.
fs::path target_of(const std::string& file) {
    std::error_code ignored;
    const bool link = fs::is_symlink(fs::symlink_status(file, ignored));
    return link ? fs::weakly_canonical(file) : fs::path(file);
}

std::string replace(const std::string& file, const std::string& text) {
    std::error_code ignored;
    const fs::file_status status = fs::status(file, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
        return write_directly(file, text);
    return write_whole(target_of(file), text, Readers::usual);
}

void refuse(const std::string& option, const std::string& file, const std::string& failure) {
    throw InputError(option, fmt::format("\"{}\" cannot be written: {}", file, failure),
                     "choose a file in a directory that can be written");
}

}  // namespace

void replace_file(const std::string& option, const std::string& file, const std::string& text) {
    const std::string failure = replace(file, text);
    if (!failure.empty()) refuse(option, file, failure);
}

void check_replaceable(const std::string& option, const std::string& file) {
    std::error_code ignored;
    const fs::path parent = target_of(file).parent_path();
    errno = fs::is_directory(file, ignored) ? EISDIR : 0;
    if (errno == 0 && ::access(parent.empty() ? "." : parent.c_str(), W_OK | X_OK) == 0) return;
    refuse(option, file, std::generic_category().message(errno));
}

}  // namespace nvl72block::cli
