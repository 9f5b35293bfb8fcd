// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `nvl72block why` prints for a reader.
#pragma once

#include <string>

#include "cli/question/job_question.hpp"
#include "cli/why/diagnosis.hpp"

namespace nvl72block::cli {

/// "64 nodes as 4 segments of 16, for up to 1 h".
[[nodiscard]] std::string request_words(const JobQuestion& question);

[[nodiscard]] std::string pending_text(const ClusterState& state, const JobQuestion& question,
                                       const Diagnosis& diagnosis);
[[nodiscard]] std::string running_text(const ClusterState& state, const JobQuestion& question,
                                       const PlaceQuality& quality);

}  // namespace nvl72block::cli
