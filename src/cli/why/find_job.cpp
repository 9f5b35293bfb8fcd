// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/find_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/input/input_error.hpp"
#include "cli/input/numbers.hpp"
#include "cli/state/array_tasks.hpp"

namespace nvl72block::cli {
namespace {

bool is_named(const JobRecord& job, std::uint32_t number) {
    return job.id == number || job.array_id == number;
}

const JobRecord* task_of(const ClusterState& state, std::uint32_t array, std::uint32_t task) {
    for (const JobRecord& job : state.jobs)
        if (job.array_id == array && has_task(job.array_tasks, task)) return &job;
    return nullptr;
}

const JobRecord* component_of(const ClusterState& state, std::uint32_t job, std::uint32_t offset) {
    for (const JobRecord& each : state.jobs)
        if (each.het_id == job && each.het_offset == offset) return &each;
    return nullptr;
}

/// Of several records with the number, a pending one, then a running one.
const JobRecord* job_numbered(const ClusterState& state, std::uint32_t number) {
    const JobRecord* best = nullptr;
    for (const JobRecord& job : state.jobs)
        if (is_named(job, number) && (best == nullptr || job.state < best->state)) best = &job;
    return best;
}

}  // namespace

const JobRecord& find_job(const ClusterState& state, const std::string& name) {
    const std::size_t mark = name.find_first_of("_+");
    const std::uint32_t number = parse_count("JOBID", name.substr(0, mark), 1);
    const JobRecord* job = nullptr;
    if (mark == std::string::npos) {
        job = job_numbered(state, number);
    } else {
        const std::uint32_t part = parse_count("JOBID", name.substr(mark + 1), 0);
        job = name[mark] == '_' ? task_of(state, number, part) : component_of(state, number, part);
    }
    if (job == nullptr)
        throw InputError(fmt::format("job {}", name), "is not in the queue",
                         "see squeue; with PrivateData=jobs other users' jobs are hidden");
    return *job;
}

}  // namespace nvl72block::cli
