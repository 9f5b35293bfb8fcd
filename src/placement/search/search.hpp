// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which search answers a problem: the exact one where its cost allows, else a bounded one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "placement/rules/problem.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

/// What the searches of one request among the nodes of one state share.
struct Ground {
    /// The tally in canonical order, and that order.
    struct Sorted {
        std::vector<BlockIndex> order;
        Tally tally;
    };
    Request request;
    Aim aim;
    Tally tally;
    mutable std::shared_ptr<const Sorted> in_order;  ///< made by sorted()
    mutable std::uint64_t first_answer = 0;          ///< steps to have for one, by those before

    Ground(const Topology& topology, const Request& wanted, const State& state, Aim wanted_aim = {})
        : request(wanted), aim(wanted_aim), tally(topology, wanted, state) {}
    /// Made when a search first asks for it, and kept. Adds what is done to `steps`.
    [[nodiscard]] const Sorted& sorted(std::uint64_t& steps) const;
};

/// The outcome of one search or of several.
struct Found {
    std::optional<Division> division;
    bool proven = true;    ///< no division comes first by preferences 1 to 5
    bool complete = true;  ///< without a division: there is none
};

/// The best division that the search finds. Preferences 1 to 5 of the answer do not depend on the
/// order of equal blocks, whichever search found it.
[[nodiscard]] Found search(const Ground& ground, const Problem& problem, Effort& effort);

}  // namespace nvl72block
