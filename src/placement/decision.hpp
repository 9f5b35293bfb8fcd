// SPDX-License-Identifier: GPL-2.0-or-later
//
// One decision about a request without contradictions: walks the node counts and asks the searches.
#pragma once

#include <optional>

#include "placement/search.hpp"

namespace nvl72block {

class Decision {
  public:
    /// Adds what its searches take to `effort`.
    Decision(const Topology& topology, const Request& request, const State& state, Effort& effort,
             bool total_weight = false);

    [[nodiscard]] const Tally& tally() const { return tally_; }
    [[nodiscard]] const Request& request() const { return request_; }

    /// The largest count from `at_most` down to the request's minimum that the rules of segments
    /// allow; 0 if there is none.
    [[nodiscard]] std::uint32_t valid_count(std::uint32_t at_most) const;

    /// The search for `nodes` nodes. A `level` above the one that the rule names widens the scope
    /// (jobs sized by capacity) and lifts the limit on lower blocks.
    [[nodiscard]] Problem problem(std::uint32_t nodes, std::size_t level = 0) const;

    /// The best plan for a problem, or nullopt.
    [[nodiscard]] std::optional<Plan> solve(const Problem& problem) const;

    /// The plan with the fewest base blocks, whatever else is preferred.
    [[nodiscard]] std::optional<Plan> solve_compact(const Problem& problem) const;

    /// The best plan for the largest count that fits, between the request's limits.
    [[nodiscard]] std::optional<Plan> solve_range() const;

    /// The plan with its nodes named.
    [[nodiscard]] Placement name_nodes(const Plan& plan) const;

    /// most_nodes() of offer.hpp, counted.
    [[nodiscard]] std::uint32_t most(const Problem& problem) const;

    [[nodiscard]] Effort& effort() const { return effort_; }

  private:
    /// solve() where the count is known to be on offer.
    [[nodiscard]] std::optional<Plan> search_offered(const Problem& problem) const;

    const Topology& topology_;
    const Request& request_;
    State state_;
    Tally tally_;
    Effort& effort_;
    bool total_weight_;
};

/// A job outside all blocks, where the rules allow it.
[[nodiscard]] std::optional<Placement> place_outside(const Decision& decision,
                                                     const Request& request, const State& state);

}  // namespace nvl72block
