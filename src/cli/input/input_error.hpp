// SPDX-License-Identifier: GPL-2.0-or-later
//
// Input that the user has to correct. The command ends with exit_bad_input and prints what().
#pragma once

#include <stdexcept>
#include <string>

namespace nvl72block::cli {

class InputError : public std::runtime_error {
  public:
    /// `place` names the option or "file:line"; `remedy` says what to write instead.
    InputError(const std::string& place, const std::string& problem, const std::string& remedy)
        : std::runtime_error(place + ": " + problem + (remedy.empty() ? "" : "; " + remedy)) {}

    /// Several findings, already rendered, one per line.
    explicit InputError(const std::string& findings) : std::runtime_error(findings) {}
};

}  // namespace nvl72block::cli
