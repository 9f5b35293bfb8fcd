// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random numbers that are the same on every machine; the distributions of <random> are not.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace nvl72block::replay {

/// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t bits = state_;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
        return bits ^ (bits >> 31);
    }

    /// 0 to `bound` - 1; `bound` is small against 2^64, so the modulo's bias does not matter.
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }

    /// 0 to just below 1.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    template <typename Item>
    void shuffle(std::vector<Item>& items) {
        for (std::size_t last = items.size(); last > 1; --last)
            std::swap(items[last - 1], items[below(last)]);
    }

  private:
    std::uint64_t state_;
};

}  // namespace nvl72block::replay
