// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random numbers that are the same everywhere, and random cases made with them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cases.hpp"

namespace nvl72block::oracle {

/// splitmix64: small, and unlike the distributions of <random> the same with every library.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    /// Between `low` and `high`, both included.
    std::uint32_t between(std::uint32_t low, std::uint32_t high) {
        return low + static_cast<std::uint32_t>(next() % (high - low + 1));
    }
    bool one_in(std::uint32_t n) { return next() % n == 0; }
    char pick(const std::string& letters) {
        return letters[between(0, static_cast<std::uint32_t>(letters.size()) - 1)];
    }

  private:
    std::uint64_t state_;
};

/// A base block of `size` nodes, `free` of them usable at random positions.
[[nodiscard]] std::string random_block(Random& random, std::uint32_t free, std::uint32_t size);

/// `nodes` nodes, each with a random one of `marks`.
[[nodiscard]] std::string random_nodes(Random& random, std::uint32_t nodes,
                                       const std::string& marks);

/// A character per node as in Case::islands, up to three islands per base block; nodes outside all
/// blocks have none.
[[nodiscard]] std::string random_islands(Random& random, const Case& sample);

/// A total of CPUs or GPUs between nothing and a little more than the usable nodes have; 0 where
/// nodes have no `values`.
[[nodiscard]] std::uint64_t random_total(Random& random, const Instance& instance,
                                         const std::vector<std::uint32_t>& values);

/// CPUs, GPUs or both for the nodes of `sample`, as in Case::cpus.
void give_resources(Random& random, Case& sample);

/// NVL72BLOCK_ORACLE_SCALE: how many times the usual number of random cases; 1 without it.
[[nodiscard]] std::uint32_t scale();

/// Policy, exclusive and max_base_blocks at random, in `request`.
void vary(Random& random, Request& request, std::uint32_t blocks);

}  // namespace nvl72block::oracle
