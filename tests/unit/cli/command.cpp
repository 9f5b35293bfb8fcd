// SPDX-License-Identifier: GPL-2.0-or-later
#include "command.hpp"

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace nvl72block::cli {

Folder::Folder() {
    static std::atomic<unsigned> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("nvl72block-test-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
}

Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string Folder::file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
}

nlohmann::json Result::json() const {
    return nlohmann::json::parse(out);
}

Result run_command(const std::vector<std::string>& arguments) {
    std::ostringstream out, err;
    Console console{out, err};
    const int status = run(arguments, console);
    return {status, out.str(), err.str()};
}

}  // namespace nvl72block::cli
