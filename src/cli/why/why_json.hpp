// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `nvl72block why --json` prints (docs/json.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/question/job_question.hpp"
#include "cli/why/diagnosis.hpp"

namespace nvl72block::cli {

[[nodiscard]] nlohmann::ordered_json pending_json(const ClusterState& state,
                                                  const JobQuestion& question,
                                                  const Diagnosis& diagnosis);
[[nodiscard]] nlohmann::ordered_json running_json(const ClusterState& state,
                                                  const JobQuestion& question,
                                                  const PlaceQuality& quality);

}  // namespace nvl72block::cli
