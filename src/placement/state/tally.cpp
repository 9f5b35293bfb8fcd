// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/state/tally.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "placement/rules/rules.hpp"

namespace nvl72block {
namespace {

/// What was found for the weights asked for last, by a hash: they are few, and the nodes many.
class RecentWeights {
  public:
    template <typename Find>
    std::size_t operator()(std::uint64_t weight, Find find) {
        auto& [last, found] = recent_[(weight * 0x9e3779b97f4a7c15) >> 56];
        if (last != weight) found = find(*(last = weight));
        return found;
    }

  private:
    std::array<std::pair<std::optional<std::uint64_t>, std::size_t>, 256> recent_{};
};

}  // namespace

Tally::Tally(const Topology& topology, const Request& request, const State& state)
    : topology_(&topology) {
    set_levels();
    count_base_blocks(request, state);
    count_aggregates();
    outside_ = state.usable.count() - in_blocks();
    required_outside_ = request.required.count() - required_in_blocks();
    request.required.for_each([&](NodeIndex node) {
        if (!state.usable.test(node)) ++required_unusable_;
    });
    // A job that has its base blocks to itself prefers those that it fills.
    if (request.policy == Policy::demand && !request.exclusive)
        slots_ = slots_by_level(topology, request.demand, of(whole_level(), 0).shared > 0);
    const std::vector<std::uint8_t> class_of = count_weights(request, state);
    if (heeds_cliques(topology, request))
        islands_ = IslandOffers(topology, request, state, class_of, classes_.size());
}

Tally::Tally(const Tally& other, std::span<const BlockIndex> order) : Tally(other) {
    for (BlockIndex position = 0; position < order.size(); ++position) {
        const BlockIndex block = order[position];
        counts_[position] = other.counts_[block];
        whole_[position] = other.whole_[block];
        if (!ranks_.empty()) ranks_[position] = other.ranks_[block];
        if (class_offers_.empty()) continue;
        const auto row = other.class_offers(block);
        std::copy(row.begin(), row.end(), class_offers_.begin() + position * row.size());
    }
    islands_ = IslandOffers(other.islands_, order);
    count_aggregates();
}

void Tally::set_levels() {
    LevelStart end;
    for (const Level& level : topology_->levels()) {
        levels_.push_back({end.offset, level.exponent});
        end.offset += level.aggregates;
    }
    levels_.push_back({end.offset, 32});  // joins all
    levels_.push_back({end.offset + 1});
    counts_.reserve(end.offset + 1);
    whole_.reserve(end.offset + 1);
}

void Tally::count_base_blocks(const Request& request, const State& state) {
    const std::uint32_t planned = topology_->planning_size();
    const bool some_required = !request.required.empty();
    // A job of whole nodes has none that are not idle; then nothing is counted twice, and if all
    // idle nodes are usable, nothing at all.
    const std::uint32_t both = count_of_both(state.idle, state.usable);
    const bool shares = state.idle.size() > 0 && both < state.usable.count();
    const bool idle_differ = shares || both < state.idle.count();
    NodeSet not_idle;
    if (shares) {
        not_idle = NodeSet(state.usable);
        not_idle.subtract(state.idle);
    }
    counts_.resize(topology_->block_count());
    whole_.resize(topology_->block_count());
    for (BlockIndex block = 0; block < topology_->block_count(); ++block) {
        Counts counts;
        counts.free = counts.idle = topology_->count(block, state.usable);
        if (some_required) counts.required = topology_->count(block, request.required);
        if (idle_differ) counts.idle = topology_->count(block, state.idle);
        if (shares) counts.shared = topology_->count(block, not_idle);
        counts_[block] = counts;
        whole_[block] = counts.idle >= planned ? 1 : 0;
    }
}

void Tally::count_aggregates() {
    counts_.resize(vertices(0));
    counts_.resize(levels_.back().offset);
    whole_.resize(vertices(0));
    whole_.resize(levels_.back().offset, 1);
    for (std::size_t level = 1; level <= whole_level(); ++level) {
        const LevelStart &lower = levels_[level - 1], &upper = levels_[level];
        const unsigned shift = upper.exponent - lower.exponent;
        const std::uint64_t children = vertices(level - 1);
        for (std::uint64_t child = 0; child < children; ++child) {
            const std::size_t at = upper.offset + (child >> shift);
            counts_[at] += counts_[lower.offset + child];
            whole_[at] &= whole_[lower.offset + child];
        }
        const bool complete = std::uint64_t{vertices(level)} << shift == children;
        if (!complete) whole_[upper.offset + vertices(level) - 1] = 0;
    }
}

std::vector<std::uint8_t> Tally::count_weights(const Request& request, const State& state) {
    classes_.assign(1, 0);
    if (state.weight.empty()) return {};
    classes_.clear();
    const auto add_class = [&](std::uint64_t weight) {
        const auto at = std::ranges::lower_bound(classes_, weight);
        if (at != classes_.end() && *at == weight) return 0;
        classes_.insert(at, weight);
        if (classes_.size() > max_weight_classes) {
            classes_.pop_back();
            weights_merged_ = true;
        }
        return 0;
    };
    RecentWeights known;
    state.usable.for_each([&](NodeIndex node) {
        if (topology_->block_of(node) != no_block) known(state.weight[node], add_class);
    });
    if (classes_.size() < 2) return {};
    class_offers_.resize(std::size_t{topology_->block_count()} * classes_.size());
    std::vector<std::uint8_t> class_of(topology_->node_count());
    const bool some_required = !request.required.empty();
    const auto find_class = [&](auto weight) { return weight_class_of(classes_, weight); };
    RecentWeights class_of_weight;
    for (BlockIndex block = 0; block < topology_->block_count(); ++block)
        topology_->for_each(block, state.usable, [&](NodeIndex node) {
            class_of[node] =
                static_cast<std::uint8_t>(class_of_weight(state.weight[node], find_class));
            class_offers_[block * classes_.size() + class_of[node]].add(
                some_required && request.required.test(node));
        });
    return class_of;
}

void Tally::rank_blocks() const {
    std::vector<BlockIndex> sorted(topology_->block_count());
    std::iota(sorted.begin(), sorted.end(), 0U);
    const auto less = [&](BlockIndex a, BlockIndex b) { return std::is_lt(compare_all(a, b)); };
    if (!std::ranges::is_sorted(sorted, less)) std::ranges::sort(sorted, less);
    ranks_.resize(sorted.size());
    for (std::size_t i = 1; i < sorted.size(); ++i)
        ranks_[sorted[i]] = ranks_[sorted[i - 1]] + (less(sorted[i - 1], sorted[i]) ? 1 : 0);
}

std::strong_ordering Tally::compare(BlockIndex a, BlockIndex b) const {
    if (class_offers_.empty() && !islands_.any()) return counts_[a] <=> counts_[b];
    if (ranks_.empty()) rank_blocks();
    return ranks_[a] <=> ranks_[b];
}

std::strong_ordering Tally::compare_all(BlockIndex a, BlockIndex b) const {
    if (const auto order = counts_[a] <=> counts_[b]; std::is_neq(order)) return order;
    const auto in_turn = [](const auto& x, const auto& y) {
        return std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
    };
    if (const auto order = in_turn(islands_.of(a), islands_.of(b)); std::is_neq(order))
        return order;
    if (class_offers_.empty()) return std::strong_ordering::equal;
    return in_turn(class_offers(a), class_offers(b));
}

}  // namespace nvl72block
