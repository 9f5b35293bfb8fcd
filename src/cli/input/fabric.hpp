// SPDX-License-Identifier: GPL-2.0-or-later
//
// --fabric: the network between racks that throughput is calculated with.
#pragma once

#include <string>

#include "throughput/fabric.hpp"

namespace nvl72block::cli {

inline constexpr const char* default_fabric = "gb200";

/// InputError unless `text` is gb200 or gb300.
[[nodiscard]] throughput::Fabric parse_fabric(const std::string& text);

}  // namespace nvl72block::cli
