// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/input/input_error.hpp"
#include "cli/plan/sbatch_line.hpp"
#include "text/excerpt.hpp"
#include "text/take_item.hpp"

namespace nvl72block::cli {
namespace {

/// Slurm takes no larger ones in a list.
constexpr std::uint32_t most_listed = 16383;

CountRange listed_range(const std::string& location, std::string_view text) {
    const CountRange range = parse_count_range(location, text);
    if (range.most > most_listed)
        throw InputError(location,
                         fmt::format("{} is more than a list of node counts may have", range.most),
                         fmt::format("write at most {}", most_listed));
    return range;
}

/// The end of a range with a step does not count: 1-13:4 are 1, 5 and 9 to Slurm.
std::set<std::uint32_t> with_step(const std::string& location, std::string_view text) {
    const std::size_t colon = text.find(':');
    const CountRange range = listed_range(location, text.substr(0, colon));
    const std::uint32_t step =
        std::min(parse_count(location, text.substr(colon + 1), 1), most_listed);
    std::set<std::uint32_t> counts;
    for (std::uint32_t count = range.least; count < range.most; count += step) counts.insert(count);
    return counts;
}

std::set<std::uint32_t> in_list(const std::string& location, std::string_view text) {
    std::set<std::uint32_t> counts;
    while (!text.empty()) {
        const CountRange range = listed_range(location, take_item(text));
        for (std::uint32_t count = range.least; count <= range.most; ++count) counts.insert(count);
    }
    return counts;
}

}  // namespace

NodeCounts parse_node_counts(const std::string& location, std::string_view text) {
    if (text.find_first_of(",:") == std::string_view::npos)
        return {parse_count_range(location, text), {}};
    const bool has_step = text.find(':') != std::string_view::npos;
    const std::set<std::uint32_t> counts =
        has_step ? with_step(location, text) : in_list(location, text);
    // Slurm reads no k or m here.
    if (counts.empty() || text.find_first_not_of("0123456789,-:") != std::string_view::npos)
        throw InputError(location, fmt::format("{} is not a list of node counts", excerpt(text)),
                         "write some, e.g. 2,4,8 or 1-15:4");
    return {{*counts.begin(), *counts.rbegin()}, {counts.begin(), counts.end()}};
}

}  // namespace nvl72block::cli
