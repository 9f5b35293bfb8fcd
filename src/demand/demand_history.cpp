// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/demand_history.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nvl72block {
namespace {

/// Node-seconds that nobody asks for any more.
constexpr double least_amount = 1e-6;

}  // namespace

double DemandHistory::decay_until(std::int64_t time) const {
    if (time <= latest_) return 1;
    // as floating point: times from two ends of the range differ by more than the range
    return std::exp2((static_cast<double>(latest_) - static_cast<double>(time)) / half_life_);
}

void DemandHistory::move_to(std::int64_t time) {
    if (time <= latest_) return;
    const double factor = decay_until(time);
    for (auto& [nodes, entry] : entries_) entry.amount *= factor;
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
    sum.amount = std::min(sum.amount + entry.amount, most_amount);  // what is saved can be read
    if (entries_.size() > most_sizes) forget_smallest();
}

void DemandHistory::forget_smallest() {
    const auto smaller = [](const auto& a, const auto& b) {
        return a.second.amount < b.second.amount;
    };
    entries_.erase(std::ranges::min_element(entries_, smaller));
}

double DemandHistory::amount_of(const Run& run, std::int64_t time) const {
    const auto left = [&](std::int64_t then) {
        return std::exp2((static_cast<double>(then) - static_cast<double>(time)) / half_life_);
    };
    // the integral of what is left of each second
    return run.nodes * (left(run.end) - left(run.begin)) * half_life_ / std::numbers::ln2;
}

Demand DemandHistory::demand(std::int64_t time, const Frame& frame) const {
    const double factor = decay_until(time);
    std::vector<Demand::Amount> kept;
    for (const std::uint32_t size : frame.prior_sizes)
        kept.push_back({size, frame.prior_amount / static_cast<double>(frame.prior_sizes.size())});
    for (const auto& [nodes, entry] : entries_)
        if (nodes > 1) kept.push_back({nodes, entry.amount * factor});
    if (frame.largest != 0)
        std::erase_if(kept, [&](const auto& each) { return each.nodes > frame.largest; });
    return Demand::of(kept);
}

double DemandHistory::amount(std::int64_t time) const {
    double sum = 0;
    for (const auto& [nodes, entry] : entries_) sum += entry.amount;
    return sum * decay_until(time);
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
