// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is wrong with an input, where, and what to write instead.
#pragma once

#include <string>
#include <vector>

namespace nvl72block {

/// How much a finding matters: an error means that the input cannot be used, a note is for
/// information.
enum class Severity { note, warning, error };

/// One finding about an input file. `line` counts from 1; 0 means the file as a whole.
struct Diagnostic {
    Severity severity = Severity::error;
    std::string file;  ///< as it is to be named in messages
    unsigned line = 0;
    std::string message;  ///< what is wrong, with the offending text
    std::string remedy;   ///< what to write instead; may be empty
};

/// Findings in the order in which they were made; functions append to it.
using Diagnostics = std::vector<Diagnostic>;

/// "topology.conf:3: MESSAGE; REMEDY" on one line, without the severity.
[[nodiscard]] std::string to_string(const Diagnostic& diagnostic);

/// Whether one of them has Severity::error.
[[nodiscard]] bool has_error(const Diagnostics& diagnostics);

}  // namespace nvl72block
