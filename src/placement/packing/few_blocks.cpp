// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/few_blocks.hpp"

#include <algorithm>

namespace nvl72block {
namespace {

/// Sums that are formed at most: a part of what a search may take on the smallest cluster.
constexpr std::uint64_t most_sums = 1U << 15;

}  // namespace

std::optional<std::vector<std::uint32_t>> in_few_blocks(const std::vector<SegmentOffer>& offers,
                                                        std::uint32_t units, Effort& effort) {
    constexpr std::uint32_t impossible = SegmentOffer::impossible;
    std::uint64_t sums = 0;
    for (const SegmentOffer& offer : offers)
        sums +=
            std::uint64_t{units + 1U} * std::min<std::uint64_t>(offer.blocks.size(), units + 1U);
    if (sums > most_sums) return std::nullopt;
    effort.steps += sums;
    std::vector<std::uint32_t> fewest(units + 1U, impossible);  // by segments of the offers so far
    fewest[0] = 0;
    std::vector<std::vector<std::uint32_t>> given;  // per offer, by segments: what it gives
    for (const SegmentOffer& offer : offers) {
        std::vector<std::uint32_t> with(units + 1U, impossible);
        std::vector<std::uint32_t>& choice = given.emplace_back(units + 1U);
        for (std::uint32_t before = 0; before <= units; ++before) {
            if (fewest[before] == impossible) continue;
            for (std::uint32_t more = offer.least;
                 more < offer.blocks.size() && before + more <= units; ++more) {
                if (offer.blocks[more] == impossible) continue;
                const std::uint32_t blocks = fewest[before] + offer.blocks[more];
                if (blocks >= with[before + more]) continue;
                with[before + more] = blocks;
                choice[before + more] = more;
            }
        }
        fewest = std::move(with);
    }
    if (fewest[units] == impossible) return std::nullopt;
    std::vector<std::uint32_t> segments(offers.size());
    for (std::size_t i = offers.size(); i-- > 0; units -= segments[i])
        segments[i] = given[i][units];
    return segments;
}

}  // namespace nvl72block
