// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block build-plugin`: builds the plugin on a host of the cluster, for the Slurm that is
// installed there.
#pragma once

#include <string>

#include "cli/build_plugin/run_program.hpp"
#include "cli/console.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace nvl72block::cli {

struct BuildPluginOptions {
    std::string slurm_source;
    std::string source;      ///< of nvl72block; empty: as installed with this command
    std::string build_dir;   ///< empty: below the current folder
    std::string plugin_dir;  ///< empty: as Slurm's configuration names it
    bool install = false;
    bool dropin = false;
    bool other_hosts = false;     ///< the Slurm of this host does not matter
    bool accept_patched = false;  ///< the structures are not compared with the released Slurm's
};

/// Declares the subcommand on `app`.
CLI::App& add_build_plugin(CLI::App& app, BuildPluginOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_build_plugin(const BuildPluginOptions& options, Console& console,
                                   const RunProgram& run = run_program);

}  // namespace nvl72block::cli
