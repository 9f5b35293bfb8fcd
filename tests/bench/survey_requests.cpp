// SPDX-License-Identifier: GPL-2.0-or-later
#include "survey_requests.hpp"

#include <algorithm>
#include <span>

namespace nvl72block::bench {
namespace {

constexpr std::uint32_t segments[] = {16, 18, 8, 4, 1};
constexpr std::uint32_t large_segments[] = {20, 36, 72};

void cut(Random& random, Request& request, std::span<const std::uint32_t> sizes) {
    request.segment_size = sizes[random.below(sizes.size())];
    const std::uint32_t count = std::max(1U, request.min_nodes / request.segment_size);
    request.min_nodes = count * request.segment_size;
}

}  // namespace

const char* name_of(Kind kind) {
    static constexpr const char* names[] = {"plain, up to a rack",
                                            "plain, larger",
                                            "segments",
                                            "segments of 20, 36 or 72",
                                            "segments, spread",
                                            "segments of 20, 36 or 72, spread",
                                            "few base blocks, plain or segments",
                                            "exclusive, plain or segments",
                                            "range, plain or segments",
                                            "segments of 20, 36 or 72, CPUs in total"};
    return names[static_cast<int>(kind)];
}

Request request_of(Random& random, Kind kind, std::uint32_t rack) {
    Request request;
    do request.min_nodes = job_nodes(random);
    while ((kind == Kind::plain_rack && request.min_nodes > rack) ||
           (kind == Kind::plain_large && request.min_nodes <= rack));
    const bool either = kind == Kind::exclusive || kind == Kind::range;
    if (kind == Kind::segmented || kind == Kind::spread || (either && one_in(random, 2)))
        cut(random, request, segments);
    if (kind == Kind::large_segments || kind == Kind::large_spread || kind == Kind::totals ||
        (kind == Kind::limited && one_in(random, 2)))
        cut(random, request, large_segments);
    request.spread_segments = kind == Kind::spread || kind == Kind::large_spread;
    request.exclusive = kind == Kind::exclusive;
    request.max_nodes = request.min_nodes;
    if (kind == Kind::limited)  // at most twice as many as would do if they were idle
        request.max_base_blocks = (request.min_nodes + rack - 1) / rack * between(random, 2, 4) / 2;
    if (kind == Kind::totals)
        request.cpus = std::uint64_t{request.min_nodes} * between(random, 80, 130);
    if (kind == Kind::range)
        request.max_nodes += request.min_nodes * (1 + static_cast<std::uint32_t>(random.below(3)));
    return request;
}

}  // namespace nvl72block::bench
