// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/state/canonical_order.hpp"

#include <algorithm>
#include <compare>
#include <numeric>
#include <span>

namespace nvl72block {
namespace {

/// Ranks the vertices level by level upwards; vertices that offer the same have the same rank.
class Ranking {
  public:
    explicit Ranking(const Tally& tally)
        : tally_(tally), rank_(tally.whole_level()), children_(tally.whole_level() + 1) {
        rank_level(0, [&](BlockIndex a, BlockIndex b) { return tally_.compare(a, b); });
        for (std::size_t level = 1; level <= tally_.whole_level(); ++level) {
            sort_children(level);
            if (level < tally_.whole_level())
                rank_level(level, [&](std::uint32_t a, std::uint32_t b) {
                    const auto x = children(level, a);
                    const auto y = children(level, b);
                    const auto by_rank = [&](std::uint32_t p, std::uint32_t q) {
                        return rank_[level - 1][p] <=> rank_[level - 1][q];
                    };
                    return std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(),
                                                                  y.end(), by_rank);
                });
        }
    }

    void append_blocks(std::size_t level, std::uint32_t index,
                       std::vector<BlockIndex>& order) const {
        if (level == 0) {
            order.push_back(index);
            return;
        }
        for (const std::uint32_t child : children(level, index))
            append_blocks(level - 1, child, order);
    }

  private:
    [[nodiscard]] std::span<const std::uint32_t> children(std::size_t level,
                                                          std::uint32_t index) const {
        const Vertices all = tally_.children(level, index);
        return std::span(children_[level]).subspan(all.first, all.size());
    }

    [[nodiscard]] bool is_complete(std::size_t level, std::uint32_t index) const {
        const BlockIndex width = tally_.topology().levels()[level].base_blocks();
        return tally_.blocks(level, index).size() == width;
    }

    void sort_children(std::size_t level) {
        const std::vector<std::uint32_t>& rank = rank_[level - 1];
        std::vector<std::uint32_t>& sorted = children_[level];
        sorted.resize(tally_.vertices(level - 1));
        std::iota(sorted.begin(), sorted.end(), 0U);
        for (std::uint32_t index = 0; index < tally_.vertices(level); ++index) {
            auto [first, last] = tally_.children(level, index);
            if (first < last && !is_complete(level - 1, last - 1)) --last;
            std::stable_sort(sorted.begin() + first, sorted.begin() + last,
                             [&](std::uint32_t a, std::uint32_t b) { return rank[a] < rank[b]; });
        }
    }

    template <typename Compare>
    void rank_level(std::size_t level, Compare compare) {
        std::vector<std::uint32_t> sorted(tally_.vertices(level));
        std::iota(sorted.begin(), sorted.end(), 0U);
        std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto order = compare(a, b);
            return std::is_eq(order) ? a < b : std::is_lt(order);
        });
        rank_[level].resize(sorted.size());
        for (std::size_t i = 1; i < sorted.size(); ++i)
            rank_[level][sorted[i]] = rank_[level][sorted[i - 1]] +
                                      (std::is_neq(compare(sorted[i - 1], sorted[i])) ? 1 : 0);
    }

    const Tally& tally_;
    std::vector<std::vector<std::uint32_t>> rank_;      // per level below the whole, per vertex
    std::vector<std::vector<std::uint32_t>> children_;  // per level above 0: vertices below, sorted
};

}  // namespace

std::vector<BlockIndex> canonical_order(const Tally& tally) {
    std::vector<BlockIndex> order;
    order.reserve(tally.vertices(0));
    Ranking(tally).append_blocks(tally.whole_level(), 0, order);
    return order;
}

}  // namespace nvl72block
