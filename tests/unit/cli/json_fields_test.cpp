// SPDX-License-Identifier: GPL-2.0-or-later
//
// docs/json.md names every field that the commands print.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "state/snapshot_folder.hpp"

namespace nvl72block::cli {
namespace {

void add_fields(const nlohmann::json& json, std::set<std::string>& fields) {
    if (json.is_array())
        for (const auto& each : json) add_fields(each, fields);
    if (!json.is_object()) return;
    for (const auto& [key, value] : json.items()) {
        fields.insert(key);
        add_fields(value, fields);
    }
}

/// The fields of all lines that the command prints.
std::set<std::string> fields_of(const std::vector<std::string>& arguments) {
    const Result result = run_command(arguments);
    std::set<std::string> fields;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);)
        add_fields(nlohmann::json::parse(line), fields);
    EXPECT_FALSE(fields.empty()) << result.err;
    return fields;
}

class JsonFields : public testing::Test {
  protected:
    /// Those that its section of the page does not name.
    [[nodiscard]] static std::vector<std::string> missing(const std::string& command,
                                                          const std::set<std::string>& fields) {
        std::ifstream file(NVL72BLOCK_SOURCE_DIR "/docs/json.md");
        std::string page{std::istreambuf_iterator<char>(file), {}};
        const std::size_t begin = page.find("\n## " + command + "\n");
        EXPECT_NE(begin, std::string::npos) << command;
        const std::string section = page.substr(0, page.find("\n## ")) +
                                    page.substr(begin, page.find("\n## ", begin + 1) - begin);
        std::vector<std::string> unknown;
        for (const std::string& field : fields)
            if (section.find('`' + field + '`') == std::string::npos &&
                section.find('`' + field + "[]`") == std::string::npos)
                unknown.push_back(field);
        return unknown;
    }
    void expect_named(const std::string& command, std::vector<std::string> options) const {
        options.insert(options.begin(), {command, "--state", folder_.path()});
        options.emplace_back("--json");
        EXPECT_EQ(missing(command, fields_of(options)), std::vector<std::string>{}) << command;
    }

    JsonFields() {
        const std::string clique = "b78ed242-7b98-426f-b194-b76b8899f4ea.";
        SnapshotText text("");
        for (unsigned node = 1; node <= 16; ++node)
            text.nodes += node_line(fmt::format("n{:02}", node),
                                    node == 16  ? "IDLE+DRAIN"
                                    : node <= 4 ? "ALLOCATED"
                                                : "IDLE",
                                    0, node <= 2 ? "k8s/bad.x" : clique + (node < 7 ? "1" : "2"));
        JobLine running;
        running.id = 12;
        running.state = "RUNNING";
        running.nodes = "n[01-04]";
        running.end = "2026-11-22T21:51:21";
        JobLine waiting;
        waiting.id = 13;
        waiting.count = "14-14";
        JobLine fitting = waiting;
        fitting.id = 14;
        fitting.count = "4-4";
        text.jobs = job_line(running) + job_line(waiting) + job_line(fitting);
        text.reservations =
            reservation_line("soon", "n[05-06]", "2026-11-22T21:21:21", "2026-11-22T22:51:21");
        (void)text.write(folder_);
    }

    Folder folder_;
};

TEST_F(JsonFields, OfEachCommandAreNamed) {
    expect_named("plan", {"--nodes", "4"});
    expect_named("plan", {"--nodes", "8", "--segment", "4"});
    expect_named("plan", {"--requests", folder_.file("requests", "--nodes=2\n--nodes=99\n")});
    expect_named("why", {"12"});
    expect_named("why", {"13"});
    expect_named("why", {"14"});
    expect_named("capacity", {});
    expect_named("show", {});
    expect_named("check", {});
}

TEST_F(JsonFields, OfReplayAreNamed) {
    const std::set<std::string> fields =
        fields_of({"replay", "--racks", "4", "--jobs", "20", "--workload", "llm", "--policy",
                   "pack", "--json"});
    EXPECT_EQ(missing("replay", fields), std::vector<std::string>{});
}

TEST_F(JsonFields, OfLearnAreNamed) {
    const std::string log = folder_.file("log", "timestamp,duration,num_gpus\n0,100000,64\n");
    EXPECT_EQ(missing("learn", fields_of({"learn", log, "--json"})), std::vector<std::string>{});
}

TEST_F(JsonFields, AMissingOneIsFound) {
    EXPECT_EQ(missing("show", {"map", "no_such_field"}), std::vector<std::string>{"no_such_field"});
}

}  // namespace
}  // namespace nvl72block::cli
