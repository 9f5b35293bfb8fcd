// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/label_table.hpp"

#include <algorithm>
#include <functional>

namespace nvl72block {
namespace {

/// Keys lie in regular rows, which one multiplication leaves in long runs of neighbouring slots.
std::size_t hash_of(std::uint64_t number) {
    number *= 0x9e3779b97f4a7c15U;
    number ^= number >> 32;
    number *= 0xd6e8feb86659fd93U;
    return static_cast<std::size_t>(number >> 32);
}

}  // namespace

std::size_t LabelTable::find(const LabelKey& key) const {
    const auto [first, last] = with_units(key.units, key.units);
    const auto from = keys_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = keys_.begin() + static_cast<std::ptrdiff_t>(last);
    const auto at = std::lower_bound(from, to, key);
    return at != to && *at == key ? static_cast<std::size_t>(at - keys_.begin()) : none;
}

LabelKey left_of_sum(const LabelTable& left, const LabelTable& right, const LabelTable& sums,
                     const LabelKey& sum, std::uint64_t& steps, std::uint32_t least_right) {
    const std::size_t at = sums.find(sum);
    for (std::size_t i = left.size(); at != LabelTable::none && i-- > 0;) {
        ++steps;
        const LabelKey& a = left.key(i);
        if (a.units + least_right > sum.units || a.limited > sum.limited || a.blocks > sum.blocks)
            continue;
        const std::size_t j = right.find(sum - a);
        if (j != LabelTable::none && sums.costs(at, left.cost(i), right.cost(j))) return a;
    }
    return {};
}

void LabelCollector::start(std::uint32_t least_units, const LabelKey& high) {
    least_units_ = least_units;
    width_ = {high.units - least_units + 1, high.limited + 1, high.blocks + 1};
    const std::uint64_t slots =
        std::uint64_t{width_.units} * width_.limited * std::uint64_t{width_.blocks};
    dense_ = slots <= most_dense_slots;
    mask_ = least_hash_slots - 1;
    slots_.resize(std::max<std::size_t>(slots_.size(), dense_ ? slots : least_hash_slots));
}

std::uint32_t& LabelCollector::hashed_slot(LabelKey key) {
    ++lookups_;
    if (2 * keys_.size() > mask_) grow_hash();
    std::size_t i = hash_of(number_of(key)) & mask_;
    while (slots_[i] != 0 && keys_[slots_[i] - 1] != key) i = (i + 1) & mask_;
    return slots_[i];
}

/// In the same memory: the keys know where they belong.
void LabelCollector::grow_hash() {
    std::fill_n(slots_.begin(), mask_ + 1, 0U);
    mask_ = 2 * mask_ + 1;
    slots_.resize(std::max(slots_.size(), mask_ + 1));
    for (std::uint32_t position = 1; position <= keys_.size(); ++position)
        hashed_slot(keys_[position - 1]) = position;
}

std::uint32_t LabelCollector::append(LabelKey key, std::int64_t worth, const std::uint64_t* a,
                                     const std::uint64_t* b) {
    keys_.push_back(key);
    worths_.push_back(worth);
    for (std::size_t i = 0; i < words_; ++i) costs_.push_back(a[i] + b[i]);
    return static_cast<std::uint32_t>(keys_.size());
}

LabelTable LabelCollector::finish() {
    order_.clear();
    order_.reserve(keys_.size());
    for (std::uint32_t i = 0; i < keys_.size(); ++i) order_.push_back({number_of(keys_[i]), i});
    // Numbers ascend as keys do.
    if (!std::ranges::is_sorted(order_, std::less{}, &Rank::number))
        std::ranges::sort(order_, std::less{}, &Rank::number);
    LabelTable table;
    table.reserve(keys_.size(), words_);
    if (!dense_) std::fill_n(slots_.begin(), mask_ + 1, 0U);
    for (const auto& [number, i] : order_) {
        table.append(keys_[i], worths_[i], &costs_[i * words_]);
        if (dense_) slots_[number] = 0;  // the others are: clearing all would take longer
    }
    keys_.clear();
    worths_.clear();
    costs_.clear();
    return table;
}

}  // namespace nvl72block
