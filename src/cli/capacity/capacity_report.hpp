// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `nvl72block capacity` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/capacity/capacity.hpp"
#include "cli/capacity/job_mix.hpp"
#include "cli/capacity/repairs.hpp"
#include "cli/question/availability.hpp"
#include "cli/question/job_question.hpp"
#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

/// `question` is that of a job of whole nodes. The table has as many levels as `width` columns
/// hold, the smallest first.
[[nodiscard]] std::string capacity_text(const ClusterState& state, const JobQuestion& question,
                                        const Availability& nodes, const Capacity& capacity,
                                        const JobMix& mix, unsigned width);

/// The same for machines, nodes as host lists.
[[nodiscard]] nlohmann::ordered_json capacity_json(const ClusterState& state,
                                                   const JobQuestion& question,
                                                   const Availability& nodes,
                                                   const Capacity& capacity, const JobMix& mix);

/// The nodes to be repaired first, one line per repair; empty for none.
[[nodiscard]] std::string repairs_text(const ClusterState& state,
                                       const std::vector<Repair>& repairs);
[[nodiscard]] nlohmann::ordered_json repairs_json(const ClusterState& state,
                                                  const std::vector<Repair>& repairs);

}  // namespace nvl72block::cli
