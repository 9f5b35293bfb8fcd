// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nvl72block {

std::string to_string(const Diagnostic& diagnostic) {
    std::string out = diagnostic.file;
    if (diagnostic.line != 0) {
        if (!out.empty()) out += ':';
        out += fmt::format("{}", diagnostic.line);
    }
    if (!out.empty()) out += ": ";
    out += diagnostic.message;
    if (!diagnostic.remedy.empty()) out += "; " + diagnostic.remedy;
    return out;
}

bool has_error(const Diagnostics& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::error;
    });
}

}  // namespace nvl72block
