// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "cli/question/queue_order.hpp"
#include "cli/why/diagnosis.hpp"

namespace nvl72block::cli {
namespace {

/// As the plugin's suggest.c writes them.
constexpr std::string_view begin = "; starts ";
constexpr std::string_view with = "with ";
constexpr std::string_view between = " or ";

}  // namespace

std::optional<Told> told_in(std::string_view text) {
    if (text.empty()) return std::nullopt;
    const std::size_t at = text.find(begin);
    Told told{std::string(text.substr(0, at)), {}};
    if (at == std::string_view::npos) return told;
    text.remove_prefix(at + begin.size());
    while (!text.empty()) {
        const std::size_t end = text.find(between);
        std::string_view option = text.substr(0, end);
        if (option.starts_with(with)) option.remove_prefix(with.size());
        told.options.emplace_back(option);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + between.size());
    }
    return told;
}

std::optional<Told> told_by_plugin(const JobRecord& job, SlurmTime now) {
    const bool current = was_evaluated(job) && job.priority > 0 && job.dependency.empty() &&
                         first_start(job, now) == now;
    return current ? told_in(job.told) : std::nullopt;
}

}  // namespace nvl72block::cli
