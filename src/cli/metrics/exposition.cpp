// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/metrics/exposition.hpp"

#include <fmt/format.h>

#include "text/printable.hpp"

namespace nvl72block::cli {
namespace {

std::string escaped_value(std::string_view text) {
    std::string result;
    for (const char c : printable(text)) {
        if (c == '\\' || c == '"') result += '\\';
        result += c;
    }
    return result;
}

}  // namespace

void Exposition::gauge(std::string_view name, std::string_view help) {
    name_ = name;
    text_ += fmt::format("# HELP {} {}\n# TYPE {} gauge\n", name, help, name);
}

void Exposition::sample(const Labels& labels, std::uint64_t value) {
    text_ += name_;
    for (const auto& [label, content] : labels)
        text_ += fmt::format("{}{}=\"{}\"", &label == &labels.front().first ? "{" : ",", label,
                             escaped_value(content));
    text_ += fmt::format("{} {}\n", labels.empty() ? "" : "}", value);
}

}  // namespace nvl72block::cli
