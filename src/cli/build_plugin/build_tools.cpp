// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/build_plugin/build_tools.hpp"

#include <fmt/format.h>

#include <regex>
#include <set>
#include <utility>

namespace nvl72block::cli {
namespace {

/// The oldest CMake that reads the project's files.
constexpr std::pair oldest_cmake{3, 25};

struct Probe {
    BuildTool tool;
    std::vector<std::string> command;
};

/// Succeeds where the compiler finds the header, wherever it is installed.
std::vector<std::string> include_of(const std::string& header) {
    return {"c++", "-E", "-x", "c++", "-include", header, "/dev/null", "-o", "/dev/null"};
}

std::vector<Probe> probes() {
    return {
        {{"a C++ compiler", "g++", "gcc-c++"}, {"c++", "--version"}},
        {{"a C compiler", "gcc", "gcc"}, {"cc", "--version"}},
        {{"CMake 3.25 or later", "cmake", "cmake"}, {"cmake", "--version"}},
        {{"Ninja", "ninja-build", "ninja-build"}, {"ninja", "--version"}},
        {{"the library fmt", "libfmt-dev", "fmt-devel"}, include_of("fmt/format.h")},
        {{"the library Boost.Graph", "libboost-graph-dev", "boost-devel"},
         include_of("boost/graph/adjacency_list.hpp")},
    };
}

bool is_recent_cmake(const std::string& output) {
    static const std::regex version(R"(cmake version (\d{1,6})\.(\d{1,6}))");
    std::smatch match;
    return std::regex_search(output, match, version) &&
           std::pair{std::stoi(match[1]), std::stoi(match[2])} >= oldest_cmake;
}

bool works(const Probe& probe, const RunProgram& run) {
    const ProgramResult result = run(probe.command, "");
    return result.status == 0 &&
           (probe.command.front() != "cmake" || is_recent_cmake(result.output));
}

bool is_like(const std::string& os_release, const std::string& names) {
    return std::regex_search(os_release,
                             std::regex("(^|\n)ID(_LIKE)?=[^\n]*\\b(" + names + ")\\b"));
}

std::string joined(const std::set<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

std::vector<BuildTool> missing_tools(const RunProgram& run) {
    std::vector<BuildTool> missing;
    for (const Probe& probe : probes())
        if (!works(probe, run)) missing.push_back(probe.tool);
    return missing;
}

std::string missing_message(const std::vector<BuildTool>& missing, const std::string& os_release) {
    std::vector<std::string> names;
    std::set<std::string> debian, redhat;
    for (const BuildTool& tool : missing) {
        names.push_back(tool.what);
        debian.insert(tool.debian_package);
        redhat.insert(tool.redhat_package);
    }
    const std::string apt = "apt-get install " + joined(debian);
    const std::string dnf = "dnf install " + joined(redhat);
    const std::string text = fmt::format("missing on this host: {}; ", fmt::join(names, ", "));
    if (is_like(os_release, "debian|ubuntu")) return text + "install with: " + apt;
    if (is_like(os_release, "rhel|fedora|centos")) return text + "install with: " + dnf;
    return text + "on Debian: " + apt + "; on RHEL: " + dnf;
}

}  // namespace nvl72block::cli
