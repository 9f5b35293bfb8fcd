// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options of a line of sbatch, and of the #SBATCH lines of its script.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace nvl72block::cli {

struct SbatchLine {
    /// By long name without dashes: those of the script, and before them those of the line. The
    /// value is empty for an option without one.
    std::map<std::string, std::string> options;

    [[nodiscard]] bool has(const std::string& name) const { return options.contains(name); }
    /// Empty where it is not given.
    [[nodiscard]] std::string value(const std::string& name) const;
};

/// `words`: "sbatch" and what follows it. InputError for an option that sbatch does not know, a
/// missing value, a heterogeneous job, or a script that cannot be read.
[[nodiscard]] SbatchLine parse_sbatch_line(const std::vector<std::string>& words);

}  // namespace nvl72block::cli
