// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/candidate.hpp"

#include <algorithm>
#include <tuple>

namespace nvl72block {

namespace {

// Ascending: who is served first, group by group.
auto serving_order(const Candidate& candidate) {
    return std::tuple(candidate.group, !candidate.required, candidate.weight, ~candidate.gpus,
                      ~candidate.cpus, candidate.node);
}

auto strength(const Candidate& candidate) {
    return std::tuple(candidate.gpus, candidate.cpus, candidate.node);
}

}  // namespace

std::vector<NodeIndex> surplus(std::vector<Candidate> candidates,
                               std::span<const std::uint32_t> room) {
    std::ranges::sort(candidates, {}, serving_order);
    std::vector<NodeIndex> found;
    std::size_t served = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        if (i == 0 || candidate.group != candidates[i - 1].group) served = 0;
        const std::size_t most = candidate.group < room.size() ? room[candidate.group] : 0;
        if (served++ >= most && !candidate.required) found.push_back(candidate.node);
    }
    return found;
}

std::optional<NodeIndex> weakest(std::span<const Candidate> chosen) {
    const Candidate* found = nullptr;
    for (const Candidate& candidate : chosen)
        if (!candidate.required && (found == nullptr || strength(candidate) < strength(*found)))
            found = &candidate;
    if (found == nullptr) return std::nullopt;
    return found->node;
}

}  // namespace nvl72block
