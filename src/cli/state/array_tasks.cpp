// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <optional>
#include <vector>

#include "cli/state/cluster_state.hpp"
#include "text/number.hpp"
#include "text/take_item.hpp"

namespace nvl72block::cli {
namespace {

struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t step = 1;
};

std::optional<Range> range_of(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view ends = text.substr(0, colon);
    const std::size_t dash = ends.find('-');
    const auto number = number_of<std::uint32_t>;
    const auto first = number(ends.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number(ends.substr(dash + 1));
    const auto step =
        colon == std::string_view::npos ? std::uint32_t{1} : number(text.substr(colon + 1));
    if (!first || !last || *last < *first || step.value_or(0) == 0) return std::nullopt;
    return Range{*first, *last, *step};
}

/// Nothing if one of them is not understood.
std::vector<Range> ranges_of(std::string_view tasks) {
    std::vector<Range> ranges;
    tasks = tasks.substr(0, tasks.find('%'));
    while (!tasks.empty()) {
        const std::optional<Range> range = range_of(take_item(tasks));
        if (!range) return {};
        ranges.push_back(*range);
    }
    return ranges;
}

}  // namespace

bool JobRecord::has_task(std::uint32_t task) const {
    return std::ranges::any_of(ranges_of(array_tasks), [task](const Range& range) {
        return task >= range.first && task <= range.last && (task - range.first) % range.step == 0;
    });
}

std::uint32_t JobRecord::tasks_of_array() const {
    std::uint64_t count = 0;
    for (const Range& range : ranges_of(array_tasks))
        count += (range.last - range.first) / range.step + std::uint64_t{1};
    // A pending array has at most so many tasks that fit the queue.
    return count == 0 || count > (1U << 24) ? 1 : static_cast<std::uint32_t>(count);
}

}  // namespace nvl72block::cli
