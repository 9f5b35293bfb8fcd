// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload/job_log.hpp"

#include <fmt/format.h>

#include "text/seconds.hpp"

namespace nvl72block::replay {
namespace {

std::string limit_text(std::int64_t seconds) {
    return fmt::format("{}-{:02}:{:02}:{:02}", seconds / day, seconds % day / hour,
                       seconds % hour / minute, seconds % minute);
}

}  // namespace

std::string job_log(std::span<const Job> jobs) {
    std::string text = "JobID|Submit|Start|End|Timelimit|NNodes|SegmentSize\n";
    std::size_t id = 0;
    for (const Job& job : jobs) {
        const std::int64_t submit = job.submit - jobs.front().submit;
        text += fmt::format("{0}|{1}|{1}|{2}|{3}|{4}|{5}\n", ++id, submit, submit + job.duration,
                            limit_text(job.planned()), job.nodes, job.segment);
    }
    return text;
}

}  // namespace nvl72block::replay
