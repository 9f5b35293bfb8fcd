// SPDX-License-Identifier: GPL-2.0-or-later
//
// `nvl72block generate`: a topology.conf from what the fabric says.
#pragma once

#include <string>

#include "cli/console.hpp"
#include "cli/input/features.hpp"

namespace nvl72block::cli {

struct GenerateOptions {
    FeatureOptions features;
    std::string topology;    ///< an existing one, whose names and order stay
    std::string output;      ///< where the topology.conf goes; empty: standard output
    std::string slurm_conf;  ///< where the Feature= lines go; empty: comments at the end
    bool changes = false;    ///< tell only what would change
};

/// Declares the subcommand on `app`.
CLI::App& add_generate(CLI::App& app, GenerateOptions& options);

/// Returns the exit status; throws InputError.
[[nodiscard]] int run_generate(const GenerateOptions& options, Console& console);

}  // namespace nvl72block::cli
