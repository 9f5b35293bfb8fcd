// SPDX-License-Identifier: GPL-2.0-or-later
//
// Metrics of shadow mode's records.
#pragma once

#include "cli/metrics/exposition.hpp"
#include "cli/shadow/shadow_file.hpp"

namespace nvl72block::cli {

void write_shadow_metrics(const ShadowFile& file, Exposition& exposition);

}  // namespace nvl72block::cli
