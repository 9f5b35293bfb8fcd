// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload/segment_rule.hpp"

#include "text/number.hpp"
#include "text/take_item.hpp"

namespace nvl72block::replay {
namespace {

constexpr std::uint32_t max_rule_number = 1U << 20;

std::optional<std::uint32_t> number(std::string_view text) {
    const auto value = number_of<std::uint32_t>(text);
    return value.value_or(max_rule_number + 1) > max_rule_number ? std::nullopt : value;
}

}  // namespace

std::uint32_t rounded_to(std::uint32_t segment, std::uint32_t nodes) {
    if (segment == 0 || nodes <= segment) return nodes;
    return (nodes + segment - 1) / segment * segment;
}

std::optional<SegmentRule> SegmentRule::parse(std::string_view text) {
    if (text == "nvidia") text = "32:16,8:4,1:1";
    if (text == "plain") text = "1:0";
    SegmentRule rule;
    while (!text.empty()) {
        const std::string_view step = take_item(text);
        const std::size_t colon = step.find(':');
        if (colon == std::string_view::npos) return std::nullopt;
        const std::optional<std::uint32_t> from = number(step.substr(0, colon));
        const std::optional<std::uint32_t> segment = number(step.substr(colon + 1));
        if (!from || !segment) return std::nullopt;
        rule.steps_.push_back({*from, *segment});
    }
    if (rule.steps_.empty()) return std::nullopt;
    std::stable_sort(
        rule.steps_.begin(), rule.steps_.end(),
        [](const Step& left, const Step& right) { return left.from_nodes > right.from_nodes; });
    return rule;
}

std::uint32_t SegmentRule::segment(std::uint32_t nodes) const {
    for (const Step& step : steps_)
        if (nodes >= step.from_nodes) return step.segment;
    return 0;
}

std::uint32_t SegmentRule::rounded(std::uint32_t nodes) const {
    return rounded_to(segment(nodes), nodes);
}

}  // namespace nvl72block::replay
