// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary of the candidates that a job does without.
#include <algorithm>
#include <vector>

#include "capi/handles.hpp"
#include "nvl72block/candidate.hpp"

namespace engine = nvl72block;
using engine::capi::guarded;

namespace {

std::vector<engine::Candidate> as_candidates(const nvl72block_candidate* candidates,
                                             std::size_t count) {
    std::vector<engine::Candidate> result;
    result.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        result.push_back({.node = candidates[i].node,
                          .group = candidates[i].group,
                          .weight = candidates[i].weight,
                          .gpus = candidates[i].gpus,
                          .cpus = candidates[i].cpus,
                          .required = candidates[i].required});
    return result;
}

}  // namespace

size_t nvl72block_surplus(const nvl72block_candidate* candidates, size_t count,
                          const uint32_t* room, size_t groups, uint32_t* surplus,
                          nvl72block_error* error) noexcept {
    return guarded<size_t>(error, 0, [&] {
        const auto nodes = engine::surplus(as_candidates(candidates, count), {room, groups});
        std::ranges::copy(nodes, surplus);
        return nodes.size();
    });
}

uint32_t nvl72block_weakest(const nvl72block_candidate* chosen, size_t count,
                            nvl72block_error* error) noexcept {
    return guarded<uint32_t>(error, NVL72BLOCK_NO_NODE, [&] {
        return engine::weakest(as_candidates(chosen, count)).value_or(NVL72BLOCK_NO_NODE);
    });
}
