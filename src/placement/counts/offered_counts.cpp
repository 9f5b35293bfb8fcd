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
    return (lower - 1) * decision_.topology().levels()[problem.limited_level].nodes + 1;
}

bool OfferedCounts::tells(const Problem& problem) const {
    if (problem.limit == 0 || offers_least(problem)) return false;
    const Tally& tally = decision_.tally();
    if (tally.required_in_blocks() == 0) return true;
    decision_.effort().steps += tally.vertices(problem.limited_level);
    const std::uint64_t planned = decision_.topology().levels()[problem.limited_level].nodes;
    for (std::uint32_t index = 0; index < tally.vertices(problem.limited_level); ++index)
        if (tally.free(problem.limited_level, index) > planned) return false;
    return true;
}

std::uint64_t OfferedCounts::above(const Problem& problem) const {
    const std::uint64_t first = first_with_required(problem);
    if (first > problem.nodes) return std::min(alike(problem).most + 1, first);
    return alike(problem, !tells(problem)).most + 1;
}

std::uint64_t OfferedCounts::below(const Problem& problem) const {
    const std::uint64_t first = first_with_required(problem);
    if (first > problem.nodes) return alike(problem).least - 1;
    // Fewer nodes, under the same rule or under the next one, which may offer more.
    const std::uint64_t fewer = alike(problem, true).least - 1;
    if (!tells(problem)) return std::max<std::uint64_t>(decision_.most(problem), fewer);
    const std::uint64_t least = alike(problem).least;
    const auto offered = [&](std::uint64_t count) {
        return offers_least(decision_.problem(next_count(decision_.request(), count), level_));
    };
    const std::uint64_t end = first_failing(std::max(least, first), fewer + 1, offered);
    return end > std::max(least, first) ? end - 1 : least - 1;
}

}  // namespace nvl72block
