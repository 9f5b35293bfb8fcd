// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/rules/rules.hpp"

#include <algorithm>
#include <limits>

namespace nvl72block {
namespace {

constexpr std::uint64_t no_end = std::numeric_limits<std::uint32_t>::max();

CountInterval plain_counts(const Topology& topology, std::uint32_t nodes) {
    const PlainRule rule = plain_rule(topology, nodes);
    const std::uint64_t size = topology.levels()[rule.lower].nodes;
    CountInterval counts{(rule.limit - 1) * size + 1, rule.limit * size};
    if (rule.level < topology.levels().size())
        counts.most = std::min<std::uint64_t>(counts.most, topology.levels()[rule.level].nodes);
    return counts;
}

CountInterval consolidated_counts(const Topology& topology, const Request& request,
                                  std::uint32_t nodes) {
    const std::uint64_t segment = request.segment_size;
    const std::uint64_t room = segment_room(topology, segment, request.spread_segments);
    const auto levels = topology.levels();
    const std::size_t level = plain_rule(topology, nodes / segment * room).level;
    CountInterval counts{segment + 1, no_end};
    if (level < levels.size()) counts.most = levels[level].nodes / room * segment;
    if (level > 0)
        counts.least = std::max(counts.least, levels[level - 1].nodes / room * segment + 1);
    return counts;
}

}  // namespace

CountInterval counts_of_one_rule(const Topology& topology, const Request& request,
                                 std::uint32_t nodes) {
    const std::uint64_t segment = request.segment_size;
    if (segment != 0 && nodes > segment)
        return request.consolidate_segments ? consolidated_counts(topology, request, nodes)
                                            : CountInterval{segment + 1, no_end};
    CountInterval counts = plain_counts(topology, nodes);
    if (segment != 0) counts.most = std::min(counts.most, segment);
    return counts;
}

}  // namespace nvl72block
