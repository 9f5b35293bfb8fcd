// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/demand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "nvl72block/plain_rule.hpp"
#include "text/excerpt.hpp"
#include "text/number.hpp"

namespace nvl72block {
namespace {

constexpr double share_unit = 1000;
constexpr std::uint32_t largest_slot = 1U << 24;
constexpr double largest_share = 1e9;

/// A number without sign or exponent, above 0 and at most largest_share.
std::optional<double> share_in(std::string_view text) {
    if (text.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
    const auto value = number_of<double>(text);
    return value && *value > 0 && *value <= largest_share ? value : std::nullopt;
}

/// One NODES:SHARE; a sentence in `error` if it is none.
std::optional<Demand::Amount> amount_in(std::string_view part, std::string& error) {
    const std::size_t colon = part.find(':');
    const auto nodes = number_of<std::uint32_t>(part.substr(0, colon));
    if (colon == std::string_view::npos || !nodes || *nodes == 0 || *nodes > largest_slot) {
        error = fmt::format(
            "\"{}\" is not NODES:SHARE; write the nodes of a segment or job, a colon and its share "
            "of the nodes in demand, such as 16:0.8",
            excerpt(part));
        return std::nullopt;
    }
    const auto share = share_in(part.substr(colon + 1));
    if (!share) {
        error = fmt::format(
            "the share in \"{}\" is not a number above 0 and up to {:.0f}; write one "
            "such as {}:0.8",
            excerpt(part), largest_share, *nodes);
        return std::nullopt;
    }
    return Demand::Amount{*nodes, *share};
}

/// By base block.
std::vector<std::uint32_t> counts_of(const Topology& topology, NodeSetView nodes) {
    std::vector<std::uint32_t> counts;
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        counts.push_back(topology.count(block, nodes));
    return counts;
}

/// Slots of `nodes` nodes in blocks of a level that have so many idle nodes per base block.
std::uint64_t slots_in(const Topology& topology, std::size_t level,
                       const std::vector<std::uint32_t>& idle, std::uint32_t nodes) {
    std::uint64_t slots = 0;
    for (std::uint32_t block = 0; block < topology.levels()[level].aggregates; ++block)
        slots += std::accumulate(idle.begin() + topology.first_block(level, block),
                                 idle.begin() + topology.last_block(level, block), 0U) /
                 nodes;
    return slots;
}

}  // namespace

Demand Demand::of(std::span<const Amount> amounts) {
    std::map<std::uint32_t, double> by_size;
    double sum = 0;
    for (const Amount& each : amounts) {
        if (each.nodes == 0 || !(each.amount > 0)) continue;
        by_size[each.nodes] += each.amount;
        sum += each.amount;
    }
    Demand demand;
    for (const auto& [nodes, amount] : by_size)
        if (const auto share = static_cast<std::uint32_t>(std::lround(share_unit * amount / sum));
            share > 0)
            demand.sizes_.push_back({nodes, share});
    std::vector<DemandSize>& sizes = demand.sizes_;
    std::ranges::stable_sort(sizes, std::greater<>(), &DemandSize::share);
    if (sizes.size() > most_demand_sizes) sizes.resize(most_demand_sizes);
    std::ranges::sort(sizes, {}, &DemandSize::nodes);
    return demand;
}

std::optional<Demand> Demand::parse(std::string_view text, std::string& error) {
    std::vector<Amount> amounts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('+', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        const auto amount = amount_in(part, error);
        if (!amount) return std::nullopt;
        const auto same = [&](const Amount& other) { return other.nodes == amount->nodes; };
        if (std::ranges::any_of(amounts, same)) {
            error = fmt::format("\"{}\" names a size that is there already; write each size once",
                                excerpt(part));
            return std::nullopt;
        }
        amounts.push_back(*amount);
        begin = end + 1;
    }
    if (amounts.size() > most_demand_sizes) {
        error = fmt::format("{} sizes are too many; write at most {}", amounts.size(),
                            most_demand_sizes);
        return std::nullopt;
    }
    return of(amounts);
}

std::string to_string(const Demand& demand) {
    std::string text;
    const std::span<const DemandSize> sizes = demand.sizes();
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
        text += fmt::format("{}{}:{:.3g}", text.empty() ? "" : "+", size->nodes,
                            static_cast<double>(size->share) / share_unit);
    return text.empty() ? "off" : text;
}

std::size_t slot_level(const Topology& topology, std::uint32_t nodes) {
    for (BlockIndex block = 0; block < topology.block_count(); ++block)
        if (topology.block_nodes(block) >= nodes) return 0;
    return plain_rule(topology, nodes).level;
}

std::string kept_slots(const Topology& topology, const Demand& demand, NodeSetView idle,
                       NodeSetView taken) {
    NodeSet left(idle);
    left.subtract(taken);
    const std::vector<std::uint32_t> idle_before = counts_of(topology, idle);
    const std::vector<std::uint32_t> idle_after = counts_of(topology, left);
    std::string text;
    const std::span<const DemandSize> sizes = demand.sizes();
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
        const std::size_t level = slot_level(topology, size->nodes);
        if (size->nodes == 1 || level == topology.levels().size()) continue;
        const std::uint64_t before = slots_in(topology, level, idle_before, size->nodes);
        const std::uint64_t after = slots_in(topology, level, idle_after, size->nodes);
        if (before == 0) continue;
        text += fmt::format("{}{} of {} {} {}{}", text.empty() ? "" : ", ", after, before,
                            text.empty() ? "slots of" : "of", size->nodes,
                            text.empty() ? " nodes" : "");
    }
    return text;
}

}  // namespace nvl72block
