// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a decision cost, and how far its searches can be relied on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace nvl72block {

/// Steps of an insertion into a tree of the standard library, or of a removal from one.
inline constexpr std::uint64_t steps_per_insertion = 8;

/// Shared by the searches of one decision; each adds to it.
struct Effort {
    /// Steps after which no search goes on looking for something better.
    std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t grace = 0;  ///< steps beyond the budget for the first answers of other counts
    /// Budget::direct_search.
    std::uint64_t direct_search = 0;
    std::uint64_t steps = 0;  ///< blocks looked at, cost sums formed
    bool proven = true;       ///< no search settled for less than the best answer
    bool complete = true;     ///< no search gave up where there may be an answer

    [[nodiscard]] std::uint64_t left() const { return steps < budget ? budget - steps : 0; }
    /// Beyond the budget a few node counts are tried, each for its first answer; here that ends.
    [[nodiscard]] bool exhausted() const { return left() == 0 && steps - budget >= grace; }
    /// The budget of a search that may use one of so many parts of what is left.
    [[nodiscard]] std::uint64_t budget_of_part(std::uint64_t parts) const {
        return steps + left() / parts;
    }
};

/// Another budget for as long as it lives; after it the one before holds again.
class TemporaryBudget {
  public:
    TemporaryBudget(Effort& effort, std::uint64_t budget)
        : effort_(effort), before_(effort.budget) {
        effort_.budget = budget;
    }
    ~TemporaryBudget() { effort_.budget = before_; }
    TemporaryBudget(const TemporaryBudget&) = delete;
    TemporaryBudget& operator=(const TemporaryBudget&) = delete;

  private:
    Effort& effort_;
    std::uint64_t before_;
};

/// Steps that a decision may take unless the caller says otherwise. With totals of CPUs or GPUs
/// they are half as many on large clusters: then there is more to do before and beyond the
/// searches.
[[nodiscard]] constexpr std::uint64_t default_budget(std::uint32_t blocks, bool totals) {
    return std::max(std::uint64_t{1} << 16, std::uint64_t{blocks} << (totals ? 8 : 9));
}

}  // namespace nvl72block
