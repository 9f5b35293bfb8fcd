// SPDX-License-Identifier: GPL-2.0-or-later
//
// Node weights from a file, for `plan --weights`: "HOSTLIST WEIGHT" a line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/input/site.hpp"

namespace nvl72block::cli {

/// Slurm's Weight of a node that no line of slurm.conf gives one.
inline constexpr std::uint64_t default_weight = 1;

struct WeightLine {
    NamedList nodes;
    std::uint64_t weight = default_weight;
};

[[nodiscard]] std::vector<WeightLine> read_weights(const std::string& file);

/// The weight of every node; InputError for a node that two lines name.
[[nodiscard]] std::vector<std::uint64_t> node_weights(const std::vector<WeightLine>& lines,
                                                      const NodeTable& nodes);

}  // namespace nvl72block::cli
