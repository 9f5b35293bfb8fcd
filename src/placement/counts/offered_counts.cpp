// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/counts/offered_counts.hpp"

#include <algorithm>

#include "placement/rules/rules.hpp"
#include "placement/state/bisect.hpp"

namespace nvl72block {

bool OfferedCounts::alike(const Problem& problem, std::uint64_t count) const {
    const Problem other = decision_.problem(next_count(decision_.request(), count), level_);
    return other.segmented == problem.segmented && other.scope_level == problem.scope_level &&
           other.limited_level == problem.limited_level &&
           (other.limit == 0) == (problem.limit == 0);
}

CountInterval OfferedCounts::alike(const Problem& problem) const {
    const std::uint64_t end = std::uint64_t{decision_.tally().in_blocks()} + 1;
    const auto before = [&](std::uint64_t count) { return !alike(problem, count); };
    const auto within = [&](std::uint64_t count) { return alike(problem, count); };
    return {first_failing(std::uint64_t{1}, std::uint64_t{problem.nodes}, before),
            first_failing(problem.nodes + std::uint64_t{1}, end, within) - 1};
}

CountInterval OfferedCounts::of_one_rule(std::uint64_t count) const {
    return counts_of_one_rule(decision_.topology(), decision_.request(),
                              static_cast<std::uint32_t>(count));
}

bool OfferedCounts::offers_least(std::uint64_t count) const {
    return has(decision_.problem(of_one_rule(count).least, level_));
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
    if (problem.limit == 0 || offers_least(problem.nodes)) return false;
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
    return (tells(problem) ? alike(problem) : of_one_rule(problem.nodes)).most + 1;
}

std::uint64_t OfferedCounts::below(const Problem& problem) const {
    const std::uint64_t first = first_with_required(problem);
    if (first > problem.nodes) return alike(problem).least - 1;
    // Fewer nodes, under the same rule or under the next one, which may offer more.
    const std::uint64_t fewer = of_one_rule(problem.nodes).least - 1;
    if (!tells(problem)) return std::max<std::uint64_t>(decision_.most(problem), fewer);
    const std::uint64_t least = alike(problem).least;
    const auto offered = [&](std::uint64_t count) { return offers_least(count); };
    const std::uint64_t end = first_failing(std::max(least, first), fewer + 1, offered);
    return end > std::max(least, first) ? end - 1 : least - 1;
}

}  // namespace nvl72block
