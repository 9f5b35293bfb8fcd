// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/demand_history.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace nvl72block {
namespace {

/// A size that matters has at least this part of the amount times nodes of each larger one.
constexpr double least_part = 1.0 / 8;

double worth(const Demand::Amount& amount) {
    return amount.amount * amount.nodes;
}

void leave_out_minor(std::vector<Demand::Amount>& amounts) {
    std::ranges::sort(amounts, std::greater<>(), &Demand::Amount::nodes);
    double most = 0;
    std::erase_if(amounts, [&](const Demand::Amount& each) {
        most = std::max(most, worth(each));
        return worth(each) < least_part * most;
    });
}

}  // namespace

double DemandHistory::decay_until(std::int64_t time) const {
    if (time <= latest_) return 1;
    return std::exp2(-static_cast<double>(time - latest_) / half_life_);
}

void DemandHistory::move_to(std::int64_t time) {
    if (time <= latest_) return;
    const double factor = decay_until(time);
    for (auto& [nodes, amount] : amounts_) amount *= factor;
    latest_ = time;
}

void DemandHistory::add(std::int64_t time, std::uint32_t slot_nodes, double amount) {
    if (slot_nodes == 0 || !(amount > 0) || !std::isfinite(amount)) return;
    if (amounts_.empty()) latest_ = time;
    move_to(time);
    amounts_[slot_nodes] += amount;
    if (amounts_.size() > most_sizes) forget_smallest();
}

void DemandHistory::forget_smallest() {
    const auto smaller = [](const auto& a, const auto& b) { return a.second < b.second; };
    amounts_.erase(std::ranges::min_element(amounts_, smaller));
}

Demand DemandHistory::demand(std::int64_t time, const Frame& frame) const {
    const double factor = decay_until(time);
    std::vector<Demand::Amount> kept = amounts();
    std::erase_if(kept, [&](const Demand::Amount& each) {
        return frame.largest != 0 && each.nodes > frame.largest;
    });
    for (Demand::Amount& each : kept) each.amount *= factor;
    kept.push_back({frame.prior_nodes, frame.prior_amount});
    leave_out_minor(kept);
    return Demand::of(kept);
}

std::vector<Demand::Amount> DemandHistory::amounts() const {
    std::vector<Demand::Amount> all;
    all.reserve(amounts_.size());
    for (const auto& [nodes, amount] : amounts_) all.push_back({nodes, amount});
    return all;
}

void DemandHistory::restore(std::int64_t latest, std::span<const Demand::Amount> amounts) {
    amounts_.clear();
    for (const Demand::Amount& each : amounts) add(latest, each.nodes, each.amount);
    latest_ = latest;
}

}  // namespace nvl72block
