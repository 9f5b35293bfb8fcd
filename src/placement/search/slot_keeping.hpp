// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much each base block may give so that a job costs few slots: a step of the greedy search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
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

/// Sets FillOffer::allowed of the base blocks from `first` on, which hold the job: more of each as
/// long as that costs no slot, whole blocks last; then what is cheapest per unit. Adds to `steps`.
class SlotKeeping {
  public:
    SlotKeeping(const CostLayout& layout, const Problem& problem, BlockIndex first,
                std::vector<FillOffer>& offers, std::uint64_t& steps)
        : layout_(layout), problem_(problem), first_(first), offers_(offers), steps_(steps) {}

    /// What it takes for so many units, at most.
    static std::uint64_t steps(std::uint64_t units) { return steps_per_raise * units; }

    void run() {
        for (std::uint32_t i = 0; i < offers_.size(); ++i) {
            offers_[i].allowed = offers_[i].forced;
            total_ += offers_[i].forced;
            look_ahead(i);
        }
        std::make_heap(heap_.begin(), heap_.end(), is_dearer);
        while (total_ < problem_.units && !heap_.empty()) {
            steps_ += steps_per_raise;
            std::pop_heap(heap_.begin(), heap_.end(), is_dearer);
            const Raise cheapest = heap_.back();
            heap_.pop_back();
            total_ += cheapest.units;
            offers_[cheapest.offer].allowed += cheapest.units;
            if (look_ahead(cheapest.offer)) std::push_heap(heap_.begin(), heap_.end(), is_dearer);
        }
    }

  private:
    /// An offer that is raised is looked up in a heap, and what comes after it is counted.
    static constexpr std::uint64_t steps_per_raise = 24;

    /// The next raise of an offer.
    struct Raise {
        std::uint32_t offer = 0;  // its position
        std::uint64_t value = 0;  // of the slots that go with it
        std::uint32_t units = 1;  // that are then allowed besides
        bool breaks = false;      // the block does not stay whole
    };

    /// By slots per unit, then by whether the block stays whole.
    static bool is_dearer(const Raise& a, const Raise& b) {
        return std::tuple(a.value * b.units, a.breaks, a.offer) >
               std::tuple(b.value * a.units, b.breaks, b.offer);
    }

    /// Finds the next raise: up to where another slot would be lost, or the block be broken. False
    /// if there is none.
    bool look_ahead(std::uint32_t i) {
        const FillOffer& offer = offers_[i];
        if (offer.allowed >= offer.most) return false;
        const auto lost = [&](std::uint32_t more) {
            return layout_.lost_slots(0, first_ + i, (offer.allowed + more) * problem_.unit_nodes);
        };
        const bool breaks = offer.allowed >= offer.slack;
        const std::uint32_t most = (breaks ? offer.most : offer.slack) - offer.allowed;
        const std::uint64_t before = lost(0);
        const std::uint64_t value = lost(1) - before;
        std::uint32_t units = 1;
        while (units < most && lost(units + 1) - before == value) ++units;
        heap_.push_back({i, value, units, breaks});
        return true;
    }

    const CostLayout& layout_;
    const Problem& problem_;
    BlockIndex first_;
    std::vector<FillOffer>& offers_;
    std::uint64_t& steps_;
    std::vector<Raise> heap_;  // one of each offer that can be raised, the cheapest first
    std::uint64_t total_ = 0;
};

}  // namespace nvl72block
