// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `nvl72block why` prints: for a reader, and with --json (docs/json.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "cli/question/job_question.hpp"
#include "cli/why/diagnosis.hpp"

namespace nvl72block::cli {

/// "64 nodes as 4 segments of 16, for up to 1 h".
[[nodiscard]] std::string request_words(const JobQuestion& question);

/// One sentence without a full stop about Slurm's own Reason=, e.g. "Resources"; for a reason that
/// is not known here, where to look it up.
[[nodiscard]] std::string explain_reason(std::string_view reason);

[[nodiscard]] std::string pending_text(const ClusterState& state, const JobQuestion& question,
                                       const Diagnosis& diagnosis);
[[nodiscard]] nlohmann::ordered_json pending_json(const ClusterState& state,
                                                  const JobQuestion& question,
                                                  const Diagnosis& diagnosis);
[[nodiscard]] std::string running_text(const ClusterState& state, const JobQuestion& question,
                                       const PlaceQuality& quality);
[[nodiscard]] nlohmann::ordered_json running_json(const ClusterState& state,
                                                  const JobQuestion& question,
                                                  const PlaceQuality& quality);

}  // namespace nvl72block::cli
