// SPDX-License-Identifier: GPL-2.0-or-later
#include "refusals.hpp"

#include <algorithm>

#include "rules.hpp"

namespace nvl72block::oracle {

namespace {

std::string compare(const char* name, std::uint64_t is, std::uint64_t expected) {
    if (is == expected) return "";
    return std::string(name) + " is " + std::to_string(is) + ", not " + std::to_string(expected);
}

/// The first of `findings` that is one.
std::string first_of(std::initializer_list<std::string> findings) {
    for (const std::string& finding : findings)
        if (!finding.empty()) return finding;
    return "";
}

/// What each level offers: the fullest block, and the blocks that are whole.
std::string check_levels(const Facts& facts, const Refusal& refusal) {
    if (refusal.levels.empty()) return "";
    const Shape& shape = facts.shape;
    if (refusal.levels.size() != shape.whole()) return "not one offer a level";
    for (std::size_t level = 0; level < shape.whole(); ++level) {
        const std::uint32_t width = 1U << shape.exponents[level];
        std::uint32_t best = 0, whole = 0;
        for (std::uint32_t first = 0; first < shape.blocks; first += width) {
            std::uint32_t free = 0, full = 0;
            for (std::uint32_t i = first; i < std::min(first + width, shape.blocks); ++i) {
                free += facts.free[i];
                full += facts.idle[i] >= shape.planning ? 1 : 0;
            }
            best = std::max(best, free);
            whole += full == width ? 1 : 0;
        }
        const LevelOffer& offer = refusal.levels[level];
        if (auto finding = first_of({compare("block_size", offer.block_size, shape.size(level)),
                                     compare("best_free", offer.best_free, best),
                                     compare("blocks_whole", offer.blocks_whole, whole)});
            !finding.empty())
            return "level " + std::to_string(level) + ": " + finding;
    }
    return "";
}

/// A range may be refused by any of its counts that could be met at all.
std::string check_wanted(const Request& request, const Refusal& refusal) {
    if (refusal.wanted_nodes >= request.min_nodes && refusal.wanted_nodes <= request.max_nodes)
        return "";
    return compare("wanted_nodes", refusal.wanted_nodes, request.min_nodes);
}

std::string check_state(const Facts& facts, const State& state, const Refusal& refusal) {
    return first_of({compare("usable_nodes", refusal.usable_nodes, state.usable.count()),
                     compare("usable_outside", refusal.usable_outside, facts.outside.size()),
                     compare("drained_nodes", refusal.drained_nodes, state.drained.count()),
                     compare("excluded_nodes", refusal.excluded_nodes, state.excluded.count())});
}

/// What the reason claims.
std::string check_reason(const Facts& facts, const Request& request, const Refusal& refusal) {
    const auto claim = [](bool holds, const char* text) { return std::string(holds ? "" : text); };
    const auto usable = facts.inside() + facts.outside.size();
    switch (refusal.reason) {
        case RefusalReason::not_enough_nodes:
            return claim(usable < refusal.wanted_nodes, "not_enough_nodes with enough");
        case RefusalReason::required_not_usable:
            return claim(!facts.required_usable, "required_not_usable, but all are");
        case RefusalReason::required_without_island:
            return claim(false, "required_without_island, but cliques are not enforced");
        case RefusalReason::required_not_in_block:
            return claim(facts.required_outside > 0, "required_not_in_block, but all are");
        case RefusalReason::required_outside_too_few:
            return claim(facts.required_outside > 0 && facts.outside.size() < refusal.wanted_nodes,
                         "required_outside_too_few, but there are enough");
        case RefusalReason::required_do_not_fit:
            return claim(!request.required.empty(), "required_do_not_fit without any");
        case RefusalReason::no_block_fits:
            return claim(refusal.best_fit_nodes < refusal.wanted_nodes,
                         "no_block_fits with best_fit_nodes not below the nodes wanted");
        case RefusalReason::segments_do_not_fit:
            return first_of(
                {claim(request.segment_size > 0, "segments_do_not_fit without segments"),
                 claim(refusal.segments_fit < refusal.segments_wanted,
                       "segments_fit is not below segments_wanted"),
                 compare("segment_size", refusal.segment_size, request.segment_size)});
        case RefusalReason::too_many_base_blocks:
            return first_of(
                {claim(refusal.needed_base_blocks > request.max_base_blocks,
                       "needed_base_blocks is not above max_base_blocks"),
                 compare("max_base_blocks", refusal.max_base_blocks, request.max_base_blocks)});
        case RefusalReason::not_enough_totals:
            return claim(request.cpus + request.gpus > 0, "not_enough_totals without any asked");
        case RefusalReason::bad_request:
            return claim(refusal.permanent, "a bad request that is not permanent");
        default:
            return claim(false, "a reason that is not of place()");
    }
}

}  // namespace

std::string check_refusal(const Topology& topology, const Request& request, const State& state,
                          const Refusal& refusal) {
    const Facts facts(topology, request, state);
    std::string trouble = check_reason(facts, request, refusal);
    // A request that can never be met is refused without a look at the state.
    if (trouble.empty() && !refusal.permanent)
        trouble = first_of({check_wanted(request, refusal), check_state(facts, state, refusal),
                            check_levels(facts, refusal)});
    if (!trouble.empty()) return std::string(to_string(refusal.reason)) + ": " + trouble;
    return sentence(refusal).empty() ? "no sentence" : "";
}

}  // namespace nvl72block::oracle
