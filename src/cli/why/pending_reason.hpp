// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm's own reason for which a job waits, in words.
#pragma once

#include <string>
#include <string_view>

namespace nvl72block::cli {

/// One sentence without a full stop about Reason=, e.g. "Resources"; for a reason that is not known
/// here, where to look it up.
[[nodiscard]] std::string explain_reason(std::string_view reason);

}  // namespace nvl72block::cli
