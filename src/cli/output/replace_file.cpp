// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/output/replace_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/input/input_error.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& option, const std::string& file, int error) {
    throw InputError(option,
                     fmt::format("\"{}\" cannot be written ({})", file,
                                 // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
                                 std::strerror(error != 0 ? error : EIO)),
                     "name a file in a directory that can be written");
}

/// A new, empty file beside `file`; removed unless it takes the place of `file`.
class Temporary {
  public:
    Temporary(const std::string& option, const std::string& file)
        : option_(option), file_(file), path_(file + ".XXXXXX") {
        descriptor_ = mkstemp(path_.data());
        if (descriptor_ < 0) fail(option_, file_, errno);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        if (descriptor_ >= 0) close(descriptor_);
        if (!done_) unlink(path_.c_str());
    }

    void write(const std::string& text) const {
        for (std::size_t begin = 0; begin < text.size();) {
            const ssize_t count = ::write(descriptor_, text.data() + begin, text.size() - begin);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) fail(option_, file_, errno);
            begin += static_cast<std::size_t>(count);
        }
    }

    void take_its_place() {
        constexpr mode_t readable = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
        const int descriptor = descriptor_;
        if (fchmod(descriptor, readable) != 0) fail(option_, file_, errno);
        descriptor_ = -1;
        if (close(descriptor) != 0) fail(option_, file_, errno);
        if (rename(path_.c_str(), file_.c_str()) != 0) fail(option_, file_, errno);
        done_ = true;
    }

  private:
    const std::string& option_;
    const std::string& file_;
    std::string path_;
    int descriptor_ = -1;
    bool done_ = false;
};

void write_directly(const std::string& option, const std::string& file, const std::string& text) {
    errno = 0;
    std::ofstream stream(file, std::ios::binary);
    if (!(stream << text).flush()) fail(option, file, errno);
}

}  // namespace

void replace_file(const std::string& option, const std::string& file, const std::string& text) {
    std::error_code ignored;
    const fs::file_status status = fs::status(file, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
        write_directly(option, file, text);
        return;
    }
    // a link stays one: its target is replaced
    const bool link = fs::is_symlink(fs::symlink_status(file, ignored));
    const std::string target = link ? fs::weakly_canonical(file).string() : file;
    Temporary temporary(option, target);
    temporary.write(text);
    temporary.take_its_place();
}

}  // namespace nvl72block::cli
