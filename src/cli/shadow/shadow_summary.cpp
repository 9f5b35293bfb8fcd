// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/shadow/shadow_summary.hpp"

#include <algorithm>
#include <cstdlib>

namespace nvl72block::cli {
namespace {

constexpr std::size_t worst_shown = 5;

DecisionTimes times_of(std::vector<std::uint64_t> times) {
    if (times.empty()) return {};
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times[times.size() * 99 / 100], times.back()};
}

std::int64_t racks_saved(const ShadowDecision& decision) {
    return std::int64_t{decision.block_use.racks} - std::int64_t{decision.ours_use.racks};
}

void compare_places(const ShadowDecision& decision, ShadowSummary& summary) {
    const std::int64_t saved = racks_saved(decision);
    if (decision.same_nodes())
        ++summary.same_nodes;
    else if (saved == 0)
        ++summary.same_racks;
    if (saved > 0) {
        ++summary.fewer_racks;
        summary.racks_saved += static_cast<std::uint64_t>(saved);
    } else if (saved < 0) {
        ++summary.more_racks;
        summary.racks_lost += static_cast<std::uint64_t>(-saved);
    }
    const std::uint32_t block = decision.block_use.broken;
    const std::uint32_t ours = decision.ours_use.broken;
    summary.whole_racks_kept += block > ours ? block - ours : 0;
    summary.whole_racks_broken += ours > block ? ours - block : 0;
}

void count_held(const ShadowDecision& decision, ShadowSummary& summary) {
    if (decision.waited) summary.waited_seconds += static_cast<std::uint64_t>(*decision.waited);
    summary.still_held += !decision.released;
}

/// Those whose racks differ most, in either direction.
std::vector<std::size_t> worst_racks(const std::vector<ShadowDecision>& decisions) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < decisions.size(); ++i)
        if (decisions[i].block && decisions[i].ours && racks_saved(decisions[i]) != 0)
            chosen.push_back(i);
    std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t left, std::size_t right) {
        return std::abs(racks_saved(decisions[left])) > std::abs(racks_saved(decisions[right]));
    });
    chosen.resize(std::min(chosen.size(), worst_shown));
    return chosen;
}

}  // namespace

ShadowSummary summarize(const ShadowFile& file) {
    ShadowSummary summary;
    std::vector<std::uint64_t> block_times;
    std::vector<std::uint64_t> ours_times;
    for (std::size_t i = 0; i < file.decisions.size(); ++i) {
        const ShadowDecision& decision = file.decisions[i];
        block_times.push_back(decision.block_ns);
        ours_times.push_back(decision.ours_ns);
        if (!decision.block) {
            summary.held.push_back(i);
            count_held(decision, summary);
            continue;
        }
        ++summary.started;
        if (decision.waits)
            summary.ours_waits.push_back(i);
        else if (!decision.ours)
            (decision.unlike ? summary.unlike : summary.ours_holds).push_back(i);
        else
            compare_places(decision, summary);
    }
    summary.decisions = file.decisions.size();
    summary.block_time = times_of(std::move(block_times));
    summary.ours_time = times_of(std::move(ours_times));
    summary.worst_racks = worst_racks(file.decisions);
    return summary;
}

}  // namespace nvl72block::cli
