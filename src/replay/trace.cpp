// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <istream>
#include <limits>
#include <optional>
#include <string_view>

#include "text/number.hpp"

namespace nvl72block::replay {
namespace {

std::vector<std::string_view> split(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t comma = line.find(',');
        cells.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) return cells;
        line.remove_prefix(comma + 1);
    }
}

[[noreturn]] void fail(const std::string& name, unsigned line, const std::string& problem) {
    throw TraceError(fmt::format("{}:{}: {}", name, line, problem));
}

/// "2017-10-09 07:01:55" as seconds since 1970, without a time zone.
std::optional<double> date(std::string_view text) {
    using namespace std::chrono;
    int year_number = 0;
    unsigned month_number = 0, day_number = 0, hour = 0, minute = 0, second = 0;
    const std::string copy(text);
    // NOLINTNEXTLINE(cert-err34-c): the count of fields and the ranges are checked
    if (std::sscanf(copy.c_str(), "%4d-%2u-%2u %2u:%2u:%2u", &year_number, &month_number,
                    &day_number, &hour, &minute, &second) != 6)
        return std::nullopt;
    const year_month_day day{year(year_number), month(month_number), std::chrono::day(day_number)};
    if (!day.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
    const auto days = static_cast<double>(sys_days(day).time_since_epoch().count());
    return days * 86400 + hour * 3600 + minute * 60 + second;
}

/// Turns the cells of one line into a job; knows the columns of its form.
class LineReader {
  public:
    LineReader(const std::string& name, const std::vector<std::string_view>& header)
        : name_(name), columns_(header.size()) {
        const auto column = [&](std::string_view title) {
            const auto found = std::find(header.begin(), header.end(), title);
            return static_cast<std::size_t>(found - header.begin());
        };
        kalos_ = column("gpu_workers") != columns_;
        arrival_ = column(kalos_ ? "arrival_time" : "timestamp");
        duration_ = column(kalos_ ? "num_iteration" : "duration");
        gpus_ = column(kalos_ ? "gpu_workers" : "num_gpus");
        gpus_per_worker_ = kalos_ ? column("gpu_per_worker") : gpus_;
        if (std::max({arrival_, duration_, gpus_, gpus_per_worker_}) == columns_)
            fail(name, 1,
                 "the header has neither arrival_time, num_iteration, gpu_workers, gpu_per_worker "
                 "nor timestamp, duration, num_gpus");
    }

    [[nodiscard]] TraceJob job(const std::vector<std::string_view>& cells, unsigned line) const {
        if (cells.size() != columns_)
            fail(name_, line, fmt::format("{} columns instead of {}", cells.size(), columns_));
        double duration = value(cells[duration_], line);
        double gpus = value(cells[gpus_], line);
        if (kalos_) {
            duration /= 2;  // the log's unit is an iteration of half a second
            gpus *= value(cells[gpus_per_worker_], line);
        }
        if (gpus < 1 || gpus > max_gpus)
            fail(name_, line, "the GPU count of a job is out of range");
        TraceJob job;
        job.arrival = std::llround(arrival(cells[arrival_], line));
        job.duration = std::max<std::int64_t>(1, std::llround(duration));
        job.gpus = static_cast<std::uint32_t>(std::ceil(gpus));
        return job;
    }

  private:
    static constexpr double max_gpus = 1e7;
    static constexpr double max_seconds = 1e11;  // 3000 years

    [[nodiscard]] double value(std::string_view text, unsigned line) const {
        const std::optional<double> read = number_of<double>(text);
        if (!read || *read < 0 || *read > max_seconds)
            fail(name_, line,
                 fmt::format("\"{}\" is not a number from 0 to {}", text, max_seconds));
        return *read;
    }
    [[nodiscard]] double arrival(std::string_view text, unsigned line) const {
        const std::optional<double> read = date(text);
        return read ? *read : value(text, line);
    }

    const std::string& name_;
    std::size_t columns_;
    bool kalos_ = false;
    std::size_t arrival_ = 0;
    std::size_t duration_ = 0;
    std::size_t gpus_ = 0;
    std::size_t gpus_per_worker_ = 0;
};

void sort_from_zero(std::vector<TraceJob>& jobs) {
    std::stable_sort(jobs.begin(), jobs.end(), [](const TraceJob& left, const TraceJob& right) {
        return left.arrival < right.arrival;
    });
    const std::int64_t first = jobs.front().arrival;
    for (TraceJob& job : jobs) job.arrival -= first;
}

}  // namespace

std::vector<TraceJob> read_trace(std::istream& stream, const std::string& name) {
    std::string line;
    if (!std::getline(stream, line)) fail(name, 1, "is empty");
    const std::string header = line;
    const LineReader reader(name, split(header));
    std::vector<TraceJob> jobs;
    for (unsigned number = 2; std::getline(stream, line); ++number)
        if (!line.empty()) jobs.push_back(reader.job(split(line), number));
    if (jobs.empty()) fail(name, 1, "contains no jobs");
    sort_from_zero(jobs);
    return jobs;
}

}  // namespace nvl72block::replay
