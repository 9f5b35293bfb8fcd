// SPDX-License-Identifier: GPL-2.0-or-later
//
// Untrusted text made fit for a one-line message.
#pragma once

#include <string>
#include <string_view>

namespace nvl72block {

/// `text` with control characters written as \xNN; cut to about a hundred characters, with "..."
/// in the place of what is missing.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace nvl72block
