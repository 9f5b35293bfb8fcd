// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job asks for, in sbatch's option names: on the command line of `plan` and, one job per
// line, in the file of --requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/input/loaded_cluster.hpp"
#include "cli/input/numbers.hpp"
#include "nvl72block/placement.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace nvl72block::cli {

/// The options as written; empty means not given.
struct RequestOptions {
    std::string nodes;
    std::string segment;
    bool spread_segments = false;
    bool consolidate_segments = false;
    bool exclusive_topo = false;
    std::string max_blocks;
    std::string nodelist;
    std::string exclude;
    std::string policy;
    std::string demand;
};

/// Declares the options on `app`, to be stored in `options`, which has to outlive the parsing.
void add_request_options(CLI::App& app, RequestOptions& options);

/// One job, checked as far as that goes without the node table.
struct JobRequest {
    std::string location;  ///< "file:line", or empty for the command line
    unsigned line = 0;     ///< line in the file of --requests, or 0
    std::string text;      ///< the line itself
    CountRange nodes;
    std::uint32_t segment_size = 0;
    bool spread_segments = false;
    bool consolidate_segments = false;
    bool exclusive_topo = false;
    std::uint32_t max_base_blocks = 0;
    NamedList nodelist;
    NamedList exclude;
    Policy policy = Policy::demand;
    std::optional<Demand> demand;  ///< nullopt: of the running cluster, or none without one
};

/// Checks `options`; InputError names the option, after `location` if that is not empty.
[[nodiscard]] JobRequest checked_request(const RequestOptions& options,
                                         const std::string& location);

}  // namespace nvl72block::cli
