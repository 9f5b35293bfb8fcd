// SPDX-License-Identifier: GPL-2.0-or-later
//
// A recorded decision as files that repeat it.
#pragma once

#include <string>

#include "cli/shadow/shadow_file.hpp"

namespace nvl72block::cli {

/// The reproducer as one text of parts, each behind a line "--- NAME": topology.conf, slurm.conf,
/// commands, answers. Nodes are called n00001 and so on in the order of Slurm's node table, racks
/// rack001. InputError where the decision cannot be repeated from its record.
[[nodiscard]] std::string shadow_export(const ShadowDecision& decision);

}  // namespace nvl72block::cli
