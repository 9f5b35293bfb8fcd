// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string_view>

namespace nvl72block::cli {

/// A pending job's Reason= as one of the reasons that Slurm has, "other" for any other text: what a
/// label can be is not for foreign text to say. The result is a literal.
[[nodiscard]] std::string_view reason_label(std::string_view reason);

}  // namespace nvl72block::cli
