// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/demand_history.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace nvl72block {
namespace {

/// A size that matters has at least this part of the amount times nodes of each larger one.
constexpr double least_part = 1.0 / 8;

/// Node-seconds that nobody asks for any more.
constexpr double least_amount = 1e-6;

/// So many times the spare nodes of the base blocks may be taken by jobs that come and go: found by
/// replay, which lost at 1.8 to 2.7 and won up to 1.1 (tests/RESULTS.md).
constexpr double most_passing = 1.5;

double worth(const Demand::Amount& amount) {
    return amount.amount * amount.nodes;
}

/// Leaves the amounts in descending order of their sizes.
void leave_out_minor(std::vector<Demand::Amount>& amounts) {
    std::ranges::sort(amounts, std::greater<>(), &Demand::Amount::nodes);
    double most = 0;
    std::erase_if(amounts, [&](const Demand::Amount& each) {
        most = std::max(most, worth(each));
        return worth(each) < least_part * most;
    });
}

/// The part of all node-seconds in which jobs of slots smaller than `nodes` were on their first
/// day.
double passing_part(std::span<const DemandHistory::Entry> entries, std::uint32_t nodes) {
    double passing = 0, all = 0;
    for (const DemandHistory::Entry& each : entries) {
        all += each.amount;
        if (each.nodes < nodes) passing += each.first_day;
    }
    return all > 0 ? passing / all : 0;
}

/// The part of a base block that is left over beside its slots.
double spare_part(std::uint32_t largest_block, std::uint32_t nodes) {
    return static_cast<double>(largest_block % nodes) / largest_block;
}

}  // namespace

double DemandHistory::decay_until(std::int64_t time) const {
    if (time <= latest_) return 1;
    // as floating point: times from two ends of the range differ by more than the range
    return std::exp2((static_cast<double>(latest_) - static_cast<double>(time)) / half_life_);
}

void DemandHistory::move_to(std::int64_t time) {
    if (time <= latest_) return;
    const double factor = decay_until(time);
    for (auto& [nodes, entry] : entries_) {
        entry.amount *= factor;
        entry.first_day *= factor;
    }
    // after decades without a job of that size
    std::erase_if(entries_, [](const auto& each) { return each.second.amount < least_amount; });
    latest_ = time;
}

void DemandHistory::add(std::int64_t time, const Entry& entry) {
    if (entry.nodes == 0 || !(entry.amount > 0) || !std::isfinite(entry.amount)) return;
    if (entries_.empty()) latest_ = time;
    move_to(time);
    Entry& sum = entries_[entry.nodes];
    sum.nodes = entry.nodes;
    sum.amount += entry.amount;
    sum.first_day +=
        std::isfinite(entry.first_day) ? std::clamp(entry.first_day, 0.0, entry.amount) : 0;
    if (entries_.size() > most_sizes) forget_smallest();
}

void DemandHistory::forget_smallest() {
    const auto smaller = [](const auto& a, const auto& b) {
        return a.second.amount < b.second.amount;
    };
    entries_.erase(std::ranges::min_element(entries_, smaller));
}

Demand DemandHistory::demand(std::int64_t time, const Frame& frame) const {
    const double factor = decay_until(time);
    const std::vector<Entry> all = entries();
    std::vector<Demand::Amount> kept{{frame.prior_nodes, frame.prior_amount}};
    for (const Entry& each : all)
        if (each.nodes > 1) kept.push_back({each.nodes, each.amount * factor});
    leave_out_minor(kept);
    if (frame.largest == 0) return Demand::of(kept);
    std::erase_if(kept, [&](const auto& each) { return each.nodes > frame.largest; });
    const auto passing = std::ranges::find_if(kept, [&](const auto& each) {
        const double spare = spare_part(frame.largest, each.nodes);
        return spare > 0 && passing_part(all, each.nodes) > most_passing * spare;
    });
    kept.erase(passing, kept.end());
    return Demand::of(kept);
}

std::vector<DemandHistory::Entry> DemandHistory::entries() const {
    std::vector<Entry> all;
    all.reserve(entries_.size());
    for (const auto& [nodes, entry] : entries_) all.push_back(entry);
    return all;
}

void DemandHistory::restore(std::int64_t latest, std::span<const Entry> entries) {
    entries_.clear();
    for (const Entry& each : entries) add(latest, each);
    latest_ = latest;
}

}  // namespace nvl72block
