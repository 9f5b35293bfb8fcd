// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/logs/swf_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "text/blanks.hpp"
#include "text/excerpt.hpp"
#include "text/number.hpp"

namespace nvl72block::replay {
namespace {

constexpr std::size_t field_count = 18;
constexpr double max_nodes = 1e7;

/// Places of the fields that a replay needs, counted from 0.
enum Field : std::size_t {
    submit = 1,
    wait = 2,
    run_time = 3,
    used_processors = 4,
    asked_processors = 7,
    asked_time = 8,
    status = 10,
};

std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> fields;
    constexpr const char* blanks = " \t";
    for (;;) {
        const std::size_t begin = line.find_first_not_of(blanks);
        if (begin == std::string_view::npos) return fields;
        line.remove_prefix(begin);
        fields.push_back(line.substr(0, line.find_first_of(blanks)));
        line.remove_prefix(fields.back().size());
    }
}

class SwfReader {
  public:
    explicit SwfReader(LogLines& lines) : lines_(lines) {}

    Trace read() {
        do {
            const std::string_view line = trim(lines_.text());
            if (line.starts_with(';'))
                read_comment(trim(line.substr(1)));
            else
                read_job(split(line));
        } while (lines_.next());
        return std::move(trace_);
    }

  private:
    /// "MaxProcs: 1024".
    void read_comment(std::string_view comment) {
        const std::size_t colon = comment.find(':');
        if (colon == std::string_view::npos) return;
        const std::string_view label = comment.substr(0, colon);
        double* const value = label == "MaxProcs"   ? &max_processors_
                              : label == "MaxNodes" ? &max_nodes_
                                                    : nullptr;
        if (value == nullptr) return;
        const std::vector<std::string_view> words = split(comment.substr(colon + 1));
        if (!words.empty()) *value = number_of<double>(words.front()).value_or(0);
    }

    void read_job(const std::vector<std::string_view>& fields) {
        if (fields.size() != field_count)
            lines_.fail(fmt::format("{} fields instead of {}", fields.size(), field_count), remedy);
        const double state = value(fields, status);
        if (state >= 2 && state <= 4) return;  // a part of a job whose other line has all of it
        double processors = value(fields, used_processors);
        if (processors <= 0) processors = value(fields, asked_processors);
        if (value(fields, run_time) < 0 || processors <= 0) {
            ++trace_.not_run;
            return;
        }
        if (value(fields, submit) < 0) lines_.fail("the submit time is negative", remedy);
        TraceJob job;
        job.arrival = std::llround(value(fields, submit));
        job.duration = std::max<std::int64_t>(1, std::llround(value(fields, run_time)));
        job.time_limit = std::llround(std::max(0.0, value(fields, asked_time)));
        job.wait = std::llround(std::max(0.0, value(fields, wait)));
        job.nodes = nodes(processors);
        trace_.jobs.push_back(job);
    }

    [[nodiscard]] double value(const std::vector<std::string_view>& fields, Field field) const {
        const auto read = number_of<double>(fields[field]);
        if (!read || std::abs(*read) > LogLines::max_number)
            lines_.fail(
                fmt::format("field {} \"{}\" is not a number", field + 1, excerpt(fields[field])),
                remedy);
        return *read;
    }

    [[nodiscard]] std::uint32_t nodes(double processors) const {
        const double per_node = max_nodes_ > 0 ? std::max(1.0, max_processors_ / max_nodes_) : 1;
        const double count = std::ceil(processors / per_node);
        if (count > max_nodes) lines_.fail("the processor count is out of range", remedy);
        return static_cast<std::uint32_t>(count);
    }

    static constexpr const char* remedy = "correct or remove the line";

    LogLines& lines_;
    Trace trace_;
    double max_processors_ = 0;
    double max_nodes_ = 0;
};

}  // namespace

bool is_swf_line(std::string_view line) {
    line = trim(line);
    if (line.starts_with(';')) return true;
    const std::vector<std::string_view> fields = split(line);
    return fields.size() == field_count && number_of<double>(fields.front()).has_value();
}

Trace read_swf_log(LogLines& lines) {
    return SwfReader(lines).read();
}

}  // namespace nvl72block::replay
