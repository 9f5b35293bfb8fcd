// SPDX-License-Identifier: GPL-2.0-or-later
//
// Logs in columns that a header line names: comma-separated values and the output of sacct -P.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "replay/logs/log_lines.hpp"
#include "replay/logs/trace.hpp"

namespace nvl72block::replay {

enum class Quotes : bool { none, double_quotes };

class TableLog {
  public:
    /// `lines` stands at the header, whose cells are separated by `separator`.
    TableLog(LogLines& lines, char separator, Quotes quotes);

    static constexpr std::size_t missing = ~std::size_t{0};
    /// The number of the column with this title, or `missing`.
    [[nodiscard]] std::size_t column(std::string_view title) const;

    /// Moves to the next line; false at the end. Fails if it has not as many cells as the header.
    bool next();
    [[nodiscard]] const std::string& cell(std::size_t column) const { return cells_.at(column); }

  private:
    void split();

    LogLines& lines_;
    char separator_;
    Quotes quotes_;
    std::vector<std::string> header_;
    std::vector<std::string> cells_;
};

/// Both forms of comma-separated values that trace.hpp names.
[[nodiscard]] Trace read_csv_log(LogLines& lines);

}  // namespace nvl72block::replay
