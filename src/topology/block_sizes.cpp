// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology/block_sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <unordered_set>

#include "nvl72block/topology.hpp"
#include "text/excerpt.hpp"
#include "topology/config_lines.hpp"

namespace nvl72block {
namespace {

// Slurm keeps the planning size in 16 bits.
constexpr std::uint32_t largest_planning_size = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint32_t largest_size = largest_planning_size << max_block_exponent;

enum class NumberKind { good, not_a_number, zero, too_large };

NumberKind read_size(std::string_view item, std::uint32_t& size) {
    const bool digits = !item.empty() && item.find_first_not_of("0123456789") == item.npos;
    if (!digits) return NumberKind::not_a_number;
    const auto failure = std::from_chars(item.data(), item.data() + item.size(), size).ec;
    if (failure != std::errc{} || size > largest_size) return NumberKind::too_large;
    return size == 0 ? NumberKind::zero : NumberKind::good;
}

/// "write 18" where the item begins with a number, otherwise what such an item looks like.
std::string remedy_for(std::string_view item) {
    const std::size_t digits = std::min(item.find_first_not_of("0123456789"), item.size());
    std::uint32_t size = 0;
    if (read_size(item.substr(0, digits), size) == NumberKind::good)
        return fmt::format("write {}", size);
    return "write the nodes of a block as a number, e.g. BlockSizes=18,36";
}

SizeProblem describe(std::string_view text, std::string_view item, NumberKind kind) {
    const std::string start = fmt::format("BlockSizes={}: ", excerpt(text));
    if (trim(text).empty()) return {start + "a size is missing", remedy_for(item)};
    if (item.empty())
        return {start + "a size is missing next to a comma", "remove the extra comma"};
    if (kind == NumberKind::zero)
        return {start + "a block cannot have 0 nodes", "write a size of 1 or more"};
    if (kind == NumberKind::too_large)
        return {fmt::format("{}{} nodes are more than the {} that a block can have", start,
                            excerpt(item), largest_size),
                "write a smaller size"};
    return {fmt::format("{}'{}' is not a whole number of nodes", start, excerpt(item)),
            remedy_for(item)};
}

/// The sizes next to `size` that would be allowed.
std::string nearest_sizes(std::uint32_t size, std::uint32_t planning_size) {
    const unsigned exponent = static_cast<unsigned>(std::bit_width(size / planning_size)) - 1;
    const std::uint64_t below = std::uint64_t{planning_size}
                                << std::min(exponent, max_block_exponent);
    if (exponent >= max_block_exponent) return fmt::format("write at most {}", below);
    return fmt::format("write {} or {}", below, below * 2);
}

/// What is wrong with `size`; `start` begins the message, `smallest` is the least of all sizes.
SizeProblem describe_misfit(const std::string& start, std::uint32_t size,
                            std::uint32_t planning_size, std::uint32_t smallest) {
    if (size == 0) return {start + "a block cannot have 0 nodes", "write a size of 1 or more"};
    if (size < planning_size)
        return {fmt::format("{}{} is smaller than the first size, {}, which must be the smallest",
                            start, size, planning_size),
                fmt::format("write {} first", smallest)};
    const std::uint32_t ratio = size / planning_size;
    if (size % planning_size == 0 && std::has_single_bit(ratio))
        return {fmt::format("{}{} is {} times {}; a block joins at most {} base blocks", start,
                            size, ratio, planning_size, 1U << max_block_exponent),
                nearest_sizes(size, planning_size)};
    return {fmt::format("{}{} is not {} times a power of two", start, size, planning_size),
            nearest_sizes(size, planning_size)};
}

}  // namespace

std::vector<std::uint32_t> parse_block_sizes(std::string_view text,
                                             std::vector<SizeProblem>& problems) {
    std::vector<std::uint32_t> sizes;
    std::string_view rest = text;
    while (true) {
        const std::size_t comma = rest.find(',');
        const std::string_view item = trim(rest.substr(0, comma));
        std::uint32_t size = 0;
        const NumberKind kind = read_size(item, size);
        if (kind == NumberKind::good) {
            sizes.push_back(size);
        } else {
            problems.push_back(describe(text, item, kind));
        }
        if (comma == std::string_view::npos) return sizes;
        rest.remove_prefix(comma + 1);
    }
}

std::optional<unsigned> block_exponent(std::uint32_t size, std::uint32_t planning_size) {
    if (planning_size == 0 || size == 0 || size % planning_size != 0) return std::nullopt;
    const std::uint32_t ratio = size / planning_size;
    const auto exponent = static_cast<unsigned>(std::countr_zero(ratio));
    if (!std::has_single_bit(ratio) || exponent > max_block_exponent) return std::nullopt;
    return exponent;
}

std::vector<SizeProblem> check_block_sizes(std::span<const std::uint32_t> sizes) {
    std::vector<SizeProblem> problems;
    if (sizes.empty()) return problems;
    const std::uint32_t planning_size = sizes.front();
    const std::uint32_t smallest = *std::min_element(sizes.begin(), sizes.end());
    const std::string start =
        fmt::format("BlockSizes={}: ", excerpt(fmt::format("{}", fmt::join(sizes, ","))));
    if (planning_size == 0) {
        problems.push_back(describe_misfit(start, 0, 0, 0));
    } else if (planning_size > largest_planning_size) {
        problems.push_back(
            {fmt::format("{}the first size is more than {} nodes", start, largest_planning_size),
             "write the number of nodes of a base block"});
    } else {
        std::unordered_set<std::uint32_t> reported;
        for (const std::uint32_t size : sizes)
            if (!block_exponent(size, planning_size) && reported.insert(size).second)
                problems.push_back(describe_misfit(start, size, planning_size, smallest));
    }
    return problems;
}

}  // namespace nvl72block
