// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/read_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "files/descriptor.hpp"
#include "text/excerpt.hpp"

namespace nvl72block {
namespace {

namespace fs = std::filesystem;

std::string_view kind_of(mode_t mode) {
    switch (mode & S_IFMT) {
        case S_IFDIR:
            return "a directory";
        case S_IFIFO:
            return "a FIFO";
        case S_IFSOCK:
            return "a socket";
        case S_IFCHR:
            return "a character device";
        case S_IFBLK:
            return "a block device";
        default:
            return "of an unknown kind";
    }
}

/// Where errno says that `path` leads nowhere.
Unreadable missing(const fs::path& path) {
    const int error = errno;
    std::error_code unknown;
    const fs::path target = fs::read_symlink(path, unknown);
    if (error == ELOOP) return {.reason = "it is a link that leads back to itself"};
    if (error == ENOENT && !target.empty())
        return {.reason = fmt::format("it is a link to {}, which does not exist",
                                      excerpt(target.string()))};
    return {.absent = error == ENOENT, .reason = std::generic_category().message(error)};
}

std::optional<Unreadable> unfit(const struct stat& status, std::size_t longest) {
    if (!S_ISREG(status.st_mode))
        return Unreadable{.reason =
                              fmt::format("it is {}, not a regular file", kind_of(status.st_mode))};
    if (static_cast<std::size_t>(status.st_size) > longest)
        return Unreadable{.reason = fmt::format("it has {} bytes, more than the {} that are read",
                                                status.st_size, longest)};
    return std::nullopt;
}

/// To the end, whatever size the file claimed to have.
std::optional<Unreadable> read_all(int file, std::size_t longest, std::string& text) {
    std::array<char, 65536> buffer{};
    text.clear();
    while (true) {
        const ssize_t got = ::read(file, buffer.data(), buffer.size());
        if (got == 0) return std::nullopt;
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return Unreadable{.reason = system_reason()};
        text.append(buffer.data(), static_cast<std::size_t>(got));
        if (text.size() > longest)
            return Unreadable{.reason = fmt::format("it has more than {} bytes", longest)};
    }
}

}  // namespace

std::optional<Unreadable> read_file(const fs::path& path, std::size_t longest, std::string& text) {
    struct stat status {};
    // Before it is opened: to open a device can have effects of its own, to open a FIFO wakes its
    // writer.
    if (::stat(path.c_str(), &status) != 0) return missing(path);
    if (auto reason = unfit(status, longest)) return reason;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!file.is_open()) return missing(path);
    // And again: the name may stand for another file by now.
    if (::fstat(file.number(), &status) != 0) return Unreadable{.reason = system_reason()};
    if (auto reason = unfit(status, longest)) return reason;
    return read_all(file.number(), longest, text);
}

}  // namespace nvl72block
