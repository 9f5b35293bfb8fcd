// SPDX-License-Identifier: GPL-2.0-or-later
//
// A request without contradictions among the nodes that it may have: what a node count asks for,
// and the searches for one count.
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "placement/search/search.hpp"

namespace nvl72block {

class Decision {
  public:
    /// Adds the steps of its searches to `effort`; its other marks are left to the caller: note().
    Decision(const Topology& topology, const Request& request, const State& state, Effort& effort,
             Aim aim = {});

    [[nodiscard]] const Ground& ground() const { return ground_; }
    [[nodiscard]] const Tally& tally() const { return ground_.tally; }
    [[nodiscard]] const Topology& topology() const { return tally().topology(); }
    [[nodiscard]] const Request& request() const { return ground_.request; }
    [[nodiscard]] const State& state() const { return state_; }
    [[nodiscard]] Effort& effort() const { return effort_; }

    /// Steps that a first answer is taken to need before one was made; `weighted`: by weights.
    [[nodiscard]] std::uint64_t expected_answer(bool weighted) const;

    /// The same as far as known from those that were made.
    [[nodiscard]] std::uint64_t known_price() const {
        return std::max(effort_.first_answer, ground_.first_answer);
    }

    /// The largest count from `at_most` down to the request's minimum that the rules of segments
    /// allow; 0 if there is none.
    [[nodiscard]] std::uint32_t valid_count(std::uint64_t at_most) const;

    /// The search for `count` nodes. A `level` above the one that the rule names widens the scope
    /// (jobs sized by totals) and lifts the limit on lower blocks.
    [[nodiscard]] Problem problem(std::uint64_t count, std::size_t level = 0) const;

    /// most_nodes() and least_nodes() of offer.hpp, counted.
    [[nodiscard]] std::uint32_t most(const Problem& problem) const;
    [[nodiscard]] std::uint64_t least(const Problem& problem) const;

    /// The best division for a problem. Refuses from the counts alone where these suffice.
    [[nodiscard]] Found solve(const Problem& problem) const;

    /// Whether solve() finds a division; what it found last for as many nodes is remembered.
    [[nodiscard]] bool finds_division(const Problem& problem) const;
    /// Remembers for finds_division() what another search has found.
    void remember(const Problem& problem, bool division) const {
        last_.emplace(key_of(problem), division);
    }

    /// The division with the fewest base blocks, whatever else is preferred, and whatever
    /// problem.max_base_blocks is. What it found last is remembered.
    [[nodiscard]] const Found& solve_compact(Problem problem) const;

    /// The division with its nodes named.
    [[nodiscard]] Placement name_nodes(const Division& division) const {
        return name_nodes(division, state_);
    }
    /// The same by the weights of `state`.
    [[nodiscard]] Placement name_nodes(const Division& division, const State& state) const;

    /// Takes over into the effort how far an outcome can be relied on.
    void note(const Found& found) const {
        if (found.division)
            effort_.proven = effort_.proven && found.proven;
        else
            effort_.complete = effort_.complete && found.complete;
    }

  private:
    /// Nodes, and the levels of scope and units.
    using Key = std::tuple<std::uint32_t, std::size_t, std::size_t>;
    static Key key_of(const Problem& problem) {
        return {problem.nodes, problem.scope_level, problem.unit_level};
    }

    [[nodiscard]] std::optional<Problem> in_base_blocks(Problem problem) const;
    [[nodiscard]] Found answer(const Problem& problem) const;
    [[nodiscard]] Found solve_capped(const Problem& problem) const;

    State state_;
    Ground ground_;
    Effort& effort_;
    /// By the levels of scope and units, and the limit on base blocks.
    mutable std::map<std::tuple<std::size_t, std::size_t, std::uint32_t>, std::uint32_t>
        most_of_segments_;
    mutable std::map<std::size_t, std::uint64_t> least_of_segments_;  // by the level of units
    mutable std::optional<std::pair<Key, bool>> last_;  // whether solve() found a division
    mutable std::optional<std::pair<Key, Found>> last_compact_;
    /// The same where base blocks alone count, and their number first; made when first asked for.
    mutable std::optional<Ground> compact_;
};

}  // namespace nvl72block
