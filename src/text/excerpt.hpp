// SPDX-License-Identifier: GPL-2.0-or-later
//
// Untrusted text made fit for a one-line message.
#pragma once

#include <string>
#include <string_view>

namespace nvl72block {

/// `text` as printable() writes it; cut to about a hundred bytes, with "..." for what is missing.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace nvl72block
