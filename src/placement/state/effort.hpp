// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a decision cost, and how far its searches can be relied on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace nvl72block {

/// Steps of an insertion into a tree of the standard library, or of a removal from one.
inline constexpr std::uint64_t steps_per_insertion = 8;

/// Steps of a construction for packed segments besides those of its parts: what it makes room for.
inline constexpr std::uint64_t steps_per_construction = 64;

/// Shared by the searches of one decision; each adds to it. README.md has the rules ("The budget").
struct Effort {
    /// Steps after which no search goes on looking for something better.
    std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
    /// Budget::direct_search.
    std::uint64_t direct_search = 0;
    std::uint64_t steps = 0;         ///< blocks looked at, cost sums formed
    std::uint64_t once_found = 0;    ///< the budget of a search that has an answer, if it is more
    std::uint64_t first_answer = 0;  ///< steps that a first answer takes, by those before
    std::uint64_t to_follow = 0;     ///< first answers that a search must leave steps for
    std::uint64_t resort_until = 0;  ///< steps: until then a first answer is made whatever is left
    bool proven = true;              ///< no search settled for less than the best answer
    bool complete = true;            ///< no search gave up where there may be an answer

    [[nodiscard]] std::uint64_t left() const { return steps < budget ? budget - steps : 0; }
    /// How many first answers can be paid.
    [[nodiscard]] std::uint64_t affordable() const {
        return left() / std::max<std::uint64_t>(first_answer, 1);
    }
    /// Whether so many first answers can be paid, those that are to follow besides.
    [[nodiscard]] bool pays(std::uint64_t answers = 1) const {
        return affordable() >= answers + to_follow;
    }
    /// Nothing comes after the search at work: it must answer.
    [[nodiscard]] bool last_resort() const { return steps < resort_until; }
    /// Whether a first answer is made.
    [[nodiscard]] bool may_answer() const { return last_resort() || pays(); }
    /// The budget of a search that may use one of so many parts of what is left.
    [[nodiscard]] std::uint64_t budget_of_part(std::uint64_t parts) const {
        return steps + left() / parts;
    }
    /// The budget of a search that has little more than so many first answers, if they can be paid.
    [[nodiscard]] std::uint64_t budget_of_answers(std::uint64_t answers) const {
        return steps + std::min(left(), answers * first_answer);
    }
    /// The budget of a search that leaves enough for the first answers that are to follow.
    [[nodiscard]] std::uint64_t budget_of_search() const {
        return steps + left() - std::min(left(), to_follow * first_answer);
    }
};

/// Another value for as long as it lives: another budget, more first answers to follow.
template <typename Value>
class Temporary {
  public:
    Temporary(Value& place, Value value) : place_(place), before_(std::exchange(place, value)) {}
    ~Temporary() { place_ = before_; }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

  private:
    Value& place_;
    Value before_;
};

/// Steps that a decision may take unless the caller says otherwise.
[[nodiscard]] constexpr std::uint64_t default_budget(std::uint32_t blocks) {
    return std::max(std::uint64_t{320} << 10, std::uint64_t{blocks} * 640);
}

}  // namespace nvl72block
