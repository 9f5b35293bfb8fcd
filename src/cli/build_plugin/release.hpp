// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which Slurm a source tree is, which one is installed on this host, and where that one looks for
// plugins.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/build_plugin/run_program.hpp"

namespace nvl72block::cli {

/// The version that the tree's META states, e.g. "24.11.5"; throws InputError where the folder is
/// not a Slurm source tree.
[[nodiscard]] std::string tree_version(const std::filesystem::path& tree);

struct InstalledRelease {
    std::string program;  ///< that answered, e.g. slurmctld
    std::string version;
};

/// What slurmctld, or else slurmd or scontrol, answers to -V.
[[nodiscard]] std::optional<InstalledRelease> installed_release(const RunProgram& run);

/// The last folder of the running slurmctld's PluginDir; without one, the only folder below `root`
/// that Slurm's packages use and that has Slurm's topology/block.
[[nodiscard]] std::optional<std::string> plugin_folder(const RunProgram& run,
                                                       const std::filesystem::path& root = "/");

}  // namespace nvl72block::cli
