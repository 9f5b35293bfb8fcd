// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology/config_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace nvl72block {
namespace {

constexpr std::size_t longest_file = std::size_t{64} << 20;

struct CloseFile {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};

}  // namespace

std::string read_file(const std::filesystem::path& path, std::string& text) {
    const auto reason = [] { return std::generic_category().message(errno); };
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
    if (!file) return reason();
    std::array<char, 65536> buffer{};
    text.clear();
    while (true) {
        const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get());
        if (std::ferror(file.get()) != 0) return reason();
        text.append(buffer.data(), got);
        if (text.size() > longest_file) return "File is longer than 64 MiB";
        if (got == 0) return {};
    }
}

}  // namespace nvl72block
