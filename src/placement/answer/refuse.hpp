// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why a job cannot be placed, gathered from the counts.
#pragma once

#include <optional>

#include "placement/counts/decision.hpp"

namespace nvl72block {

/// Required nodes that are not usable, or lie where this job may not; nullopt if all is well.
/// `decision` is about some of the counts of `request`, or all.
[[nodiscard]] std::optional<Refusal> refuse_required(const Decision& decision,
                                                     const Request& request);

/// The refusal of a sound request for which no placement was found; the effort says whether there
/// is none. Its numbers are those of the smallest count, which `decision` must be about.
[[nodiscard]] Refusal refuse_placement(const Decision& decision, const Request& request);

}  // namespace nvl72block
