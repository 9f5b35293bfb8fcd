// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the command as a user would, with files of its own and streams to look into.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/application.hpp"

namespace nvl72block::cli {

/// A folder that disappears with the test.
class Folder {
  public:
    Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder();

    /// Writes a file and returns its path.
    std::string file(const std::string& name, const std::string& text) const;
    [[nodiscard]] std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

struct Result {
    int status = -1;
    std::string out;
    std::string err;
    [[nodiscard]] nlohmann::json json() const;
};

Result run_command(const std::vector<std::string>& arguments);

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
