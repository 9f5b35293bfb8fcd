// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/logs/log_lines.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <optional>

#include "replay/logs/trace.hpp"
#include "text/blanks.hpp"
#include "text/excerpt.hpp"
#include "text/number.hpp"

namespace nvl72block::replay {
namespace {

constexpr double max_number = 1e11;  // as seconds: 3000 years

/// The number in the `length` digits of `text` from `begin` on.
std::optional<unsigned> digits(std::string_view text, std::size_t begin, std::size_t length) {
    return number_of<unsigned>(text.substr(begin, length));
}

/// Seconds since 1970, without a time zone.
std::optional<std::int64_t> date(std::string_view text) {
    using namespace std::chrono;
    constexpr std::string_view form = "0000-00-00 00:00:00";
    if (text.size() != form.size()) return std::nullopt;
    for (std::size_t i = 0; i < form.size(); ++i)
        if (form[i] != '0' && text[i] != form[i] && !(i == 10 && text[i] == 'T'))
            return std::nullopt;
    const auto year_number = digits(text, 0, 4), month_number = digits(text, 5, 2),
               day_number = digits(text, 8, 2), hour = digits(text, 11, 2),
               minute = digits(text, 14, 2), second = digits(text, 17, 2);
    if (!year_number || !month_number || !day_number || !hour || !minute || !second)
        return std::nullopt;
    const year_month_day when{year(static_cast<int>(*year_number)), month(*month_number),
                              day(*day_number)};
    if (!when.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
    const std::int64_t days = sys_days(when).time_since_epoch().count();
    return ((days * 24 + *hour) * 60 + *minute) * 60 + *second;
}

}  // namespace

bool LogLines::next() {
    while (std::getline(stream_, text_)) {
        ++number_;
        if (!text_.empty() && text_.back() == '\r') text_.pop_back();
        if (!trim(text_).empty()) return true;
    }
    text_.clear();
    return false;
}

void LogLines::fail(const std::string& message, const std::string& remedy) const {
    throw TraceError(fmt::format("{}:{}: {}; {}", name_, std::max(number_, 1U), message, remedy));
}

double LogLines::number(std::string_view cell, std::string_view column) const {
    const std::optional<double> read = number_of<double>(cell);
    if (!read || *read < 0 || *read > max_number)
        fail(fmt::format("{} \"{}\" is not a number from 0 to {}", column, excerpt(cell),
                         max_number),
             "correct or remove the line");
    return *read;
}

std::int64_t LogLines::time(std::string_view cell, std::string_view column) const {
    if (const std::optional<std::int64_t> read = date(cell)) return *read;
    const std::optional<double> seconds = number_of<double>(cell);
    if (!seconds || *seconds < 0 || *seconds > max_number)
        fail(fmt::format("{} \"{}\" is not a time", column, excerpt(cell)),
             "write YYYY-MM-DD HH:MM:SS or seconds, or remove the line");
    return std::llround(*seconds);
}

}  // namespace nvl72block::replay
