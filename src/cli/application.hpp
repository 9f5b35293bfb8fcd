// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line as a whole: chooses the subcommand and turns what it throws into an exit status.
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"

namespace nvl72block::cli {

/// `arguments` without the program's name. Returns the exit status; throws nothing but what the
/// standard library throws when memory or streams fail.
[[nodiscard]] int run(std::vector<std::string> arguments, Console& console);

}  // namespace nvl72block::cli
