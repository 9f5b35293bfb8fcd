// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/append_bounded.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/descriptor.hpp"

namespace nvl72block {
namespace {

namespace fs = std::filesystem;

constexpr mode_t of_the_owner = 0600;

/// The file that is appended to.
class Log {
  public:
    /// O_NONBLOCK: a FIFO or terminal in its place is not waited for.
    explicit Log(const fs::path& path)
        : path_(path),
          file_(::open(path.c_str(),
                       O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                       of_the_owner)) {}

    /// The empty string, or what went wrong.
    [[nodiscard]] std::string open() {
        struct stat status {};
        if (!file_.is_open() || ::fstat(file_.number(), &status) != 0) return fail("cannot open");
        if (!S_ISREG(status.st_mode)) return fmt::format("{} is no regular file", path_.string());
        size_ = status.st_size;
        return {};
    }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(size_); }

    /// Whether the last line has no end.
    [[nodiscard]] bool ends_within_a_line() const {
        char last = '\n';
        return size_ > 0 && ::pread(file_.number(), &last, 1, size_ - 1) == 1 && last != '\n';
    }

    /// All of `text` or, as far as the file system lets it be undone, nothing.
    [[nodiscard]] std::string write(std::string_view text) {
        std::string failure = write_all(text);
        if (failure.empty() && ::fdatasync(file_.number()) != 0)
            failure = fail("cannot write to the disk");
        if (!failure.empty() && ::ftruncate(file_.number(), size_) != 0)
            failure += "; and what was written of it remains";
        return failure;
    }

  private:
    [[nodiscard]] std::string write_all(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t count = ::write(file_.number(), text.data(), text.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return fail("cannot write");
            text.remove_prefix(static_cast<std::size_t>(count));
        }
        return {};
    }
    [[nodiscard]] std::string fail(std::string_view what) const {
        return fmt::format("{} {}: {}", what, path_.string(), system_reason());
    }

    const fs::path& path_;
    Descriptor file_;
    off_t size_ = 0;
};

std::string append_to(Log& log, std::string_view head, std::string_view lines) {
    std::string text;
    if (log.size() == 0 && !lines.starts_with(head)) text = head;
    if (log.ends_within_a_line()) text += '\n';
    text += lines;
    return log.write(text);
}

}  // namespace

fs::path set_aside(const fs::path& path) {
    return path.string() + ".1";
}

std::string append_bounded(const fs::path& path, std::string_view head, std::string_view lines,
                           std::size_t limit) {
    {
        Log log(path);
        if (std::string failure = log.open(); !failure.empty()) return failure;
        if (log.size() == 0 || log.size() + lines.size() <= limit)
            return append_to(log, head, lines);
    }
    if (::rename(path.c_str(), set_aside(path).c_str()) != 0)
        return fmt::format("cannot rename {}: {}", path.string(), system_reason());
    Log log(path);
    if (std::string failure = log.open(); !failure.empty()) return failure;
    return append_to(log, head, lines);
}

}  // namespace nvl72block
