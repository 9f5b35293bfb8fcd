// SPDX-License-Identifier: GPL-2.0-or-later
#include "nvl72block/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "text/plural.hpp"

namespace nvl72block {
namespace {

constexpr std::array<std::string_view, 3> severity_names = {"note", "warning", "error"};

std::size_t length(const Diagnostic& finding) {
    return finding.file.size() + finding.message.size() + finding.remedy.size();
}

}  // namespace

bool Diagnostics::is_full(Severity severity) const {
    const Count& count = counts_[static_cast<std::size_t>(severity)];
    return count.more != 0 || count.kept >= most || characters_ >= most_characters;
}

void Diagnostics::push_back(Diagnostic finding) {
    if (is_full(finding.severity)) return count_more(finding.severity, finding.file, 1);
    ++counts_[static_cast<std::size_t>(finding.severity)].kept;
    characters_ += length(finding);
    list_.push_back(std::move(finding));
}

void Diagnostics::append(Diagnostics others) {
    for (std::size_t i = 0; i < others.list_.size(); ++i) {
        Diagnostic& finding = others.list_[i];
        const Count& count = others.counts_[static_cast<std::size_t>(finding.severity)];
        if (count.more != 0 && count.summary == i)
            count_more(finding.severity, finding.file, count.more);
        else
            push_back(std::move(finding));
    }
}

void Diagnostics::count_more(Severity severity, const std::string& file, std::size_t number) {
    Count& count = counts_[static_cast<std::size_t>(severity)];
    if (count.more == 0) {
        count.summary = list_.size();
        list_.push_back(
            {severity, file, 0, {}, severity == Severity::note ? "" : "correct those above first"});
    }
    count.more += number;
    list_[count.summary].message = fmt::format(
        "{} {} not shown",
        plural(count.more,
               fmt::format("more {}", severity_names[static_cast<std::size_t>(severity)])),
        count.more == 1 ? "is" : "are");
}

std::string to_string(const Diagnostic& diagnostic) {
    std::string out = diagnostic.file;
    if (diagnostic.line != 0) {
        if (!out.empty()) out += ':';
        out += fmt::format("{}", diagnostic.line);
    }
    if (!out.empty()) out += ": ";
    out += diagnostic.message;
    if (!diagnostic.remedy.empty()) out += "; " + diagnostic.remedy;
    return out;
}

bool has_error(const Diagnostics& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::error;
    });
}

}  // namespace nvl72block
