// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/logs/trace.hpp"

#include <algorithm>

#include "replay/logs/log_lines.hpp"
#include "replay/logs/sacct_log.hpp"
#include "replay/logs/swf_log.hpp"
#include "replay/logs/table_log.hpp"
#include "text/seconds.hpp"

namespace nvl72block::replay {
namespace {

Trace read(LogLines& lines) {
    if (is_swf_line(lines.text())) return read_swf_log(lines);
    if (lines.text().find('|') != std::string_view::npos) return read_sacct_log(lines);
    return read_csv_log(lines);
}

void start_at_zero(std::vector<TraceJob>& jobs) {
    const std::int64_t first = jobs.front().arrival;
    for (TraceJob& job : jobs) job.arrival -= first;
}

}  // namespace

void cut_beginning(Trace& trace) {
    constexpr double nearly_empty = 0.1;
    std::vector<TraceJob>& jobs = trace.jobs;
    std::stable_sort(jobs.begin(), jobs.end(), [](const TraceJob& left, const TraceJob& right) {
        return left.arrival < right.arrival;
    });
    start_at_zero(jobs);
    const std::int64_t days = jobs.back().arrival / day + 1;
    const double least =
        nearly_empty * static_cast<double>(jobs.size()) / static_cast<double>(days);
    for (std::int64_t end = day;; end += day) {
        const auto next = std::partition_point(
            jobs.begin() + static_cast<std::ptrdiff_t>(trace.early_jobs), jobs.end(),
            [end](const TraceJob& job) { return job.arrival < end; });
        const auto until_end = static_cast<std::size_t>(next - jobs.begin());
        if (static_cast<double>(until_end - trace.early_jobs) >= least) break;
        trace.early_jobs = until_end;
        ++trace.early_days;
    }
    jobs.erase(jobs.begin(), jobs.begin() + static_cast<std::ptrdiff_t>(trace.early_jobs));
    start_at_zero(jobs);
}

Trace read_log(std::istream& stream, const std::string& name) {
    LogLines lines(stream, name);
    if (!lines.next()) lines.fail("is empty", "pass a log of jobs");
    Trace trace = read(lines);
    if (trace.jobs.empty()) lines.fail("no job of the log ran", "pass a log of jobs that ran");
    return trace;
}

Trace read_trace(std::istream& stream, const std::string& name) {
    Trace trace = read_log(stream, name);
    cut_beginning(trace);
    return trace;
}

}  // namespace nvl72block::replay
