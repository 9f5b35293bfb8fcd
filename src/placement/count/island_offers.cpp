// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/count/island_offers.hpp"

#include <algorithm>
#include <optional>

#include "nvl72block/clique.hpp"
#include "placement/count/tally.hpp"

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
        offer.class_free.resize(classes.size());
        offer.class_required.resize(classes.size());
        const std::size_t weight_class = weight_class_of(classes, state.weight[node]);
        ++offer.class_free[weight_class];
        offer.class_required[weight_class] += required ? 1 : 0;
    });
    std::erase_if(offers, [](const IslandOffer& offer) { return offer.free == 0; });
    return offers;
}

/// What a split is judged by; less is better.
struct SplitCost {
    std::vector<std::uint64_t> weight;
    std::uint32_t islands = 0;
    std::uint32_t left = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes its own 0 for a pointer
    auto operator<=>(const SplitCost&) const = default;
};

SplitCost cost_of(const IslandOffer& offer, std::uint32_t nodes,
                  std::span<const std::uint64_t> classes, bool total_weight) {
    SplitCost cost;
    if (nodes > 0) {
        cost.islands = 1;
        cost.left = offer.free - nodes;
    }
    if (classes.size() < 2) return cost;
    std::vector<std::uint32_t> counts(classes.size());
    add_class_counts(offer, nodes, counts);
    if (total_weight) {
        cost.weight.resize(1);
        for (std::size_t i = 0; i < classes.size(); ++i) cost.weight[0] += counts[i] * classes[i];
        return cost;
    }
    std::uint32_t heavier = nodes;
    for (std::size_t i = 0; i + 1 < classes.size(); ++i)
        cost.weight.push_back(heavier -= counts[i]);
    return cost;
}

SplitCost sum(const SplitCost& a, const SplitCost& b) {
    SplitCost total = a;
    for (std::size_t i = 0; i < b.weight.size(); ++i) total.weight[i] += b.weight[i];
    total.islands += b.islands;
    total.left += b.left;
    return total;
}

/// Dynamic programming over the islands, the last one first, so that reading the tables back from
/// the first island gives the lowest islands the most.
class Split {
  public:
    Split(std::span<const IslandOffer> offers, const IslandRule& rule, std::uint32_t units,
          std::span<const std::uint64_t> classes, bool total_weight)
        : offers_(offers), rule_(rule), classes_(classes), total_weight_(total_weight) {
        tables_.resize(offers.size() + 1, Table(units + 1));
        SplitCost nothing;
        if (classes.size() > 1) nothing.weight.resize(total_weight ? 1 : classes.size() - 1);
        tables_.back()[0] = nothing;
        for (std::size_t i = offers.size(); i-- > 0;)
            for (std::uint32_t taken = 0; taken <= units; ++taken) fill(i, taken);
    }

    [[nodiscard]] std::vector<std::uint32_t> nodes(std::uint32_t units) const {
        std::vector<std::uint32_t> split;
        if (!tables_.front()[units]) return split;
        for (std::size_t i = 0; i < offers_.size(); ++i) {
            std::uint32_t given = most(i, units);
            while (joined(i, units, given) != tables_[i][units]) --given;
            split.push_back(given * rule_.nodes);
            units -= given;
        }
        return split;
    }

  private:
    using Table = std::vector<std::optional<SplitCost>>;  // by units from this island on

    [[nodiscard]] std::uint32_t most(std::size_t i, std::uint32_t units) const {
        return std::min(units, offers_[i].free / rule_.nodes);
    }

    /// Nothing where that is impossible.
    [[nodiscard]] std::optional<SplitCost> joined(std::size_t i, std::uint32_t units,
                                                  std::uint32_t given) const {
        if (given * rule_.nodes < offers_[i].required) return std::nullopt;
        const auto& rest = tables_[i + 1][units - given];
        if (!rest) return std::nullopt;
        return sum(*rest, cost_of(offers_[i], given * rule_.nodes, classes_, total_weight_));
    }

    void fill(std::size_t i, std::uint32_t units) {
        auto& best = tables_[i][units];
        for (std::uint32_t given = 0; given <= most(i, units); ++given) {
            const auto cost = joined(i, units, given);
            if (cost && (!best || *cost < *best)) best = cost;
        }
    }

    std::span<const IslandOffer> offers_;
    const IslandRule& rule_;
    std::span<const std::uint64_t> classes_;
    bool total_weight_;
    std::vector<Table> tables_;
};

/// The offer that serves all nodes; offers.size() if none can.
std::size_t best_single_island(std::span<const IslandOffer> offers, std::uint32_t nodes,
                               std::span<const std::uint64_t> classes, bool total_weight) {
    std::uint32_t required = 0;
    for (const IslandOffer& offer : offers) required += offer.required;
    std::size_t best = offers.size();
    std::optional<SplitCost> least;
    for (std::size_t i = 0; i < offers.size(); ++i) {
        if (offers[i].free < nodes || offers[i].required != required) continue;
        const SplitCost cost = cost_of(offers[i], nodes, classes, total_weight);
        if (least && !(cost < *least)) continue;
        least = cost;
        best = i;
    }
    return best;
}

}  // namespace

IslandOffers::IslandOffers(const Topology& topology, const Request& request, const State& state,
                           std::span<const std::uint64_t> classes) {
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        if (!begin_.empty()) begin_.push_back(static_cast<std::uint32_t>(offers_.size()));
        if (topology.islands()->island_count[block] < 2) continue;
        std::vector<IslandOffer> offers = offers_of(topology, request, state, classes, block);
        if (offers.size() < 2) continue;
        if (begin_.empty()) begin_.assign(block + 1U, 0);
        std::move(offers.begin(), offers.end(), std::back_inserter(offers_));
    }
    if (!begin_.empty()) begin_.push_back(static_cast<std::uint32_t>(offers_.size()));
}

IslandOffers::IslandOffers(const IslandOffers& other, std::span<const BlockIndex> order) {
    if (other.begin_.empty()) return;
    for (const BlockIndex block : order) {
        begin_.push_back(static_cast<std::uint32_t>(offers_.size()));
        const auto offers = other.of(block);
        offers_.insert(offers_.end(), offers.begin(), offers.end());
    }
    begin_.push_back(static_cast<std::uint32_t>(offers_.size()));
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
                                           std::span<const std::uint64_t> classes,
                                           bool total_weight) {
    if (!rule.one_island)
        return Split(offers, rule, nodes / rule.nodes, classes, total_weight)
            .nodes(nodes / rule.nodes);
    const std::size_t island = best_single_island(offers, nodes, classes, total_weight);
    if (island == offers.size()) return {};
    std::vector<std::uint32_t> split(offers.size());
    split[island] = nodes;
    return split;
}

void add_class_counts(const IslandOffer& offer, std::uint32_t nodes,
                      std::span<std::uint32_t> counts) {
    std::uint32_t rest = nodes - std::min(nodes, offer.required);
    for (std::size_t i = 0; i < counts.size() && nodes > 0; ++i) {
        const std::uint32_t chosen = std::min(rest, offer.class_free[i] - offer.class_required[i]);
        counts[i] += offer.class_required[i] + chosen;
        rest -= chosen;
    }
}

}  // namespace nvl72block
