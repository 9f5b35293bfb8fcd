// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which search answers a problem: the exact one where its cost allows, else a bounded one
// (docs/placement-search.md).
#pragma once

#include <optional>

#include "placement/rules/problem.hpp"
#include "placement/state/canonical_order.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

/// What the searches of one request among the nodes of one state share.
struct Ground {
    const Request& request;
    bool total_weight;  ///< as CostLayout has it
    Tally tally;
    CanonicalTally canonical;  ///< of the tally

    Ground(const Topology& topology, const Request& wanted, const State& state,
           bool by_total_weight = false)
        : request(wanted), total_weight(by_total_weight), tally(topology, wanted, state) {}
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
