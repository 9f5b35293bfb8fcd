// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/amounts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "text/number.hpp"
#include "text/take_item.hpp"
#include "text/tres.hpp"

namespace nvl72block::cli {
namespace {

/// Each entry without "gres/" and what stands in parentheses.
template <typename Visit>
void for_each_gres(std::string_view text, Visit visit) {
    while (!text.empty()) {
        std::string_view entry = take_item(text);
        entry = entry.substr(0, entry.find('('));
        if (entry.starts_with("gres/") || entry.starts_with("gres:")) entry.remove_prefix(5);
        visit(entry);
    }
}

bool is_gpu(std::string_view entry) {
    return entry.substr(0, entry.find_first_of(":=")) == "gpu";
}

/// Type (empty for none) and count of each entry for GPUs: "gpu" and "gpu:gb200" are one GPU.
template <typename Visit>
void for_each_gpu(std::string_view text, Visit visit) {
    for_each_gres(text, [&](std::string_view entry) {
        if (!is_gpu(entry)) return;
        entry.remove_prefix(std::min<std::size_t>(4, entry.size()));
        const std::size_t last = entry.find_last_of(":=");
        const std::size_t digits = last == std::string_view::npos ? 0 : last + 1;
        const auto count = number_of<std::uint32_t>(entry.substr(digits));
        visit(count ? entry.substr(0, digits > 0 ? last : 0) : entry, count.value_or(1));
    });
}

/// A number from 0 on, or 0 for any other text.
std::uint64_t number_or_zero(std::string_view text) {
    return number_of<std::uint64_t>(text).value_or(0);
}

}  // namespace

std::uint64_t megabytes(std::string_view text) {
    constexpr std::string_view units = "KkMmGgTt";
    const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
    if (unit == std::string_view::npos) return number_or_zero(text);
    const auto number = number_of<double>(text.substr(0, text.size() - 1));
    const double amount = number.value_or(0) * std::pow(1024, static_cast<int>(unit / 2) - 1);
    return amount >= 0 && amount <= 1e15 ? static_cast<std::uint64_t>(std::ceil(amount)) : 0;
}

std::uint32_t gpus_in(std::string_view text) {
    std::uint64_t total = 0;
    for_each_gpu(text, [&](std::string_view, std::uint32_t count) { total += count; });
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(total, 1U << 30));
}

std::string gpu_types_in(std::string_view text) {
    std::set<std::string, std::less<>> types;
    for_each_gpu(text, [&](std::string_view type, std::uint32_t) {
        if (!type.empty()) types.emplace(type);
    });
    return fmt::format("{}", fmt::join(types, ","));
}

std::string other_gres_in(std::string_view text) {
    std::vector<std::string_view> others;
    for_each_gres(text, [&](std::string_view entry) {
        if (!entry.empty() && entry != "none" && !is_gpu(entry)) others.push_back(entry);
    });
    return fmt::format("{}", fmt::join(others, ","));
}

std::uint64_t tres_in(std::string_view text, std::string_view name) {
    std::uint64_t amount = 0;
    for_each_tres(text, [&](std::string_view each, std::string_view number) {
        if (each == name) amount = number_or_zero(number);
    });
    return amount;
}

}  // namespace nvl72block::cli
