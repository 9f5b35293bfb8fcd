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

bool OfferedCounts::tells(const Problem& problem) const {
    return problem.limit != 0 && decision_.tally().required_in_blocks() == 0 &&
           !offers_least(problem.nodes);
}

std::uint64_t OfferedCounts::above(const Problem& problem) const {
    return (tells(problem) ? alike(problem) : of_one_rule(problem.nodes)).most + 1;
}

std::uint64_t OfferedCounts::below(const Problem& problem) const {
    // Fewer nodes, under the same rule or under the next one, which may offer more.
    const std::uint64_t fewer = of_one_rule(problem.nodes).least - 1;
    if (!tells(problem)) return std::max<std::uint64_t>(decision_.most(problem), fewer);
    const auto offered = [&](std::uint64_t count) { return offers_least(count); };
    return first_failing(alike(problem).least, fewer + 1, offered) - 1;
}

}  // namespace nvl72block
