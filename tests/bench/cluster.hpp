// SPDX-License-Identifier: GPL-2.0-or-later
//
// Clusters of racks with 18 nodes for the surveys: what they are planned as, what is busy, what
// the nodes weigh. The same text or seed makes the same cluster on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nvl72block/placement.hpp"
#include "replay/workload/random.hpp"

namespace nvl72block::bench {

using replay::Random;

/// Between `low` and `high`, both included.
[[nodiscard]] std::uint32_t between(Random& random, std::uint32_t low, std::uint32_t high);
[[nodiscard]] bool one_in(Random& random, std::uint32_t n);

/// The five lists of BlockSizes that the surveys speak of; those of every size end below `racks`.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> surveyed_sizes(std::uint32_t racks);

/// `racks` racks of 18 nodes, rack after rack.
[[nodiscard]] Topology make_racks(std::uint32_t racks, const std::vector<std::uint32_t>& sizes);

/// Each node is busy with this probability.
[[nodiscard]] NodeSet uniform_occupancy(Random& random, std::size_t nodes, std::uint32_t percent);

/// What random jobs leave that the engine placed and that ended in random order, at a moment when
/// at least `percent` of the nodes are busy.
[[nodiscard]] NodeSet used_occupancy(Random& random, const Topology& topology,
                                     std::uint32_t percent);

/// `classes` node weights: a rack has one, a node in ten another.
[[nodiscard]] std::vector<std::uint64_t> random_weights(Random& random, const Topology& topology,
                                                        std::uint32_t classes);

/// Half of the nodes have 72 CPUs, the others 144.
[[nodiscard]] std::vector<std::uint32_t> random_cpus(Random& random, const Topology& topology);

/// Node counts as they are met: mostly up to 64, some of several hundred.
[[nodiscard]] std::uint32_t job_nodes(Random& random);

}  // namespace nvl72block::bench
