// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much each base block may give so that a job costs few slots: a step of the greedy search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "placement/rules/problem.hpp"

namespace nvl72block {

/// What one base block can give in a greedy search, in units.
struct FillOffer {
    std::uint32_t forced = 0;  ///< at least this many
    std::uint32_t most = 0;    ///< at most this many
    /// At most this many without what the search avoids: breaking a block, or losing a slot.
    std::uint32_t allowed = 0;
    std::uint32_t slack = 0;  ///< at most this many without breaking a whole block
    std::uint32_t given = 0;  ///< by the last choice among the offers
};

/// Sets FillOffer::allowed of the base blocks from `first` on: more of each as long as that costs
/// no slot, of whole blocks last; then what is cheapest per unit, and at the end the cheapest that
/// completes the job. The offers hold the job. Adds to `steps`.
class SlotKeeping {
  public:
    SlotKeeping(const CostLayout& layout, const Problem& problem, BlockIndex first,
                std::vector<FillOffer>& offers, std::uint64_t& steps)
        : layout_(layout),
          problem_(problem),
          first_(first),
          offers_(offers),
          steps_(steps),
          next_(offers.size()) {}

    void run() {
        const auto dearer = [this](std::uint32_t a, std::uint32_t b) { return is_dearer(a, b); };
        for (std::uint32_t i = 0; i < offers_.size(); ++i) {
            offers_[i].allowed = offers_[i].forced;
            total_ += offers_[i].forced;
            if (look_ahead(i)) heap_.push_back(i);
        }
        std::make_heap(heap_.begin(), heap_.end(), dearer);
        while (total_ < problem_.units && !heap_.empty()) {
            steps_ += steps_per_raise;
            const std::uint32_t best = heap_.front();
            if (next_[best].value > 0 && total_ + gain(best) >= problem_.units) return complete();
            std::pop_heap(heap_.begin(), heap_.end(), dearer);
            raise(best);
            if (look_ahead(best))
                std::push_heap(heap_.begin(), heap_.end(), dearer);
            else
                heap_.pop_back();
        }
    }

  private:
    /// An offer that is raised is looked up in a heap, and what comes after it is counted.
    static constexpr std::uint64_t steps_per_raise = 24;

    /// The next raise of an offer.
    struct Next {
        std::uint64_t value = 0;  // of the slots that go with it
        std::uint32_t units = 0;  // that are then allowed
        bool breaks = false;      // the block does not stay whole
    };

    /// By slots per unit, then by whether the block stays whole.
    [[nodiscard]] bool is_dearer(std::uint32_t a, std::uint32_t b) const {
        const std::uint64_t x = next_[a].value * gain(b);
        const std::uint64_t y = next_[b].value * gain(a);
        if (x != y) return x > y;
        return next_[a].breaks != next_[b].breaks ? next_[a].breaks : a > b;
    }

    [[nodiscard]] std::uint64_t lost(std::uint32_t i, std::uint32_t units) const {
        return layout_.lost_slots(0, first_ + i, units * problem_.unit_nodes);
    }

    /// Finds the next raise: up to where another slot would be lost, or the block be broken.
    bool look_ahead(std::uint32_t i) {
        const FillOffer& offer = offers_[i];
        if (offer.allowed >= offer.most) return false;
        const std::uint64_t before = lost(i, offer.allowed);
        const std::uint32_t most = offer.allowed < offer.slack ? offer.slack : offer.most;
        Next& next = next_[i];
        next.value = lost(i, offer.allowed + 1) - before;
        next.breaks = offer.allowed >= offer.slack;
        next.units = offer.allowed + 1;
        while (next.units < most && lost(i, next.units + 1) - before == next.value) ++next.units;
        return true;
    }

    [[nodiscard]] std::uint64_t gain(std::uint32_t i) const {
        return next_[i].units - offers_[i].allowed;
    }

    void raise(std::uint32_t i) {
        total_ += gain(i);
        offers_[i].allowed = next_[i].units;
    }

    /// The last raise: the cheapest one that suffices.
    void complete() {
        steps_ += heap_.size();
        std::uint32_t best = heap_.front();
        for (const std::uint32_t i : heap_)
            if (total_ + gain(i) >= problem_.units && next_[i].value < next_[best].value) best = i;
        raise(best);
    }

    const CostLayout& layout_;
    const Problem& problem_;
    BlockIndex first_;
    std::vector<FillOffer>& offers_;
    std::uint64_t& steps_;
    std::vector<Next> next_;           // per offer
    std::vector<std::uint32_t> heap_;  // offers that can be raised, the cheapest first
    std::uint64_t total_ = 0;
};

}  // namespace nvl72block
