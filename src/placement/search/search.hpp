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

/// What the costs of a search mean beyond the tally: the request's policy, and whether weights are
/// summed (CostLayout).
struct Preference {
    const Request* request = nullptr;
    bool total_weight = false;
};

/// The best division that the search finds, or nullopt. `canonical` is kept by the caller for
/// further searches of the same tally. Preferences 1 to 5 of the answer do not depend on the order
/// of equal blocks, whichever search found it.
[[nodiscard]] std::optional<Division> search(const Tally& tally, const CanonicalTally& canonical,
                                             const Preference& preference, const Problem& problem,
                                             Effort& effort);

}  // namespace nvl72block
