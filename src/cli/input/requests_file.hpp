// SPDX-License-Identifier: GPL-2.0-or-later
//
// The file of `plan --requests`: one job per line, in the options that `plan` itself has for a job.
#pragma once

#include <string>
#include <vector>

#include "cli/input/request_options.hpp"

namespace nvl72block::cli {

/// Reads the jobs of `file` in order; InputError with file and line.
[[nodiscard]] std::vector<JobRequest> read_requests(const std::string& file);

/// One line, e.g. "--nodes=64 --segment=16". `place` is "file:line".
[[nodiscard]] JobRequest parse_request_line(const std::string& place, const std::string& line);

}  // namespace nvl72block::cli
