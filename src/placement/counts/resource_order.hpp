// SPDX-License-Identifier: GPL-2.0-or-later
//
// The search for the placement with the most CPUs, GPUs or some mix of both.
#pragma once

#include <vector>

#include "placement/counts/decision.hpp"

namespace nvl72block {

/// What a CPU and a GPU count for.
struct Mix {
    std::uint64_t cpus = 0;
    std::uint64_t gpus = 0;
};

/// Weights under which the lightest usable nodes are those that count for most.
[[nodiscard]] std::vector<std::uint64_t> weights_of_lacking(const State& state, const Mix& mix);

class ResourceOrder {
  public:
    ResourceOrder(const Decision& decision, const Mix& mix);
    ResourceOrder(const ResourceOrder&) = delete;
    ResourceOrder& operator=(const ResourceOrder&) = delete;

    struct Most {
        std::optional<Placement> placement;  ///< the one with the most, as far as it was found
        /// No placement has more. Where nodes differ in more ways than a search tells apart, they
        /// count for a little more than they have, and so does this.
        std::uint64_t bound = 0;
        bool bounded = false;   ///< `bound` holds
        bool complete = false;  ///< without a placement: there is none
    };
    [[nodiscard]] Most most(const Problem& problem) const;

  private:
    [[nodiscard]] State state_by_weight(const State& state) const;

    std::vector<std::uint64_t> exact_;   // per node: what it lacks to the best
    std::vector<std::uint64_t> value_;   // per node, rounded up to few
    std::vector<std::uint64_t> weight_;  // per node: what that lacks to the best
    State state_;                        // its weights are weight_
    Decision decision_;
};

}  // namespace nvl72block
