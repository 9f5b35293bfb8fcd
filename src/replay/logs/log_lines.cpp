// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/logs/log_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "replay/logs/trace.hpp"
#include "text/blanks.hpp"
#include "text/byte_order_mark.hpp"
#include "text/excerpt.hpp"
#include "text/number.hpp"
#include "text/times.hpp"

namespace nvl72block::replay {
bool LogLines::next() {
    while (std::getline(stream_, text_)) {
        ++number_;
        line_ = number_ == 1 ? without_mark(text_) : text_;
        if (line_.ends_with('\r')) line_.remove_suffix(1);
        if (line_.find('\0') != std::string_view::npos)
            fail("is not a text file", "decompress it, or save it as UTF-8");
        if (!trim(line_).empty()) return true;
    }
    line_ = {};
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
    if (const std::optional<SlurmTime> read = parse_time(cell)) return *read;
    const std::optional<double> seconds = number_of<double>(cell);
    if (!seconds || *seconds < 0 || *seconds > max_number)
        fail(fmt::format("{} \"{}\" is not a time", column, excerpt(cell)),
             "write YYYY-MM-DD HH:MM:SS or seconds, or remove the line");
    return std::llround(*seconds);
}

}  // namespace nvl72block::replay
