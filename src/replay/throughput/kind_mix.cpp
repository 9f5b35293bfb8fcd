// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/throughput/kind_mix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "replay/workload/random.hpp"
#include "text/number.hpp"
#include "text/take_item.hpp"

namespace nvl72block::replay {
namespace {

constexpr double tolerance = 1e-6;
constexpr double no_share = -1;

}  // namespace

std::optional<KindMix> KindMix::parse(std::string_view text, std::string& error) {
    KindMix mix;
    double given = 0;
    std::size_t open = 0;
    do {
        const std::string_view item = take_item(text);
        const std::size_t colon = std::min(item.find(':'), item.size());
        const std::optional<throughput::JobKind> kind =
            throughput::parse_job_kind(item.substr(0, colon));
        if (!kind) {
            error = fmt::format("\"{}\" is not a kind of job; write one of {}",
                                item.substr(0, colon), throughput::job_kind_names());
            return std::nullopt;
        }
        double share = no_share;
        if (colon < item.size()) {
            const auto value = number_of<double>(item.substr(colon + 1));
            if (!value || !(*value > 0 && *value <= 1)) {
                error = fmt::format("\"{}\" is not a share; write a number above 0 and up to 1",
                                    item.substr(colon + 1));
                return std::nullopt;
            }
            share = *value;
            given += share;
        } else {
            ++open;
        }
        mix.parts_.push_back({*kind, share});
    } while (!text.empty());
    const double rest = 1 - given;
    if (rest < -tolerance || (open == 0) != (rest < tolerance)) {
        error = fmt::format("the shares add up to {:g}{}; write shares that add up to 1", given,
                            open != 0 ? " and leave nothing for the others" : "");
        return std::nullopt;
    }
    for (Part& part : mix.parts_)
        if (part.share == no_share) part.share = rest / static_cast<double>(open);
    return mix;
}

throughput::JobKind KindMix::of(std::uint64_t seed, std::size_t index) const {
    Random random(seed * 0x9e3779b97f4a7c15U + index);
    double drawn = random.uniform();
    for (const Part& part : parts_) {
        if (drawn < part.share) return part.kind;
        drawn -= part.share;
    }
    return parts_.back().kind;
}

}  // namespace nvl72block::replay
