// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/state/tally.hpp"

#include <algorithm>

#include "placement/rules/rules.hpp"

namespace nvl72block {

Tally::Tally(const Topology& topology, const Request& request, const State& state)
    : topology_(&topology) {
    set_offsets();
    count_base_blocks(request, state);
    if (state.idle.size() > 0) count_idle(state);
    count_aggregates();
    find_slots(request);
    count_weights(request, state);
    if (heeds_cliques(topology, request))
        islands_ = IslandOffers(topology, request, state, classes_);
}

Tally::Tally(const Tally& other, std::span<const BlockIndex> order)
    : topology_(other.topology_),
      slots_(other.slots_),
      classes_(other.classes_),
      islands_(other.islands_, order),
      weights_merged_(other.weights_merged_),
      outside_(other.outside_),
      required_outside_(other.required_outside_),
      required_unusable_(other.required_unusable_) {
    set_offsets();
    class_offers_.reserve(other.class_offers_.size());
    for (BlockIndex position = 0; position < order.size(); ++position) {
        const BlockIndex block = order[position];
        counts_[position] = other.counts_[block];
        whole_[position] = other.whole_[block];
        if (other.class_offers_.empty()) continue;
        const auto row = other.class_offers(block);
        class_offers_.insert(class_offers_.end(), row.begin(), row.end());
    }
    count_aggregates();
}

void Tally::set_offsets() {
    std::size_t total = 0;
    for (std::size_t level = 0; level <= whole_level(); ++level) {
        offset_.push_back(total);
        total += vertices(level);
    }
    counts_.resize(total);
    whole_.resize(total);
}

void Tally::count_base_blocks(const Request& request, const State& state) {
    Counts total;
    for (BlockIndex block = 0; block < topology_->block_count(); ++block) {
        Counts& counts = counts_[block];
        counts.free = counts.idle = topology_->count(block, state.usable);
        whole_[block] = counts.free >= topology_->planning_size() ? 1 : 0;
        if (!request.required.empty()) counts.required = topology_->count(block, request.required);
        total += counts;
    }
    outside_ = state.usable.count() - total.free;
    if (request.required.empty()) return;
    required_outside_ = request.required.count() - total.required;
    request.required.for_each([&](NodeIndex node) {
        if (!state.usable.test(node)) ++required_unusable_;
    });
}

void Tally::count_idle(const State& state) {
    NodeSet not_idle(state.usable);
    not_idle.subtract(state.idle);
    // A job of whole nodes has none of these; then nothing is counted twice, and if all idle nodes
    // are usable, nothing at all.
    const bool shares = not_idle.view().count() > 0;
    if (!shares && state.idle.count() == state.usable.count()) return;
    for (BlockIndex block = 0; block < topology_->block_count(); ++block) {
        counts_[block].idle = topology_->count(block, state.idle);
        if (shares) counts_[block].shared = topology_->count(block, not_idle);
        whole_[block] = counts_[block].idle >= topology_->planning_size() ? 1 : 0;
    }
}

/// A job that has its base blocks to itself prefers those that it fills.
void Tally::find_slots(const Request& request) {
    if (request.policy != Policy::demand || request.exclusive) return;
    slots_ = slots_by_level(*topology_, request.demand, of(whole_level(), 0).shared > 0);
}

void Tally::count_aggregates() {
    for (std::size_t level = 1; level <= whole_level(); ++level) {
        const std::size_t below = offset_[level - 1];
        const std::uint32_t complete =
            level == whole_level() ? 0 : 1U << topology_->exponent_between(level - 1, level);
        for (std::uint32_t index = 0; index < vertices(level); ++index) {
            Counts& counts = counts_[offset_[level] + index];
            std::uint32_t whole_children = 0;
            for (const std::uint32_t child : children(level, index)) {
                counts += counts_[below + child];
                whole_children += whole_[below + child];
            }
            whole_[offset_[level] + index] = complete != 0 && whole_children == complete ? 1 : 0;
        }
    }
}

void Tally::count_weights(const Request& request, const State& state) {
    classes_.assign(1, 0);
    if (state.weight.empty()) return;
    classes_.clear();
    state.usable.for_each([&](NodeIndex node) {
        if (topology_->block_of(node) == no_block) return;
        const std::uint64_t weight = state.weight[node];
        const auto at = std::lower_bound(classes_.begin(), classes_.end(), weight);
        if (at != classes_.end() && *at == weight) return;
        if (classes_.size() == max_weight_classes) weights_merged_ = true;
        if (at == classes_.end() && classes_.size() == max_weight_classes) return;
        classes_.insert(at, weight);
        if (classes_.size() > max_weight_classes) classes_.pop_back();
    });
    if (classes_.size() < 2) return;
    class_offers_.resize(std::size_t{topology_->block_count()} * classes_.size());
    state.usable.for_each([&](NodeIndex node) {
        const BlockIndex block = topology_->block_of(node);
        if (block == no_block) return;
        ClassOffer& counts =
            class_offers_[block * classes_.size() + weight_class_of(classes_, state.weight[node])];
        ++counts.free;
        if (request.required.test(node)) ++counts.required;
    });
}

std::strong_ordering Tally::compare(BlockIndex a, BlockIndex b) const {
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
