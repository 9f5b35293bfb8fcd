// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sets of parts in which parts that offer the same are told apart by their number only. What is
// found by all sets is exact, and exponential in the number of different parts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace nvl72block {

/// A set is so many parts of each kind; its number counts like digits, the first kind fastest.
class PartSets {
  public:
    /// Of so many parts, by index; same(a, b): whether two offer the same.
    template <typename Same>
    PartSets(std::size_t parts, Same same) {
        for (std::uint32_t part = 0; part < parts && kinds_.size() < too_many_kinds; ++part) {
            const auto known = std::ranges::find_if(
                kinds_, [&](const auto& kind) { return same(kind.front(), part); });
            if (known != kinds_.end())
                known->push_back(part);
            else
                kinds_.push_back({part});
        }
        for (const std::vector<std::uint32_t>& kind : kinds_) {
            strides_.push_back(static_cast<std::uint32_t>(size_));
            if (size_ > most) continue;
            size_ *= kind.size() + 1;
            pairs_ *= (kind.size() + 1) * (kind.size() + 2) / 2;
        }
    }

    /// Whether the sets are not too many to be numbered, and can be paired with their subsets in so
    /// many steps.
    [[nodiscard]] bool affordable(std::uint64_t steps) const {
        return size_ <= most && pairs_ <= steps;
    }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(size_); }
    [[nodiscard]] std::uint64_t pairs() const { return pairs_; }
    [[nodiscard]] std::size_t kinds() const { return kinds_.size(); }
    [[nodiscard]] const std::vector<std::uint32_t>& kind(std::size_t at) const {
        return kinds_[at];
    }
    /// What one part of a kind adds to the number of a set.
    [[nodiscard]] std::uint32_t stride(std::size_t at) const { return strides_[at]; }
    [[nodiscard]] std::uint32_t digit(std::uint32_t set, std::size_t at) const {
        return set / strides_[at] % static_cast<std::uint32_t>(kinds_[at].size() + 1);
    }
    /// The highest kind in a set that is not empty.
    [[nodiscard]] std::size_t top(std::uint32_t set) const {
        return static_cast<std::size_t>(std::upper_bound(strides_.begin(), strides_.end(), set) -
                                        strides_.begin() - 1);
    }
    /// The set of all parts of some kinds: what picks(kind) says true of.
    template <typename Picks>
    [[nodiscard]] std::uint32_t all_of(Picks picks) const {
        std::uint32_t set = 0;
        for (std::size_t at = 0; at < kinds_.size(); ++at)
            if (picks(at)) set += strides_[at] * static_cast<std::uint32_t>(kinds_[at].size());
        return set;
    }
    [[nodiscard]] bool holds(std::uint32_t set, std::uint32_t subset) const {
        for (std::size_t at = kinds_.size(); at-- > 0 && subset > 0;) {
            if (set / strides_[at] < subset / strides_[at]) return false;
            set %= strides_[at];
            subset %= strides_[at];
        }
        return true;
    }

    /// Visits the subsets of a set that hold one of its highest kind, until `visit` says false.
    template <typename Visit>
    void for_each_subset(std::uint32_t set, Visit visit) const {
        const std::size_t top = this->top(set);
        std::array<std::uint32_t, too_many_kinds> full{}, digits{};  // of the set, of the subset
        for (std::size_t at = top + 1; at-- > 0; set %= strides_[at]) full[at] = set / strides_[at];
        digits[top] = 1;
        for (std::uint32_t subset = strides_[top]; visit(subset);) {
            std::size_t at = 0;
            for (; at <= top && digits[at] == full[at]; ++at) {
                const std::uint32_t least = at == top ? 1 : 0;
                subset -= (full[at] - least) * strides_[at];
                digits[at] = least;
            }
            if (at > top) return;
            subset += strides_[at];
            ++digits[at];
        }
    }

  private:
    static constexpr std::uint64_t most = 1U << 13;
    static constexpr std::size_t too_many_kinds = 14;  // of which there are more sets than that

    std::vector<std::vector<std::uint32_t>> kinds_;
    std::vector<std::uint32_t> strides_;
    std::uint64_t size_ = 1;
    std::uint64_t pairs_ = 1;  // of a set and one of its subsets
};

}  // namespace nvl72block
