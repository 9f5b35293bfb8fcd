// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology/nodes_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nvl72block/hostlist.hpp"
#include "text/excerpt.hpp"

namespace nvl72block {
namespace {

constexpr std::string_view feature_function = "feature{";

bool is_control(char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return (byte < 0x20 && letter != '\t' && letter != '\n') || byte == 0x7f;
}

/// What is between the braces of feature{NAME}; empty for anything else.
std::string_view feature_name(std::string_view item) {
    if (!item.starts_with(feature_function) || !item.ends_with('}')) return {};
    item.remove_prefix(feature_function.size());
    return item.substr(0, item.size() - 1);
}

}  // namespace

std::optional<std::size_t> check_nodes_text(std::string_view text, std::string& error) {
    // Where a carriage return ends a name is not the same for everybody.
    const auto control = std::ranges::find_if(text, is_control);
    if (control != text.end()) {
        error = fmt::format("'{}' is a control character", excerpt({control, control + 1}));
        return std::nullopt;
    }
    std::size_t total = 0;
    for (const std::string_view item : hostlist_items(text)) {
        const bool is_function = item.find_first_of("{}") != std::string_view::npos;
        const std::string_view names = is_function ? feature_name(item) : item;
        if (names.empty()) {
            error = fmt::format("{} is neither a node name nor feature{{NAME}}", excerpt(item));
            return std::nullopt;
        }
        const auto count = count_hostlist(names, error);
        if (!count) return std::nullopt;
        total += *count;
        if (total > max_hostlist_names) {
            error = fmt::format("'{}': the list has more than {} names", excerpt(text),
                                max_hostlist_names);
            return std::nullopt;
        }
    }
    return total;
}

}  // namespace nvl72block
