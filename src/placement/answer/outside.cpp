// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/answer/outside.hpp"

#include <algorithm>

#include "placement/answer/node_choice.hpp"
#include "placement/counts/totals.hpp"

namespace nvl72block {
namespace {

/// Chooses among the nodes in no block. More nodes of the same order hold what fewer hold.
class Outside {
  public:
    Outside(const Tally& tally, const Request& request, const State& state, Effort& effort)
        : tally_(tally), request_(request), state_(state), effort_(effort) {}

    /// The preferred nodes if they hold the totals, else those with the most CPUs or GPUs.
    std::optional<Placement> choose(std::uint32_t count) {
        Placement preferred = choose(count, state_);
        if (holds_totals(request_, state_, preferred)) return preferred;
        for (const Mix& mix : mixes()) {
            const std::vector<std::uint64_t> weight = weights_of_lacking(state_, mix);
            State by_resource = state_;
            by_resource.weight = weight;
            Placement most = choose(count, by_resource);
            most.proven = false;
            if (holds_totals(request_, state_, most)) return most;
        }
        return std::nullopt;
    }

    /// Both totals asked for: a choice that is first by neither nor by their shares is not seen.
    [[nodiscard]] bool may_miss() const { return mixes().size() > 1; }

  private:
    Placement choose(std::uint32_t count, const State& state) {
        effort_.steps += tally_.outside();
        return choose_outside(tally_.topology(), request_, state, count);
    }

    [[nodiscard]] std::vector<Mix> mixes() const {
        const bool cpus = request_.cpus != 0 && !state_.cpus.empty();
        const bool gpus = request_.gpus != 0 && !state_.gpus.empty();
        if (cpus && gpus) return {{1, 0}, {0, 1}, mix_of_shares({request_.cpus, request_.gpus})};
        if (cpus) return {{1, 0}};
        return gpus ? std::vector<Mix>{{0, 1}} : std::vector<Mix>{};
    }

    const Tally& tally_;
    const Request& request_;
    const State& state_;
    Effort& effort_;
};

}  // namespace

std::optional<Placement> place_outside(const Tally& tally, const Request& request,
                                       const State& state, Effort& effort) {
    if (request.segment_size != 0 || tally.required_in_blocks() != 0) return std::nullopt;
    std::uint32_t fewest = std::max(request.min_nodes, tally.required_outside());
    std::uint32_t most = std::min(request.max_nodes, tally.outside());
    if (most < fewest) return std::nullopt;
    Outside outside(tally, request, state, effort);
    std::optional<Placement> placement = outside.choose(most);
    if (!placement) {
        effort.complete = effort.complete && !outside.may_miss();
        return std::nullopt;
    }
    while (request.sized_by_capacity && fewest < most) {
        const std::uint32_t middle = fewest + (most - fewest) / 2;
        if (std::optional<Placement> fewer = outside.choose(middle)) {
            placement = std::move(fewer);
            most = middle;
        } else {
            effort.proven = effort.proven && !outside.may_miss();
            fewest = middle + 1;
        }
    }
    effort.proven = effort.proven && placement->proven;
    return placement;
}

}  // namespace nvl72block
