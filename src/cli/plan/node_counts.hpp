// SPDX-License-Identifier: GPL-2.0-or-later
//
// The node counts that sbatch's --nodes allows a job.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/numbers.hpp"

namespace nvl72block::cli {

struct NodeCounts {
    CountRange range;
    /// Ascending: of the range these alone; empty: all of it.
    std::vector<std::uint32_t> listed;
};

/// "4", "2-8", "2,4-6,8" or "1-15:4", which are 1, 5, 9 and 13; InputError for any other text.
[[nodiscard]] NodeCounts parse_node_counts(const std::string& location, std::string_view text);

}  // namespace nvl72block::cli
