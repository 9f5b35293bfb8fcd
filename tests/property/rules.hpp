// SPDX-License-Identifier: GPL-2.0-or-later
//
// docs/placement.md in code, for the tests: its words, its hard constraints and its order of
// preferences. Written from that page alone. Everything here is linear in nodes, so that it also
// judges answers for large clusters.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nvl72block/placement.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block::oracle {

/// One number per base block, in file order.
using Counts = std::vector<std::uint32_t>;

/// What the rules see of a topology: how many base blocks, their planning size, the levels.
struct Shape {
    std::uint32_t blocks = 0;
    std::uint32_t planning = 0;
    std::vector<unsigned> exponents;  ///< one per level, ascending, the first is 0

    explicit Shape(const Topology& topology);
    bool operator==(const Shape& other) const = default;

    /// Stands for "the whole" wherever a level is meant.
    [[nodiscard]] std::size_t whole() const { return exponents.size(); }
    /// L(n) of the page.
    [[nodiscard]] std::size_t level_for(std::uint64_t nodes) const;
    /// l(n) of the page, from L(n).
    [[nodiscard]] std::size_t level_below(std::size_t level) const;
    [[nodiscard]] std::uint64_t size(std::size_t level) const {
        return std::uint64_t{planning} << exponents[level];
    }
    /// The block of `level` that base block `block` belongs to.
    [[nodiscard]] std::uint32_t unit(std::size_t level, std::uint32_t block) const {
        return level == whole() ? 0 : block >> exponents[level];
    }
};

/// The plain rule for `nodes` nodes that lie in the base blocks `used` (ascending).
[[nodiscard]] bool plain_rule(const Shape& shape, std::span<const std::uint32_t> used,
                              std::uint64_t nodes);

/// Whether the base blocks `used` (ascending) lie in one block of `level`.
[[nodiscard]] bool in_one_block(const Shape& shape, std::span<const std::uint32_t> used,
                                std::size_t level);

/// The level that a consolidated job of `nodes` nodes must lie in.
[[nodiscard]] std::size_t consolidation_level(const Shape& shape, const Request& request,
                                              std::uint32_t nodes);

/// Whether a job of `nodes` nodes has what the page calls packed segments: larger than a base
/// block, and spread, or limited in lower blocks or in base blocks. Preference 6 is not promised
/// for them.
[[nodiscard]] bool is_packed(const Shape& shape, const Request& request, std::uint32_t nodes);

/// A state as one job sees it.
struct Facts {
    Shape shape;
    Counts free;                     ///< usable nodes per base block: f(i)
    Counts idle;                     ///< idle nodes per base block: g(i)
    Counts shared;                   ///< usable nodes that are not idle: u(i)
    std::uint32_t largest_real = 0;  ///< the most nodes that a base block really has
    Counts must_take;                ///< required nodes per base block
    /// Usable nodes per base block in the order in which they are taken: required, light, low.
    std::vector<std::vector<NodeIndex>> order;
    std::vector<NodeIndex> outside;  ///< the same for the nodes in no block
    std::uint32_t required_outside = 0;
    bool required_usable = true;
    std::vector<std::uint64_t> weights;  ///< of usable nodes, distinct, ascending; empty: no matter
    std::span<const std::uint64_t> weight_of;

    Facts(const Topology& topology, const Request& request, const State& state);

    /// Usable nodes in base blocks.
    [[nodiscard]] std::uint32_t inside() const;
    /// Nodes heavier than weights[c] among the first `taken` of base block `block`, for each c.
    [[nodiscard]] std::span<const std::uint32_t> heavier(std::uint32_t block,
                                                         std::uint32_t taken) const {
        return std::span(heavier_[block]).subspan(taken * weights.size(), weights.size());
    }

  private:
    std::vector<std::vector<std::uint32_t>> heavier_;
};

/// What policy demand prefers besides preferences 1 to 6.
inline constexpr int locality = 7;
inline constexpr int slots = 8;
inline constexpr std::size_t all_preferences = 8;

/// The values that the preferences compare, in the order of the request's policy; each is
/// "less is better".
struct Rank {
    struct Part {
        int preference = 0;
        std::size_t begin = 0;
    };
    std::array<Part, all_preferences> parts{};
    std::vector<std::int64_t> values;
};

/// The preference (1 to 8) that tells `a` from `b`; 0 if none does.
[[nodiscard]] int first_difference(const Rank& a, const Rank& b);
[[nodiscard]] bool better(const Rank& a, const Rank& b);
[[nodiscard]] std::string to_string(const Rank& rank);

/// Fills `rank` for a job that takes the first taken[i] nodes of each base block i.
void rank_counts(const Facts& facts, const Request& request, std::span<const std::uint32_t> taken,
                 Rank& rank);

/// The rank of an answer, with the weights of the nodes that it really takes.
[[nodiscard]] Rank rank(const Facts& facts, const Topology& topology, const Request& request,
                        const Placement& placement);

[[nodiscard]] inline bool is_proven(const Answer& answer) {
    return std::visit([](const auto& outcome) { return outcome.proven; }, answer);
}

/// Whether `nodes` hold the CPUs and GPUs that the job asks for in total.
[[nodiscard]] bool holds_totals(const Request& request, const State& state,
                                std::span<const NodeIndex> nodes);

/// Whether a job of `nodes` nodes is one that enforced cliques concern: jobs of one node and
/// segments of one node take any node.
[[nodiscard]] bool heeds_islands(const Request& request, std::uint32_t nodes);

/// The nodes per base block of an answer: t(i).
[[nodiscard]] Counts taken_counts(const Topology& topology, const Placement& placement);

/// The empty string if `placement` satisfies every hard constraint that can be told without a
/// search (all but "the largest count" and "only if nothing in blocks"), else what it violates.
[[nodiscard]] std::string check(const Topology& topology, const Request& request,
                                const State& state, const Placement& placement);

}  // namespace nvl72block::oracle
