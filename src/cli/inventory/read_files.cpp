// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inventories from files and directories.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "cli/inventory/inventory.hpp"
#include "text/byte_order_mark.hpp"

namespace nvl72block {
namespace {

namespace fs = std::filesystem;

// kubectl writes about 30 kB a node; this is far above any cluster, and far below /dev/zero.
constexpr std::size_t longest_text = std::size_t{1} << 30;

void report(const fs::path& path, const std::string& message, const std::string& remedy,
            Diagnostics& diagnostics) {
    diagnostics.push_back({Severity::error, path.string(), 0, message, remedy});
}

bool report_too_long(const fs::path& path, Diagnostics& diagnostics) {
    report(path, "the file is larger than 1 GiB", "pass the saved output of one tool", diagnostics);
    return false;
}

bool read_text(const fs::path& path, std::string& text, Diagnostics& diagnostics) {
    std::error_code error;
    const std::uintmax_t size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
    if (!error && size > longest_text) return report_too_long(path, diagnostics);
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::array<char, 1 << 16> chunk{};
    while (in && text.size() <= longest_text) {
        in.read(chunk.data(), chunk.size());
        text.append(chunk.data(), static_cast<std::size_t>(in.gcount()));
    }
    if (text.size() > longest_text) return report_too_long(path, diagnostics);
    if (in.eof()) return true;
    report(path, "cannot be read: " + std::generic_category().message(errno != 0 ? errno : EIO),
           "pass a file that exists and can be read", diagnostics);
    return false;
}

/// "node01" of "node01.txt"; other dots belong to the name.
std::string host_of(const fs::path& path) {
    const fs::path extension = path.extension();
    const bool known = extension == ".txt" || extension == ".log" || extension == ".out";
    return known ? path.stem().string() : path.filename().string();
}

void read_file(const fs::path& path, const std::string& prefix, Inventory& inventory,
               Diagnostics& diagnostics) {
    std::string text;
    if (!read_text(path, text, diagnostics)) return;
    read_inventory({without_mark(text), path.string(), host_of(path), prefix}, inventory,
                   diagnostics);
}

/// The files of a directory by name, so that the same directory always reads the same.
std::vector<fs::path> files_of(const fs::path& directory, Diagnostics& diagnostics) {
    std::error_code error;
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->is_regular_file(error)) files.push_back(entry->path());
    if (error) report(directory, error.message(), "pass a directory that can be read", diagnostics);
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

Inventory read_inventory_files(const std::vector<std::string>& paths, const std::string& prefix,
                               Diagnostics& diagnostics) {
    Inventory inventory;
    for (const std::string& name : paths) {
        const fs::path path(name);
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            read_file(path, prefix, inventory, diagnostics);
            continue;
        }
        const std::vector<fs::path> files = files_of(path, diagnostics);
        if (files.empty() && !has_error(diagnostics))
            report(path, "the directory has no files",
                   "save the output of nvidia-smi -q there, one file per host", diagnostics);
        for (const fs::path& file : files) read_file(file, prefix, inventory, diagnostics);
    }
    return inventory;
}

}  // namespace nvl72block
