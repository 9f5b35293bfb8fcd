// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `nvl72block check` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/input/site.hpp"
#include "nvl72block/clique.hpp"

namespace nvl72block::cli {

/// The summary and a line a finding: the words of slurmctld's log.
[[nodiscard]] std::string check_text(const Site& site, const CliqueMap& cliques,
                                     const CliqueReport& report);

/// The same for machines: counts, and each finding with its nodes as host lists.
[[nodiscard]] nlohmann::ordered_json check_json(const Site& site, const CliqueMap& cliques,
                                                const CliqueReport& report);

}  // namespace nvl72block::cli
