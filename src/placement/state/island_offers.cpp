// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/state/island_offers.hpp"

#include <algorithm>
#include <tuple>

#include "nvl72block/clique.hpp"
#include "placement/state/island_split.hpp"
#include "placement/state/tally.hpp"

namespace nvl72block {
namespace {

/// Nodes of a block together.
std::uint32_t nodes_of(std::span<const IslandOffer> offers) {
    std::uint32_t nodes = 0;
    for (const IslandOffer& offer : offers) nodes += offer.free;
    return nodes;
}

/// A split of one amount alone. All nodes from one island: then they are one unit.
std::vector<std::uint32_t> single_split(std::span<const IslandOffer> offers, const IslandRule& rule,
                                        std::uint32_t nodes, const WeightOrder& order) {
    const std::uint32_t unit_nodes = rule.one_island ? std::max(nodes, 1U) : rule.nodes;
    const std::uint32_t units = nodes / unit_nodes;
    IslandSplit split(unit_nodes, order, nodes_of(offers));
    split.solve(offers, units);
    std::vector<std::uint32_t> given;
    split.for_each(units, [&](std::size_t, std::uint32_t count) { given.push_back(count); });
    return given;
}

}  // namespace

std::strong_ordering IslandOffer::operator<=>(const IslandOffer& other) const {
    const auto order =
        std::tie(island, free, required) <=> std::tie(other.island, other.free, other.required);
    if (std::is_neq(order)) return order;
    return std::lexicographical_compare_three_way(classes.begin(), classes.end(),
                                                  other.classes.begin(), other.classes.end());
}

IslandOffers::IslandOffers(const Topology& topology, const Request& request, const State& state,
                           std::span<const std::uint8_t> class_of, std::size_t classes) {
    const Islands& islands = *topology.islands();
    const std::size_t per_offer = class_of.empty() ? 0 : classes;
    const bool some_required = !request.required.empty();
    auto carved = std::make_shared<Carved>();
    carved->blocks.resize(topology.block_count() + std::size_t{1});
    std::size_t most = 0;
    for (const std::uint32_t count : islands.island_count) most += count;
    carved->offers.reserve(most);
    carved->classes.reserve(most * per_offer);
    std::vector<IslandOffer> offers;     // of one block
    std::vector<ClassOffer> of_classes;  // of each of them
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        carved->blocks[block].offers = carved->offers.size();
        if (islands.island_count[block] < 2) continue;
        offers.assign(islands.island_count[block], {});
        of_classes.assign(offers.size() * per_offer, {});
        topology.for_each(block, state.usable, [&](NodeIndex node) {
            const std::uint32_t island = islands.island_of[node];
            const bool required = some_required && request.required.test(node);
            offers[island].island = island;
            offers[island].free += 1;
            offers[island].required += required ? 1 : 0;
            if (per_offer > 0) of_classes[island * per_offer + class_of[node]].add(required);
        });
        const auto is_used = [](const IslandOffer& offer) { return offer.free > 0; };
        if (std::ranges::count_if(offers, is_used) < 2) continue;
        for (const IslandOffer& offer : offers) {
            if (!is_used(offer)) continue;
            carved->offers.push_back(offer);
            const auto from = of_classes.begin() + static_cast<long>(offer.island * per_offer);
            carved->classes.insert(carved->classes.end(), from,
                                   from + static_cast<long>(per_offer));
        }
    }
    carved->blocks.back().offers = carved->offers.size();
    for (std::size_t i = 0; i < carved->offers.size(); ++i)
        carved->offers[i].classes = std::span(carved->classes).subspan(i * per_offer, per_offer);
    if (!carved->offers.empty()) carved_ = std::move(carved);
}

std::uint64_t IslandOffers::prepare(const IslandRule& rule, const WeightOrder& order) const {
    if (!carved_ || !rule.holds || rule.one_island || order.classes.size() < 2) return 0;
    if (is_prepared(rule, order)) return 0;
    Carved& carved = *carved_;
    carved.nodes = rule.nodes;
    carved.total = order.total;
    carved.splits.clear();
    carved.counts.clear();
    std::uint32_t most = 0;
    for (BlockIndex block = 0; block + 1 < carved.blocks.size(); ++block)
        most = std::max(most, nodes_of(carved.offers_of(block)));
    IslandSplit split(rule.nodes, order, most);
    for (BlockIndex block = 0; block + 1 < carved.blocks.size(); ++block) {
        Block& at = carved.blocks[block];
        at.splits = carved.splits.size();
        at.counts = carved.counts.size();
        const std::span<const IslandOffer> offers = carved.offers_of(block);
        const UnitRange range = island_range(offers, rule);
        at.amounts = offers.empty() || range.least > range.most ? 0 : range.most + 1;
        if (at.amounts == 0) continue;
        split.solve(offers, range.most);
        carved.counts.resize(at.counts + at.amounts * order.classes.size());
        carved.splits.resize(at.splits + at.amounts * offers.size());
        for (std::uint32_t units = 0; units < at.amounts; ++units) {
            const std::span of_amount =
                std::span(carved.counts)
                    .subspan(at.counts + units * order.classes.size(), order.classes.size());
            split.for_each(units, [&](std::size_t i, std::uint32_t nodes) {
                carved.splits[at.splits + units * offers.size() + i] = nodes;
                nvl72block::add_class_counts(offers[i].classes, nodes, of_amount);
            });
        }
    }
    return steps_to_prepare(rule.nodes, order.classes.size());
}

std::uint64_t IslandOffers::steps_to_prepare(std::uint32_t nodes, std::size_t classes) const {
    if (!carved_ || nodes < 2) return 0;
    std::uint64_t steps = 0;
    for (BlockIndex block = 0; block + 1 < carved_->blocks.size(); ++block) {
        std::uint64_t units = 0;
        const std::span<const IslandOffer> offers = carved_->offers_of(block);
        for (const IslandOffer& offer : offers) units += offer.free / nodes;
        // A sum of rows for each amount, offer and share of it; the reading back is as long.
        steps += (units + 1) * (2 * (units + offers.size()) + classes / 2);
    }
    return steps;
}

void IslandOffers::add_class_counts(BlockIndex block, const IslandRule& rule, std::uint32_t nodes,
                                    const WeightOrder& order,
                                    std::span<std::uint32_t> counts) const {
    const BlockIndex at = position(block);
    if (!is_prepared(rule, order)) {
        const std::span<const IslandOffer> offers = carved_->offers_of(at);
        const std::vector<std::uint32_t> split = single_split(offers, rule, nodes, order);
        for (std::size_t i = 0; i < split.size(); ++i)
            nvl72block::add_class_counts(offers[i].classes, split[i], counts);
        return;
    }
    const std::uint32_t units = nodes / rule.nodes;
    if (units >= carved_->blocks[at].amounts) return;
    const std::size_t from = carved_->blocks[at].counts + units * order.classes.size();
    for (std::size_t i = 0; i < order.classes.size(); ++i) counts[i] += carved_->counts[from + i];
}

std::vector<std::uint32_t> IslandOffers::split(BlockIndex block, const IslandRule& rule,
                                               std::uint32_t nodes,
                                               const WeightOrder& order) const {
    const Block& at = carved_->blocks[position(block)];
    const std::span<const IslandOffer> offers = of(block);
    if (!is_prepared(rule, order)) return single_split(offers, rule, nodes, order);
    const std::uint32_t units = nodes / rule.nodes;
    if (units >= at.amounts) return {};
    const auto from =
        carved_->splits.begin() + static_cast<long>(at.splits + units * offers.size());
    return {from, from + static_cast<long>(offers.size())};
}

UnitRange island_range(std::span<const IslandOffer> offers, const IslandRule& rule) {
    UnitRange range;
    std::uint32_t required = 0;
    for (const IslandOffer& offer : offers) required += offer.required;
    for (const IslandOffer& offer : offers) {
        const std::uint32_t most = offer.free / rule.nodes;
        const std::uint32_t least = (offer.required + rule.nodes - 1) / rule.nodes;
        if (rule.one_island) {
            if (offer.required == required) range.most = std::max(range.most, most);
            continue;
        }
        if (least > most) return {1, 0};
        range.least += least;
        range.most += most;
    }
    if (rule.one_island) range.least = (required + rule.nodes - 1) / rule.nodes;
    return range;
}

void add_class_counts(std::span<const ClassOffer> classes, std::uint32_t nodes,
                      std::span<std::uint32_t> counts) {
    if (nodes == 0) return;
    std::uint32_t required = 0;
    for (const ClassOffer& of_class : classes) required += of_class.required;
    nodes -= std::min(nodes, required);
    for (std::size_t i = 0; i < classes.size() && nodes + required > 0; ++i) {
        const std::uint32_t chosen = std::min(nodes, classes[i].optional());
        counts[i] += classes[i].required + chosen;
        nodes -= chosen;
    }
}

}  // namespace nvl72block
