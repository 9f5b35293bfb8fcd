// SPDX-License-Identifier: GPL-2.0-or-later
//
// What building the plugin takes, and the packages that are missing for it.
#pragma once

#include <string>
#include <vector>

#include "cli/build_plugin/run_program.hpp"

namespace nvl72block::cli {

struct BuildTool {
    std::string what;            ///< for a message, e.g. "a C++ compiler"
    std::string debian_package;  ///< its name in Debian and Ubuntu
    std::string redhat_package;  ///< its name in RHEL, Fedora and EPEL
};

/// Those that this host does not have; they are tried, not looked up among packages.
[[nodiscard]] std::vector<BuildTool> missing_tools(const RunProgram& run);

/// What is missing and the command that installs it; `os_release` is the text of /etc/os-release.
[[nodiscard]] std::string missing_message(const std::vector<BuildTool>& missing,
                                          const std::string& os_release);

}  // namespace nvl72block::cli
