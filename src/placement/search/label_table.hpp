// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a part of the topology can give, and the least cost of each amount: the tables of the exact
// search. Only amounts that can be part of a good answer are kept, so the tables are sparse.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "placement/preference/cost.hpp"
#include "placement/state/word_sums.hpp"

namespace nvl72block {

/// An amount: units taken, vertices of the limited level used, base blocks used. The two counters
/// stay 0 where they are not limited.
struct LabelKey {
    std::uint32_t units = 0;
    std::uint32_t limited = 0;
    std::uint32_t blocks = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes its own 0 for a pointer
    auto operator<=>(const LabelKey&) const = default;
    /// What remains of it without `part`, which is no more in any field.
    [[nodiscard]] LabelKey operator-(const LabelKey& part) const {
        return {units - part.units, limited - part.limited, blocks - part.blocks};
    }
};

/// Bytes that the tables of a search may take, more on large clusters.
[[nodiscard]] inline std::size_t room_for_tables(const Tally& tally) {
    return (std::size_t{1} << 22) + std::size_t{tally.vertices(0)} * 4096;
}

/// Labels in ascending order of their keys; each has a worth (prices.hpp) and a cost.
class LabelTable {
  public:
    static constexpr std::size_t none = ~std::size_t{0};

    [[nodiscard]] std::size_t size() const { return keys_.size(); }
    [[nodiscard]] const LabelKey& key(std::size_t i) const { return keys_[i]; }
    [[nodiscard]] std::int64_t worth(std::size_t i) const { return worths_[i]; }
    /// `words` words, as CostLayout::words() has it.
    [[nodiscard]] const std::uint64_t* cost(std::size_t i) const { return &costs_[i * words_]; }
    /// The same as a number of its own.
    [[nodiscard]] Cost copy_of_cost(std::size_t i) const {
        Cost copy{};
        std::copy_n(cost(i), words_, copy.begin());
        return copy;
    }
    /// The position of a key, or `none`.
    [[nodiscard]] std::size_t find(const LabelKey& key) const;
    /// Positions [first, last) of the labels with `from` to `to` units.
    [[nodiscard]] std::pair<std::size_t, std::size_t> with_units(std::uint32_t from,
                                                                 std::uint32_t to) const {
        if (from > to) return {0, 0};
        return {begin(from), begin(std::uint64_t{to} + 1)};
    }
    [[nodiscard]] std::uint32_t most_units() const {
        return keys_.empty() ? 0 : keys_.back().units;
    }
    /// Whether a label costs as much as `a` and `b` together.
    [[nodiscard]] bool costs(std::size_t i, const std::uint64_t* a, const std::uint64_t* b) const {
        return is_sum(cost(i), a, b, words_);
    }
    [[nodiscard]] std::size_t bytes() const {
        return keys_.capacity() * sizeof(LabelKey) + worths_.capacity() * sizeof(std::int64_t) +
               costs_.capacity() * sizeof(std::uint64_t);
    }

    void reserve(std::size_t labels, std::size_t words) {
        words_ = words;
        keys_.reserve(labels);
        worths_.reserve(labels);
        costs_.reserve(labels * words);
    }
    /// Appends a label, which must follow the others; reserve() comes first.
    void append(const LabelKey& key, std::int64_t worth, const std::uint64_t* cost) {
        keys_.push_back(key);
        worths_.push_back(worth);
        for (std::size_t i = 0; i < words_; ++i) costs_.push_back(cost[i]);
    }

  private:
    [[nodiscard]] std::size_t begin(std::uint64_t units) const {
        const auto at = std::ranges::lower_bound(keys_, units, std::less{}, &LabelKey::units);
        return static_cast<std::size_t>(at - keys_.begin());
    }

    std::size_t words_ = 1;
    std::vector<LabelKey> keys_;
    std::vector<std::int64_t> worths_;
    std::vector<std::uint64_t> costs_;
};

/// Of the labels on the left that make up the label `sum` of `sums` with one on the right, the key
/// of that with the most units; on the right, at least `least_right`. Adds to `steps`.
[[nodiscard]] LabelKey left_of_sum(const LabelTable& left, const LabelTable& right,
                                   const LabelTable& sums, const LabelKey& sum,
                                   std::uint64_t& steps, std::uint32_t least_right = 0);

/// Gathers labels in any order and keeps the cheapest of each key.
class LabelCollector {
  public:
    explicit LabelCollector(std::size_t words) : words_(words) {}

    /// Begins a table whose keys have at least `least_units` units and no more than `high` in any
    /// field.
    void start(std::uint32_t least_units, const LabelKey& high);
    /// A label that costs as much as `a` and `b` together.
    void add(LabelKey key, std::int64_t worth, const std::uint64_t* a,
             const std::uint64_t* b = no_cost.data()) {
        std::uint32_t& position = dense_ ? slots_[number_of(key)] : hashed_slot(key);
        if (position == 0) {
            position = append(key, worth, a, b);
            return;
        }
        if (lower_to_sum(&costs_[(position - 1) * words_], a, b, words_))
            worths_[position - 1] = worth;
    }
    [[nodiscard]] LabelTable finish();
    /// Labels that were looked for in a hash since it was last asked: each misses the cache.
    [[nodiscard]] std::uint64_t take_lookups() { return std::exchange(lookups_, 0); }

  private:
    static constexpr std::size_t most_dense_slots = std::size_t{1} << 18;
    static constexpr std::size_t least_hash_slots = std::size_t{1} << 8;

    [[nodiscard]] std::uint64_t number_of(const LabelKey& key) const {
        return (std::uint64_t{key.units - least_units_} * width_.limited + key.limited) *
                   width_.blocks +
               key.blocks;
    }
    [[nodiscard]] std::uint32_t& hashed_slot(LabelKey key);
    /// The position of a label that is new, plus one.
    std::uint32_t append(LabelKey key, std::int64_t worth, const std::uint64_t* a,
                         const std::uint64_t* b);
    void grow_hash();

    std::size_t words_;
    std::uint32_t least_units_ = 0;
    LabelKey width_;
    bool dense_ = true;
    std::uint64_t lookups_ = 0;
    std::size_t mask_ = 0;  // of the hash, a power of two less one
    /// Position plus one; 0: no label yet. One slot for each possible key, or where these are many
    /// open addressing, at most half full. All 0 between two tables.
    std::vector<std::uint32_t> slots_;
    std::vector<LabelKey> keys_;
    std::vector<std::int64_t> worths_;
    std::vector<std::uint64_t> costs_;
    struct Rank {
        std::uint64_t number = 0;
        std::uint32_t position = 0;
    };
    std::vector<Rank> order_;  // what finish() sorts
};

}  // namespace nvl72block
