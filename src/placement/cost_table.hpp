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
    CostTable(std::uint32_t max_units, std::uint32_t max_limited, std::uint32_t max_blocks)
        : max_{max_units, max_limited, max_blocks},
          costs_(std::size_t{max_units + 1U} * (max_limited + 1U) * (max_blocks + 1U),
                 impossible_cost()) {}

    [[nodiscard]] const At& max() const { return max_; }
    [[nodiscard]] std::size_t size() const { return costs_.size(); }
    [[nodiscard]] Cost& operator[](const At& at) { return costs_[index(at)]; }
    [[nodiscard]] const Cost& operator[](const At& at) const { return costs_[index(at)]; }

    /// Visits the possible states with `from` to `to` units.
    template <typename Visit>
    void for_each_possible(std::uint32_t from, std::uint32_t to, Visit visit) const {
        At at{from, 0, 0};
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
        return (std::size_t{at.units} * (max_.limited + 1U) + at.limited) * (max_.blocks + 1U) +
               at.blocks;
    }

    At max_;
    std::vector<Cost> costs_;
};

}  // namespace nvl72block
