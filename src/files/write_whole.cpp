// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/write_whole.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "files/descriptor.hpp"

namespace nvl72block {
namespace {

namespace fs = std::filesystem;

/// Behind the name of the file; then come letters that make the draft's name unique: a slurmctld
/// that is being relieved may still write while its successor does.
constexpr std::string_view draft_mark = ".new-";

/// The usual ones are the permissions of the file that is replaced, or those of a new one.
mode_t mode_for(Readers readers, const fs::path& path) {
    constexpr mode_t of_everybody = 0644;
    if (readers == Readers::everybody) return of_everybody;
    struct stat status {};
    constexpr mode_t permissions = 0777;
    constexpr mode_t of_a_new_file = 0666;
    if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
        return status.st_mode & permissions;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return of_a_new_file & ~mask;
}

/// A new file beside `path` with mode 0600; removed unless it takes the place of `path`.
class Draft {
  public:
    explicit Draft(const fs::path& path)
        : path_(path),
          name_(fmt::format("{}{}XXXXXX", path.string(), draft_mark)),
          // exclusive: neither a link nor a file of somebody else is opened
          file_(::mkostemp(name_.data(), O_CLOEXEC)),
          is_there_(file_.is_open()) {}
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft() {
        if (is_there_) ::unlink(name_.c_str());
    }

    /// The empty string, or what went wrong.
    [[nodiscard]] std::string publish(std::string_view text, Readers readers) {
        if (!file_.is_open()) return fail("cannot create");
        if (!write(text)) return fail("cannot write");
        if (readers != Readers::owner && ::fchmod(file_.number(), mode_for(readers, path_)) != 0)
            return fail("cannot set the permissions of");
        if (::fsync(file_.number()) != 0 || !file_.close()) return fail("cannot write to the disk");
        if (::rename(name_.c_str(), path_.c_str()) != 0)
            return fmt::format("cannot replace {} by {}: {}", path_.string(), name_,
                               system_reason());
        is_there_ = false;
        return sync_directory();
    }

  private:
    [[nodiscard]] std::string fail(std::string_view what) const {
        return fmt::format("{} {}: {}", what, name_, system_reason());
    }

    [[nodiscard]] bool write(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t count = ::write(file_.number(), text.data(), text.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return false;
            text.remove_prefix(static_cast<std::size_t>(count));
        }
        return true;
    }

    /// The new name is on the disk only when its directory is.
    [[nodiscard]] std::string sync_directory() const {
        const fs::path parent = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
        const Descriptor directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        // Not every file system can, and not everybody who may write in a directory may open it.
        if (!directory.is_open() && errno == EACCES) return {};
        if (directory.is_open() && (::fsync(directory.number()) == 0 || errno == EINVAL)) return {};
        return fmt::format("cannot write directory {} to the disk: {}", parent.string(),
                           system_reason());
    }

    const fs::path& path_;
    std::string name_;
    Descriptor file_;
    bool is_there_;
};

}  // namespace

std::string write_whole(const fs::path& path, std::string_view text, Readers readers) {
    return Draft(path).publish(text, readers);
}

void remove_drafts(const fs::path& path) {
    const std::string of_earlier_versions = path.filename().string() + ".new";
    const std::string start = path.filename().string() + std::string(draft_mark);
    std::error_code error;
    for (fs::directory_iterator entry(path.parent_path(), error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        std::error_code left;
        if (name.starts_with(start) || name == of_earlier_versions) fs::remove(entry->path(), left);
    }
}

}  // namespace nvl72block
