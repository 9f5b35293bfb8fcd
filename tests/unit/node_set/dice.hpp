// SPDX-License-Identifier: GPL-2.0-or-later
//
// Repeatable chance for tests.
#pragma once

#include <cstdint>
#include <random>

namespace nvl72block {

class Dice {
  public:
    explicit Dice(unsigned seed) : random_(seed) {}

    /// A number from 0 to limit - 1.
    std::uint32_t below(std::uint32_t limit) {
        return static_cast<std::uint32_t>(random_() % limit);
    }
    std::mt19937& engine() { return random_; }

  private:
    std::mt19937 random_;
};

}  // namespace nvl72block
