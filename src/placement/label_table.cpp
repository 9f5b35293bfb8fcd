// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/label_table.hpp"

#include <algorithm>
#include <numeric>

namespace nvl72block {

std::size_t LabelTable::find(const LabelKey& key) const {
    const auto [first, last] = with_units(key.units, key.units);
    const auto from = keys_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = keys_.begin() + static_cast<std::ptrdiff_t>(last);
    const auto at = std::lower_bound(from, to, key);
    return at != to && *at == key ? static_cast<std::size_t>(at - keys_.begin()) : none;
}

std::size_t LabelTable::search_begin(std::uint64_t units) const {
    const auto at = std::lower_bound(
        keys_.begin(), keys_.end(), units,
        [](const LabelKey& key, std::uint64_t wanted) { return key.units < wanted; });
    return static_cast<std::size_t>(at - keys_.begin());
}

void LabelTable::append(const LabelKey& key, std::int64_t worth,
                        std::span<const std::uint64_t> cost) {
    words_ = cost.size();
    keys_.push_back(key);
    worths_.push_back(worth);
    costs_.insert(costs_.end(), cost.begin(), cost.end());
}

void LabelTable::seal() {
    begin_.clear();
    if (keys_.empty()) return;
    low_ = keys_.front().units;
    const std::size_t width = keys_.back().units - low_ + std::size_t{1};
    if (width > 8 * keys_.size()) return;
    begin_.reserve(width);
    for (std::uint32_t i = 0; i < keys_.size(); ++i)
        while (begin_.size() <= keys_[i].units - low_) begin_.push_back(i);
}

void LabelCollector::start(const LabelKey& low, const LabelKey& high) {
    low_ = low;
    width_ = {high.units - low.units + 1, high.limited - low.limited + 1,
              high.blocks - low.blocks + 1};
    const std::uint64_t slots =
        std::uint64_t{width_.units} * width_.limited * std::uint64_t{width_.blocks};
    dense_ = slots <= most_slots;
    if (dense_)
        slots_.resize(std::max<std::size_t>(slots_.size(), slots));
    else
        hash_.assign(std::size_t{1} << 8, {});
}

std::uint32_t& LabelCollector::slot(const LabelKey& key) {
    const std::uint64_t at =
        (std::uint64_t{key.units - low_.units} * width_.limited + (key.limited - low_.limited)) *
            width_.blocks +
        (key.blocks - low_.blocks);
    return dense_ ? slots_[at] : hashed_slot(at);
}

std::uint32_t& LabelCollector::hashed_slot(std::uint64_t at) {
    if (2 * keys_.size() >= hash_.size()) grow_hash();
    const std::size_t mask = hash_.size() - 1;
    std::size_t i = (at * 0x9e3779b97f4a7c15U) >> 20 & mask;
    while (hash_[i].position != 0 && hash_[i].at != at) i = (i + 1) & mask;
    hash_[i].at = at;
    return hash_[i].position;
}

void LabelCollector::grow_hash() {
    std::vector<HashedSlot> before(2 * hash_.size());
    before.swap(hash_);
    const std::size_t mask = hash_.size() - 1;
    for (const HashedSlot& entry : before) {
        if (entry.position == 0) continue;
        std::size_t i = (entry.at * 0x9e3779b97f4a7c15U) >> 20 & mask;
        while (hash_[i].position != 0) i = (i + 1) & mask;
        hash_[i] = entry;
    }
}

void LabelCollector::offer(const LabelKey& key, std::int64_t worth, const std::uint64_t* a,
                           const std::uint64_t* b) {
    std::uint32_t& position = slot(key);
    if (position == 0) {
        keys_.push_back(key);
        worths_.push_back(worth);
        for (std::size_t i = 0; i < words_; ++i) costs_.push_back(a[i] + b[i]);
        position = static_cast<std::uint32_t>(keys_.size());
        return;
    }
    std::uint64_t* known = &costs_[(position - 1) * words_];
    std::size_t i = 0;
    while (i < words_ && a[i] + b[i] == known[i]) ++i;
    if (i == words_ || a[i] + b[i] > known[i]) return;
    for (; i < words_; ++i) known[i] = a[i] + b[i];
    worths_[position - 1] = worth;
}

LabelTable LabelCollector::finish() {
    std::vector<std::uint32_t> order(keys_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t x, std::uint32_t y) { return keys_[x] < keys_[y]; });
    LabelTable table;
    for (const std::uint32_t i : order)
        table.append(keys_[i], worths_[i], std::span(costs_).subspan(i * words_, words_));
    table.seal();
    if (dense_)  // the slots of other keys are empty: clearing all of them would take longer
        for (const LabelKey& key : keys_) slot(key) = 0;
    keys_.clear();
    worths_.clear();
    costs_.clear();
    return table;
}

}  // namespace nvl72block
