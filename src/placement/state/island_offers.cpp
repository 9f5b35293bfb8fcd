// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/state/island_offers.hpp"

#include <algorithm>
#include <array>

#include "nvl72block/clique.hpp"
#include "placement/state/tally.hpp"

namespace nvl72block {
namespace {

/// The usable nodes of one base block by island; islands without any are left out.
std::vector<IslandOffer> offers_of(const Topology& topology, const Request& request,
                                   const State& state, std::span<const std::uint64_t> classes,
                                   BlockIndex block) {
    const Islands& islands = *topology.islands();
    std::vector<IslandOffer> offers(islands.island_count[block]);
    topology.for_each(block, state.usable, [&](NodeIndex node) {
        const std::uint32_t island = islands.island_of[node];
        IslandOffer& offer = offers[island];
        offer.island = island;
        ++offer.free;
        const bool required = request.required.test(node);
        offer.required += required ? 1 : 0;
        if (classes.size() < 2) return;
        offer.classes.resize(classes.size());
        offer.classes[weight_class_of(classes, state.weight[node])].add(required);
    });
    std::erase_if(offers, [](const IslandOffer& offer) { return offer.free == 0; });
    return offers;
}

/// Dynamic programming over the islands, the last one first, so that reading the tables back from
/// the first island gives the lowest islands the most. One pass serves every number of units.
class Split {
  public:
    Split(std::span<const IslandOffer> offers, const IslandRule& rule, std::uint32_t units,
          const WeightOrder& order)
        : offers_(offers),
          rule_(rule),
          units_(units),
          order_(order),
          weights_(order.classes.size() < 2 ? 0
                   : order.total            ? 1
                                            : order.classes.size() - 1) {
        for (const IslandOffer& offer : offers) {
            own_begin_.push_back(own_.size());
            for (std::uint32_t given = 0; given <= std::min(units, offer.free / rule.nodes);
                 ++given)
                own_.push_back(cost_of(offer, given * rule.nodes));
        }
        rows_.assign((offers.size() + 1) * (units + std::size_t{1}), impossible());
        rows_[row_at(offers.size(), 0)] = {};
        for (std::size_t i = offers.size(); i-- > 0;) fill(i);
    }

    /// Nodes per offer; empty if there is no way.
    [[nodiscard]] std::vector<std::uint32_t> nodes(std::uint32_t units) const {
        std::vector<std::uint32_t> split;
        if (!possible(rows_[row_at(0, units)])) return split;
        for (std::size_t i = 0; i < offers_.size(); ++i) {
            std::uint32_t given = std::min(units, most(i));
            for (;; --given) {
                const Row& rest = rows_[row_at(i + 1, units - given)];
                if (!possible(rest) || given * rule_.nodes < offers_[i].required) continue;
                if (sum(rest, own(i, given)) == rows_[row_at(i, units)]) break;
            }
            split.push_back(given * rule_.nodes);
            units -= given;
        }
        return split;
    }

  private:
    /// What a split is judged by, less is better: the weights, the islands used, the nodes left
    /// over in them. A sum of rows is the sum word by word.
    using Row = std::array<std::uint64_t, max_weight_classes + 2>;

    [[nodiscard]] Row cost_of(const IslandOffer& offer, std::uint32_t nodes) const {
        Row row{};
        if (nodes > 0) {
            row[weights_] = 1;
            row[weights_ + 1] = offer.free - nodes;
        }
        if (weights_ == 0) return row;
        std::array<std::uint32_t, max_weight_classes> counts{};
        add_class_counts(offer.classes, nodes, std::span(counts).first(order_.classes.size()));
        std::uint32_t heavier = nodes;
        for (std::size_t i = 0; i < order_.classes.size(); ++i) {
            heavier -= counts[i];
            if (order_.total)
                row[0] += counts[i] * order_.classes[i];
            else if (i < weights_)
                row[i] = heavier;
        }
        return row;
    }
    static constexpr Row impossible() { return {~std::uint64_t{0}}; }
    static bool possible(const Row& row) { return row[0] != ~std::uint64_t{0}; }

    /// The best of `units` units from island i on.
    [[nodiscard]] std::size_t row_at(std::size_t i, std::uint32_t units) const {
        return i * (units_ + std::size_t{1}) + units;
    }
    [[nodiscard]] std::uint32_t most(std::size_t i) const { return offers_[i].free / rule_.nodes; }
    [[nodiscard]] const Row& own(std::size_t i, std::uint32_t given) const {
        return own_[own_begin_[i] + given];
    }
    [[nodiscard]] Row sum(const Row& a, const Row& b) const {
        Row total{};
        for (std::size_t i = 0; i < weights_ + 2; ++i) total[i] = a[i] + b[i];
        return total;
    }

    void fill(std::size_t i) {
        const std::uint32_t least = (offers_[i].required + rule_.nodes - 1) / rule_.nodes;
        for (std::uint32_t given = least; given <= std::min(units_, most(i)); ++given) {
            const Row& cost = own(i, given);
            for (std::uint32_t units = given; units <= units_; ++units) {
                const Row& rest = rows_[row_at(i + 1, units - given)];
                if (!possible(rest)) continue;
                Row& best = rows_[row_at(i, units)];
                const Row joined = sum(rest, cost);
                if (joined < best) best = joined;
            }
        }
    }

    std::span<const IslandOffer> offers_;
    const IslandRule& rule_;
    std::uint32_t units_;
    WeightOrder order_;
    std::size_t weights_;                 // words of a row that are about weights
    std::vector<std::size_t> own_begin_;  // per offer
    std::vector<Row> own_;                // what an offer's units cost, by their number
    std::vector<Row> rows_;
};

}  // namespace

IslandOffers::IslandOffers(const Topology& topology, const Request& request, const State& state,
                           std::span<const std::uint64_t> classes) {
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        if (topology.islands()->island_count[block] < 2) continue;
        std::vector<IslandOffer> offers = offers_of(topology, request, state, classes, block);
        if (offers.size() < 2) continue;
        if (!carved_) carved_ = std::make_shared<Carved>();
        carved_->blocks.resize(topology.block_count());
        carved_->blocks[block].offers = std::move(offers);
    }
}

std::uint64_t IslandOffers::prepare(const IslandRule& rule, const WeightOrder& order) const {
    if (!carved_ || !rule.holds || rule.one_island || order.classes.size() < 2) return 0;
    if (carved_->nodes == rule.nodes && carved_->total == order.total) return 0;
    carved_->nodes = rule.nodes;
    carved_->total = order.total;
    std::uint64_t steps = 0;
    for (auto& [offers, counts] : carved_->blocks) {
        counts.clear();
        const UnitRange range = island_range(offers, rule);
        if (offers.empty() || range.least > range.most) continue;
        const Split split(offers, rule, range.most, order);
        for (std::uint32_t units = 0; units <= range.most; ++units) {
            counts.resize(counts.size() + order.classes.size());
            const std::span of_amount = std::span(counts).last(order.classes.size());
            const std::vector<std::uint32_t> nodes = split.nodes(units);
            for (std::size_t i = 0; i < nodes.size(); ++i)
                nvl72block::add_class_counts(offers[i].classes, nodes[i], of_amount);
        }
        // A sum of rows for each offer, amount and share of it; the reading back is as long.
        steps += 2 * (range.most + std::uint64_t{1}) * (range.most + offers.size());
    }
    return steps;
}

void IslandOffers::add_class_counts(BlockIndex block, const IslandRule& rule, std::uint32_t nodes,
                                    const WeightOrder& order,
                                    std::span<std::uint32_t> counts) const {
    const Block& carved = at(block);
    if (!rule.one_island && carved_->nodes == rule.nodes && carved_->total == order.total) {
        const std::size_t from = nodes / rule.nodes * order.classes.size();
        for (std::size_t i = 0; i < order.classes.size() && from < carved.counts.size(); ++i)
            counts[i] += carved.counts[from + i];
        return;
    }
    const std::vector<std::uint32_t> split = split_by_island(carved.offers, rule, nodes, order);
    for (std::size_t i = 0; i < split.size(); ++i)
        nvl72block::add_class_counts(carved.offers[i].classes, split[i], counts);
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

std::vector<std::uint32_t> split_by_island(std::span<const IslandOffer> offers,
                                           const IslandRule& rule, std::uint32_t nodes,
                                           const WeightOrder& order) {
    // All nodes from one island: then they are one unit.
    const std::uint32_t unit_nodes = rule.one_island ? std::max(nodes, 1U) : rule.nodes;
    const std::uint32_t units = nodes / unit_nodes;
    const IslandRule by_units{rule.holds, false, unit_nodes};
    return Split(offers, by_units, units, order).nodes(units);
}

void add_class_counts(std::span<const ClassOffer> classes, std::uint32_t nodes,
                      std::span<std::uint32_t> counts) {
    if (nodes == 0) return;
    for (const ClassOffer& of_class : classes) nodes -= std::min(nodes, of_class.required);
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const std::uint32_t chosen = std::min(nodes, classes[i].optional());
        counts[i] += classes[i].required + chosen;
        nodes -= chosen;
    }
}

}  // namespace nvl72block
