// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/policy_name.hpp"

#include <array>
#include <utility>

namespace nvl72block::cli {
namespace {

constexpr std::array<std::pair<std::string_view, Policy>, 2> policies = {{
    {"pack", Policy::pack},
    {"compact", Policy::compact},
}};

}  // namespace

std::optional<Policy> policy_named(std::string_view name) {
    for (const auto& [known, policy] : policies)
        if (known == name) return policy;
    return std::nullopt;
}

std::string policy_names() {
    std::string names;
    for (const auto& [known, policy] : policies) {
        if (!names.empty()) names += ", ";
        names += known;
    }
    return names;
}

}  // namespace nvl72block::cli
