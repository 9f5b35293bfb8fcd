// SPDX-License-Identifier: GPL-2.0-or-later
//
// The answer to one request, for people and for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/input/loaded_cluster.hpp"
#include "cli/input/request_options.hpp"
#include "nvl72block/placement.hpp"

namespace nvl72block::cli {

/// {"fits":true,"nodes":…,"segments":[…],"blocks":[…]} or {"fits":false,"reason":…,"numbers":…}; of
/// a request from a file the line number and text come first.
[[nodiscard]] nlohmann::ordered_json plan_json(const LoadedCluster& loaded,
                                               const JobRequest& request, const Answer& answer);

/// A few lines; of a refusal its one sentence.
[[nodiscard]] std::string plan_text(const LoadedCluster& loaded, const JobRequest& request,
                                    const Answer& answer);

}  // namespace nvl72block::cli
