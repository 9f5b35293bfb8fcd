// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/tally.hpp"

#include <algorithm>

namespace nvl72block {

Tally::Tally(const Topology& topology, const Request& request, const State& state)
    : topology_(&topology) {
    std::size_t total = 0;
    for (std::size_t level = 0; level <= whole_level(); ++level) {
        offset_.push_back(total);
        total += vertices(level);
    }
    free_.resize(total);
    whole_.resize(total);
    if (!request.required.empty()) required_.resize(total);
    count_base_blocks(request, state);
    count_aggregates();
    count_weights(request, state);
}

std::uint32_t Tally::first_child(std::size_t level, std::uint32_t index) const {
    if (level == whole_level()) return 0;
    const auto levels = topology_->levels();
    return index << (levels[level].exponent - levels[level - 1].exponent);
}

std::uint32_t Tally::last_child(std::size_t level, std::uint32_t index) const {
    const std::uint32_t below = vertices(level - 1);
    if (level == whole_level()) return below;
    const auto levels = topology_->levels();
    const std::uint64_t last = (std::uint64_t{index} + 1)
                               << (levels[level].exponent - levels[level - 1].exponent);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(last, below));
}

BlockIndex Tally::first_block(std::size_t level, std::uint32_t index) const {
    return level == whole_level() ? 0 : topology_->first_block(level, index);
}

BlockIndex Tally::last_block(std::size_t level, std::uint32_t index) const {
    return level == whole_level() ? topology_->block_count() : topology_->last_block(level, index);
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

void Tally::count_aggregates() {
    for (std::size_t level = 1; level <= whole_level(); ++level) {
        const std::uint32_t complete = level == whole_level()
                                           ? 0
                                           : 1U << (topology_->levels()[level].exponent -
                                                    topology_->levels()[level - 1].exponent);
        for (std::uint32_t index = 0; index < vertices(level); ++index) {
            const std::uint32_t first = first_child(level, index);
            const std::uint32_t last = last_child(level, index);
            std::uint32_t whole_children = 0;
            for (std::uint32_t child = first; child < last; ++child) {
                free_[offset_[level] + index] += free(level - 1, child);
                if (!required_.empty())
                    required_[offset_[level] + index] += required(level - 1, child);
                whole_children += whole(level - 1, child) ? 1 : 0;
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
        auto at = std::lower_bound(classes_.begin(), classes_.end(), state.weight[node]);
        if (at == classes_.end()) --at;
        const std::size_t slot =
            block * classes_.size() + static_cast<std::size_t>(at - classes_.begin());
        ++class_free_[slot];
        if (request.required.test(node)) ++class_required_[slot];
    });
}

bool Tally::same_weights(BlockIndex a, BlockIndex b) const {
    if (classes_.size() < 2) return true;
    const std::size_t width = classes_.size();
    const auto same = [&](const std::vector<std::uint32_t>& counts) {
        return std::equal(counts.begin() + static_cast<std::ptrdiff_t>(a * width),
                          counts.begin() + static_cast<std::ptrdiff_t>((a + 1) * width),
                          counts.begin() + static_cast<std::ptrdiff_t>(b * width));
    };
    return same(class_free_) && same(class_required_);
}

}  // namespace nvl72block
