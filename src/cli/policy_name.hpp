// SPDX-License-Identifier: GPL-2.0-or-later
//
// Policies by the names that Nvl72Policy= and --policy use.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "nvl72block/placement.hpp"

namespace nvl72block::cli {

[[nodiscard]] std::optional<Policy> policy_named(std::string_view name);

/// "pack, compact", for messages.
[[nodiscard]] std::string policy_names();

}  // namespace nvl72block::cli
