// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which of the nodes that a job requires by name it cannot use now, and who has them.
#pragma once

#include <string>
#include <vector>

#include "cli/why/diagnosis.hpp"

namespace nvl72block::cli {

struct RequiredNode {
    std::string name;
    std::string because;  ///< "job 11 of alice until 21:51", "out of service (fan)", "reserved"
};

[[nodiscard]] std::vector<RequiredNode> required_not_usable(const ClusterState& state,
                                                            const JobQuestion& question,
                                                            const Diagnosis& diagnosis);

}  // namespace nvl72block::cli
