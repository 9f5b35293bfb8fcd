// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/state/tally.hpp"

#include <algorithm>
#include <limits>

#include "placement/rules/rules.hpp"

namespace nvl72block {

Tally::Tally(const Topology& topology, const Request& request, const State& state)
    : topology_(&topology) {
    set_offsets();
    if (!request.required.empty()) required_.resize(free_.size());
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
    required_.resize(other.required_.size());
    idle_.resize(other.idle_.size());
    shared_.resize(other.shared_.size());
    class_free_.reserve(other.class_free_.size());
    class_required_.reserve(other.class_required_.size());
    for (BlockIndex position = 0; position < order.size(); ++position) {
        const BlockIndex block = order[position];
        free_[position] = other.free_[block];
        whole_[position] = other.whole_[block];
        if (!required_.empty()) required_[position] = other.required_[block];
        if (!idle_.empty()) {
            idle_[position] = other.idle_[block];
            shared_[position] = other.shared_[block];
        }
        const auto copy_row = [&](const auto& from, auto& to) {
            if (from.empty()) return;
            const auto row = from.begin() + static_cast<std::ptrdiff_t>(block * classes_.size());
            to.insert(to.end(), row, row + static_cast<std::ptrdiff_t>(classes_.size()));
        };
        copy_row(other.class_free_, class_free_);
        copy_row(other.class_required_, class_required_);
    }
    count_aggregates();
}

void Tally::set_offsets() {
    std::size_t total = 0;
    for (std::size_t level = 0; level <= whole_level(); ++level) {
        offset_.push_back(total);
        total += vertices(level);
    }
    free_.resize(total);
    whole_.resize(total);
    set_child_shifts();
}

void Tally::set_child_shifts() {
    child_shift_.assign(1, 0);
    for (std::size_t level = 1; level < whole_level(); ++level)
        child_shift_.push_back(topology_->exponent_between(level - 1, level));
    child_shift_.push_back(std::numeric_limits<std::uint32_t>::digits);  // the whole joins them all
}

void Tally::count_base_blocks(const Request& request, const State& state) {
    std::uint32_t free_total = 0;
    std::uint32_t required_total = 0;
    for (BlockIndex block = 0; block < topology_->block_count(); ++block) {
        free_[block] = topology_->count(block, state.usable);
        whole_[block] = free_[block] >= topology_->planning_size() ? 1 : 0;
        free_total += free_[block];
        if (!required_.empty()) {
            required_[block] = topology_->count(block, request.required);
            required_total += required_[block];
        }
    }
    outside_ = state.usable.count() - free_total;
    if (required_.empty()) return;
    required_outside_ = request.required.count() - required_total;
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
    idle_.resize(free_.size());
    shared_.resize(free_.size());
    for (BlockIndex block = 0; block < topology_->block_count(); ++block) {
        idle_[block] = topology_->count(block, state.idle);
        shared_[block] = shares ? topology_->count(block, not_idle) : 0;
        whole_[block] = idle_[block] >= topology_->planning_size() ? 1 : 0;
    }
}

/// A job that has its base blocks to itself prefers those that it fills.
void Tally::find_slots(const Request& request) {
    if (request.policy != Policy::demand || request.exclusive) return;
    const bool shares = std::any_of(shared_.begin(), shared_.end(), [](auto n) { return n > 0; });
    slots_ = slots_by_level(*topology_, request.demand, shares);
}

void Tally::count_aggregates() {
    for (std::size_t level = 1; level <= whole_level(); ++level) {
        const std::size_t below = offset_[level - 1];
        const std::uint32_t complete = level == whole_level() ? 0 : 1U << child_shift_[level];
        for (std::uint32_t index = 0; index < vertices(level); ++index) {
            std::uint32_t free = 0;
            std::uint32_t whole_children = 0;
            const std::uint32_t last = last_child(level, index);
            for (std::uint32_t child = first_child(level, index); child < last; ++child) {
                free += free_[below + child];
                whole_children += whole_[below + child];
                if (!required_.empty())
                    required_[offset_[level] + index] += required_[below + child];
                if (idle_.empty()) continue;
                idle_[offset_[level] + index] += idle_[below + child];
                shared_[offset_[level] + index] += shared_[below + child];
            }
            free_[offset_[level] + index] = free;
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
    const std::size_t size = std::size_t{topology_->block_count()} * classes_.size();
    class_free_.resize(size);
    class_required_.resize(size);
    state.usable.for_each([&](NodeIndex node) {
        const BlockIndex block = topology_->block_of(node);
        if (block == no_block) return;
        const std::size_t slot =
            block * classes_.size() + weight_class_of(classes_, state.weight[node]);
        ++class_free_[slot];
        if (request.required.test(node)) ++class_required_[slot];
    });
}

std::strong_ordering Tally::compare(BlockIndex a, BlockIndex b) const {
    if (const auto order = free(0, a) <=> free(0, b); std::is_neq(order)) return order;
    if (const auto order = required(0, a) <=> required(0, b); std::is_neq(order)) return order;
    if (!idle_.empty()) {
        if (const auto order = idle_[a] <=> idle_[b]; std::is_neq(order)) return order;
        if (const auto order = shared_[a] <=> shared_[b]; std::is_neq(order)) return order;
    }
    const auto x_islands = islands_.of(a);
    const auto y_islands = islands_.of(b);
    if (const auto order = std::lexicographical_compare_three_way(
            x_islands.begin(), x_islands.end(), y_islands.begin(), y_islands.end());
        std::is_neq(order))
        return order;
    if (classes_.size() < 2) return std::strong_ordering::equal;
    const std::size_t width = classes_.size();
    const auto compare_rows = [&](const std::vector<std::uint32_t>& counts) {
        const std::span all(counts);
        const auto x = all.subspan(a * width, width);
        const auto y = all.subspan(b * width, width);
        return std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
    };
    const auto order = compare_rows(class_free_);
    return std::is_neq(order) ? order : compare_rows(class_required_);
}

}  // namespace nvl72block
