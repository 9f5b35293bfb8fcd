// SPDX-License-Identifier: GPL-2.0-or-later
//
// The drawing of `show --svg` and `show --html`.
#pragma once

#include "cli/drawing/picture.hpp"
#include "cli/show/shown_cluster.hpp"
#include "nvl72block/headroom.hpp"

namespace nvl72block::cli {

[[nodiscard]] Picture show_picture(const ShownCluster& shown, const Headroom& headroom);

}  // namespace nvl72block::cli
