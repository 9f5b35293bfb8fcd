// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `nvl72block check` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/check/check_topology.hpp"
#include "cli/check/segment_advice.hpp"
#include "cli/input/loaded_cluster.hpp"
#include "nvl72block/clique.hpp"

namespace nvl72block::cli {

/// A line for each topology of a file that is valid.
[[nodiscard]] std::string file_text(const CheckedFile& file);

/// The comparison of blocks and cliques: the summary and a line for each finding.
[[nodiscard]] std::string check_text(const LoadedCluster& loaded, const CliqueMap& cliques,
                                     const CliqueReport& report);

/// A line for each segment that helps nobody.
[[nodiscard]] std::string segments_text(const std::vector<SegmentFinding>& findings);

[[nodiscard]] nlohmann::ordered_json segments_json(const std::vector<SegmentFinding>& findings);

/// For machines. `cliques` and `report` are null where nothing was compared.
[[nodiscard]] nlohmann::ordered_json check_json(const CheckedFile& file, const CliqueMap* cliques,
                                                const CliqueReport* report);

}  // namespace nvl72block::cli
