// SPDX-License-Identifier: GPL-2.0-or-later
//
// The best cost of every amount that a part of the topology can give.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "placement/cost.hpp"

namespace nvl72block {

/// Costs by state: (units taken, vertices of the limited level used, base blocks used). The two
/// counters have dimension 1 where they are not limited.
class CostTable {
  public:
    struct At {
        std::uint32_t units = 0;
        std::uint32_t limited = 0;
        std::uint32_t blocks = 0;
    };

    CostTable() = default;
    /// For states of at least `least_units` units: those with fewer stay impossible and take no
    /// memory.
    explicit CostTable(const At& max, std::uint32_t least_units = 0)
        : max_(max),
          least_units_(std::min(least_units, max.units + 1U)),
          costs_(
              std::size_t{max.units + 1U - least_units_} * (max.limited + 1U) * (max.blocks + 1U),
              impossible_cost()) {}

    [[nodiscard]] const At& max() const { return max_; }
    [[nodiscard]] std::uint32_t least_units() const { return least_units_; }
    [[nodiscard]] std::size_t size() const { return costs_.size(); }
    /// Only states that the table was made for can be changed.
    [[nodiscard]] Cost& operator[](const At& at) { return costs_[index(at)]; }
    [[nodiscard]] const Cost& operator[](const At& at) const {
        static constexpr Cost impossible = impossible_cost();
        return at.units < least_units_ ? impossible : costs_[index(at)];
    }

    /// Visits the possible states with `from` to `to` units.
    template <typename Visit>
    void for_each_possible(std::uint32_t from, std::uint32_t to, Visit visit) const {
        At at{std::max(from, least_units_), 0, 0};
        std::size_t i = index(at);
        for (; at.units <= std::min(to, max_.units); ++at.units)
            for (at.limited = 0; at.limited <= max_.limited; ++at.limited)
                for (at.blocks = 0; at.blocks <= max_.blocks; ++at.blocks, ++i)
                    if (!is_impossible(costs_[i])) visit(at, costs_[i]);
    }
    template <typename Visit>
    void for_each_possible(Visit visit) const {
        for_each_possible(0, max_.units, visit);
    }

  private:
    [[nodiscard]] std::size_t index(const At& at) const {
        return (std::size_t{at.units - least_units_} * (max_.limited + 1U) + at.limited) *
                   (max_.blocks + 1U) +
               at.blocks;
    }

    At max_;
    std::uint32_t least_units_ = 0;
    std::vector<Cost> costs_;
};

}  // namespace nvl72block
