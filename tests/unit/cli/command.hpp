// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the command as a user would, with files of its own and streams to look into.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/application.hpp"

namespace nvl72block::cli {

/// A folder that disappears with the test.
class Folder {
  public:
    Folder() {
        static std::atomic<unsigned> count = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("nvl72block-test-" + std::to_string(getpid()) + "-" + std::to_string(count++));
        std::filesystem::create_directories(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    /// Writes a file and returns its path.
    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return (path_ / name).string();
    }
    [[nodiscard]] std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

struct Result {
    int status = -1;
    std::string out;
    std::string err;
    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline Result run_command(const std::vector<std::string>& arguments) {
    std::ostringstream out, err;
    Console console{out, err};
    const int status = run(arguments, console);
    return {status, out.str(), err.str()};
}

class CommandTest : public testing::Test {
  protected:
    /// `text` becomes the topology.conf of show(), plan() and graph().
    void write_topology(const std::string& text) {
        topology_ = folder_.file("topology.conf", text);
    }

    [[nodiscard]] Result command(const std::string& subcommand,
                                 std::vector<std::string> options) const {
        options.insert(options.begin(), {subcommand, "--topology", topology_});
        return run_command(options);
    }
    [[nodiscard]] Result plan(const std::vector<std::string>& options) const {
        return command("plan", options);
    }
    [[nodiscard]] Result show(const std::vector<std::string>& options) const {
        return command("show", options);
    }

    Folder folder_;
    std::string topology_;
};

}  // namespace nvl72block::cli
