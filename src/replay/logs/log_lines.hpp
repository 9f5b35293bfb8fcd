// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the readers of all log formats share: numbered lines, and values with messages that name
// the line.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>

namespace nvl72block::replay {

/// The lines of a log one by one, without those that are blank.
class LogLines {
  public:
    /// Most that a number may be: as seconds, 3000 years.
    static constexpr double max_number = 1e11;

    LogLines(std::istream& stream, std::string name) : stream_(stream), name_(std::move(name)) {}

    /// Moves to the next line; false at the end. Fails at a line that is not text.
    bool next();
    /// Without the carriage return at its end.
    [[nodiscard]] std::string_view text() const { return line_; }

    /// Throws TraceError with the place of the current line.
    [[noreturn]] void fail(const std::string& message, const std::string& remedy) const;

    /// `cell` as a number from 0 to `max_number`; `column` is used in the message.
    [[nodiscard]] double number(std::string_view cell, std::string_view column) const;
    /// `cell` as "YYYY-MM-DD HH:MM:SS", with a T in the middle as well, or as seconds.
    [[nodiscard]] std::int64_t time(std::string_view cell, std::string_view column) const;

  private:
    std::istream& stream_;
    std::string name_;
    std::string text_;
    std::string_view line_;  // of text_
    unsigned number_ = 0;
};

}  // namespace nvl72block::replay
