// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/logs/sacct_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "replay/logs/table_log.hpp"
#include "text/excerpt.hpp"
#include "text/number.hpp"
#include "text/seconds.hpp"
#include "text/times.hpp"
#include "text/tres.hpp"

namespace nvl72block::replay {
namespace {

constexpr std::uint32_t max_count = 10'000'000;

/// sacct writes "None" or "Unknown" for the start of a job that did not start.
bool is_unknown(std::string_view time) {
    return time.empty() || time == "Unknown" || time == "None";
}

class SacctForm {
  public:
    explicit SacctForm(LogLines& lines)
        : lines_(lines),
          table_(lines, '|', Quotes::none),
          submit_(required("Submit")),
          start_(required("Start")),
          end_(required("End")),
          nodes_(required("NNodes")),
          limit_(table_.column("Timelimit")),
          tres_(table_.column("ReqTRES")),
          segment_(table_.column("SegmentSize")),
          id_(table_.column("JobID")) {}

    Trace read() {
        while (table_.next())
            if (!is_step()) add_job();
        for (const std::size_t job : running_) end_running(trace_.jobs[job]);
        return std::move(trace_);
    }

  private:
    [[nodiscard]] std::size_t required(std::string_view title) const {
        const std::size_t column = table_.column(title);
        if (column == TableLog::missing)
            lines_.fail(fmt::format("the header has no column {}", title),
                        "call sacct -aX -P -o Submit,Start,End,Timelimit,NNodes,ReqTRES");
        return column;
    }

    [[nodiscard]] std::string_view cell(std::size_t column) const {
        return column == TableLog::missing ? std::string_view() : table_.cell(column);
    }

    /// "123.batch", which is listed without -X.
    [[nodiscard]] bool is_step() const { return cell(id_).find('.') != std::string_view::npos; }

    void add_job() {
        TraceJob job;
        job.arrival = time(submit_, "Submit");
        if (is_unknown(cell(start_))) {
            ++trace_.not_run;
            return;
        }
        const std::int64_t start = time(start_, "Start");
        const bool running = is_unknown(cell(end_));
        job.duration = running ? -start : time(end_, "End") - start;
        if (!running && job.duration <= 0) {
            ++trace_.not_run;
            return;
        }
        job.nodes = count(cell(nodes_), "NNodes");
        if (job.nodes == 0) lines_.fail("NNodes of a job that ran is 0", remedy);
        job.gpus = gpus(cell(tres_));
        job.time_limit = time_limit(cell(limit_));
        job.wait = std::max<std::int64_t>(0, start - job.arrival);
        job.id = cell(id_);
        if (segment_ != TableLog::missing)
            job.segment = cell(segment_).empty() ? 0 : count(cell(segment_), "SegmentSize");
        if (running) running_.push_back(trace_.jobs.size());
        trace_.jobs.push_back(job);
    }

    [[nodiscard]] std::int64_t time(std::size_t column, std::string_view title) {
        const std::int64_t read = lines_.time(table_.cell(column), title);
        last_time_ = std::max(last_time_, read);
        return read;
    }

    /// A job that still ran when sacct was called has run at least until the log's last time. Its
    /// duration is minus its start so far. Slurm would have ended one that is long past its limit:
    /// the accounting has lost the end.
    void end_running(TraceJob& job) {
        job.duration = std::max<std::int64_t>(1, last_time_ + job.duration);
        if (job.time_limit == 0 || job.duration <= job.time_limit + day) return;
        job.duration = job.time_limit;
        ++trace_.ends_lost;
    }

    /// sacct writes 2048 as 2K.
    [[nodiscard]] std::uint32_t count(std::string_view text, std::string_view title) const {
        const bool thousands = text.ends_with('K');
        const auto read = number_of<double>(text.substr(0, text.size() - (thousands ? 1 : 0)));
        const double value = read.value_or(-1) * (thousands ? 1024 : 1);
        if (value < 0 || value > max_count)
            lines_.fail(fmt::format("{} \"{}\" is not a count", title, excerpt(text)), remedy);
        return static_cast<std::uint32_t>(value);
    }

    /// From "cpu=8,gres/gpu=64,gres/gpu:gb200=64,node=4"; types count where there is no total.
    [[nodiscard]] std::uint32_t gpus(std::string_view tres) const {
        std::optional<std::uint32_t> total;
        std::uint32_t of_types = 0;
        for_each_tres(tres, [&](std::string_view name, std::string_view amount) {
            if (name == "gres/gpu") total = count(amount, name);
            if (name.starts_with("gres/gpu:")) of_types += count(amount, name);
        });
        return total.value_or(of_types);
    }

    /// "[DAYS-]HH:MM:SS", or a word for a limit that is not known: 0.
    [[nodiscard]] std::int64_t time_limit(std::string_view text) const {
        if (is_unknown(text) || text == "UNLIMITED" || text == "Partition_Limit") return 0;
        const std::optional<std::int64_t> read = parse_time_limit(text);
        if (!read)
            lines_.fail(fmt::format("Timelimit \"{}\" is not [DAYS-]HH:MM:SS", excerpt(text)),
                        remedy);
        return *read;
    }

    static constexpr const char* remedy = "correct or remove the line";

    LogLines& lines_;
    TableLog table_;
    std::size_t submit_;
    std::size_t start_;
    std::size_t end_;
    std::size_t nodes_;
    std::size_t limit_;
    std::size_t tres_;
    std::size_t segment_;
    std::size_t id_;
    Trace trace_;
    std::vector<std::size_t> running_;  // jobs without an end
    std::int64_t last_time_ = 0;
};

}  // namespace

Trace read_sacct_log(LogLines& lines) {
    return SacctForm(lines).read();
}

}  // namespace nvl72block::replay
