// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/counts/offered_counts.hpp"

#include <algorithm>

#include "placement/rules/rules.hpp"
#include "placement/state/bisect.hpp"

namespace nvl72block {
namespace {

/// The rules of some 30 counts are looked at.
constexpr std::uint64_t steps_per_interval = 64;

}  // namespace

CountInterval OfferedCounts::alike(const Problem& problem, bool one_rule) const {
    const auto within = [&](std::uint64_t count) {
        const Problem other = decision_.problem(next_count(decision_.request(), count), level_);
        return other.segmented == problem.segmented && other.scope_level == problem.scope_level &&
               other.limited_level == problem.limited_level &&
               (one_rule ? other.limit == problem.limit
                         : (other.limit == 0) == (problem.limit == 0));
    };
    const auto before = [&](std::uint64_t count) { return !within(count); };
    const std::uint64_t end = std::uint64_t{decision_.tally().in_blocks()} + 1;
    decision_.effort().steps += steps_per_interval;
    return {first_failing(std::uint64_t{1}, std::uint64_t{problem.nodes}, before),
            first_failing(problem.nodes + std::uint64_t{1}, end, within) - 1};
}

std::uint64_t OfferedCounts::first_with_required(const Problem& problem) const {
    const Tally& tally = decision_.tally();
    if (problem.limit == 0 || tally.required_in_blocks() == 0) return 0;
    decision_.effort().steps += tally.vertices(problem.limited_level);
    std::uint64_t lower = 0;
    for (std::uint32_t index = 0; index < tally.vertices(problem.limited_level); ++index)
        lower += tally.required(problem.limited_level, index) > 0 ? 1 : 0;
    return (lower - 1) * planned_of(problem) + 1;
}

std::uint64_t OfferedCounts::largest_lower(const Problem& problem) const {
    const Tally& tally = decision_.tally();
    std::uint32_t largest = 0;
    if (tally.required_in_blocks() == 0) return largest;
    decision_.effort().steps += tally.vertices(problem.limited_level);
    for (std::uint32_t index = 0; index < tally.vertices(problem.limited_level); ++index)
        largest = std::max(largest, tally.free(problem.limited_level, index));
    return largest;
}

std::uint64_t OfferedCounts::above(const Problem& problem) const {
    const std::uint64_t first = first_with_required(problem);
    if (first > problem.nodes) return std::min(alike(problem).most + 1, first);
    const CountInterval rule = alike(problem, true);
    const std::uint64_t offered = decision_.most(decision_.problem(rule.least, level_));
    if (problem.limit == 0 || offered >= rule.least) return rule.most + 1;
    const std::uint64_t end = alike(problem).most + 1;
    const std::uint64_t planned = planned_of(problem);
    const std::uint64_t largest = largest_lower(problem);
    if (largest <= planned) return end;
    const std::uint64_t gain = largest - planned;  // of each rule more, at best
    return std::min(end, rule.least + planned * ((rule.least - offered + gain - 1) / gain));
}

/// Fewer lower blocks of the same level offer no more; those of another level may.
std::uint64_t OfferedCounts::below(const Problem& problem) const {
    return std::max<std::uint64_t>(decision_.most(problem), alike(problem).least - 1);
}

}  // namespace nvl72block
