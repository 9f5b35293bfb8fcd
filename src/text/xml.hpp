// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace nvl72block {

/// `text`, printable(), as the content of an XML or HTML element or of a quoted attribute.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace nvl72block
