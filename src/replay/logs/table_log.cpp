// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/logs/table_log.hpp"

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nvl72block::replay {
namespace {

/// libcsv's parser for one line.
class Parser {
  public:
    Parser(char separator, Quotes quotes) {
        csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI);
        csv_set_delim(&parser_, static_cast<unsigned char>(separator));
        // No cell of a text file holds a NUL: then no character is a quote.
        if (quotes == Quotes::none) csv_set_quote(&parser_, '\0');
    }
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;
    ~Parser() { csv_free(&parser_); }

    /// False if the quotes are wrong.
    bool split(std::string_view line, std::vector<std::string>& cells) {
        cells.clear();
        return csv_parse(&parser_, line.data(), line.size(), add, nullptr, &cells) == line.size() &&
               csv_fini(&parser_, add, nullptr, &cells) == 0;
    }

  private:
    static void add(void* text, std::size_t length, void* cells) {
        static_cast<std::vector<std::string>*>(cells)->emplace_back(static_cast<const char*>(text),
                                                                    length);
    }
    csv_parser parser_{};
};

constexpr double max_gpus = 1e7;

/// Turns the cells of one line into a job; knows the columns of its form.
class CsvForm {
  public:
    CsvForm(const LogLines& lines, const TableLog& table) : lines_(lines), table_(table) {
        kalos_ = table.column("gpu_workers") != TableLog::missing;
        arrival_ = kalos_ ? "arrival_time" : "timestamp";
        duration_ = kalos_ ? "num_iteration" : "duration";
        gpus_ = kalos_ ? "gpu_workers" : "num_gpus";
        for (const std::string_view title : {arrival_, duration_, gpus_, gpus_per_worker()})
            if (table.column(title) == TableLog::missing)
                lines.fail(
                    "the header is not that of a known log",
                    "give the output of sacct -P with the columns that nvl72block(1) lists, a "
                    "log in the Standard Workload Format, or the columns timestamp, duration and "
                    "num_gpus");
    }

    [[nodiscard]] TraceJob job() const {
        double duration = value(duration_);
        double gpus = value(gpus_);
        if (kalos_) {
            duration /= 2;  // the log's unit is an iteration of half a second
            gpus *= value(gpus_per_worker());
        }
        if (gpus < 1 || gpus > max_gpus)
            lines_.fail("the GPU count of the job is out of range", "correct or remove the line");
        TraceJob job;
        job.arrival = lines_.time(table_.cell(table_.column(arrival_)), arrival_);
        job.duration = std::max<std::int64_t>(1, std::llround(duration));
        job.gpus = static_cast<std::uint32_t>(std::ceil(gpus));
        return job;
    }

  private:
    [[nodiscard]] std::string_view gpus_per_worker() const {
        return kalos_ ? "gpu_per_worker" : gpus_;
    }
    [[nodiscard]] double value(std::string_view title) const {
        return lines_.number(table_.cell(table_.column(title)), title);
    }

    const LogLines& lines_;
    const TableLog& table_;
    bool kalos_ = false;
    std::string_view arrival_;
    std::string_view duration_;
    std::string_view gpus_;
};

}  // namespace

TableLog::TableLog(LogLines& lines, char separator, Quotes quotes)
    : lines_(lines), separator_(separator), quotes_(quotes) {
    split();
    header_ = cells_;
}

std::size_t TableLog::column(std::string_view title) const {
    const auto found = std::find(header_.begin(), header_.end(), title);
    return found == header_.end() ? missing : static_cast<std::size_t>(found - header_.begin());
}

bool TableLog::next() {
    if (!lines_.next()) return false;
    split();
    if (cells_.size() != header_.size())
        lines_.fail(fmt::format("{} columns instead of {}", cells_.size(), header_.size()),
                    "correct or remove the line");
    return true;
}

void TableLog::split() {
    if (!Parser(separator_, quotes_).split(lines_.text(), cells_))
        lines_.fail("wrong quotation marks", "correct or remove the line");
}

Trace read_csv_log(LogLines& lines) {
    TableLog table(lines, ',', Quotes::double_quotes);
    const CsvForm form(lines, table);
    Trace trace;
    while (table.next()) trace.jobs.push_back(form.job());
    return trace;
}

}  // namespace nvl72block::replay
