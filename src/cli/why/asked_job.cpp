// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/asked_job.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/input/input_error.hpp"
#include "cli/input/numbers.hpp"
#include "cli/question/node_use.hpp"

namespace nvl72block::cli {

const JobRecord& find_job(const ClusterState& state, const std::string& name) {
    const std::size_t mark = name.find_first_of("_+");
    const std::uint32_t number = parse_count("JOBID", name.substr(0, mark), 1);
    const bool whole = mark == std::string::npos;
    const std::uint32_t part = whole ? 0 : parse_count("JOBID", name.substr(mark + 1), 0);
    const auto is_meant = [&](const JobRecord& job) {
        if (whole) return job.id == number || job.array_id == number;
        return name[mark] == '_' ? job.array_id == number && job.has_task(part)
                                 : job.het_id == number && job.het_offset == part;
    };
    // Of several records with the number, a pending one, then a running one.
    const JobRecord* found = nullptr;
    for (const JobRecord& job : state.jobs)
        if (is_meant(job) && (found == nullptr || job.state < found->state)) found = &job;
    if (found == nullptr)
        throw InputError(fmt::format("job {}", name), "is not in the queue",
                         "see squeue; with PrivateData=jobs other users' jobs are hidden");
    return *found;
}

void add_asked_job_options(CLI::App& command, AskedJobOptions& options) {
    command.add_option("JOBID", options.name, "The job, e.g. 4711, 4711_3 (array) or 4711+1")
        ->type_name("")
        ->required();
    command
        .add_option("--segment", options.segment,
                    "Nodes per segment, in place of what Slurm shows; 0: none")
        ->type_name("N");
}

JobRecord asked_job(const ClusterState& state, const AskedJobOptions& options,
                    std::ostream& notes) {
    const bool given = !options.segment.empty();
    const std::uint32_t nodes = given ? parse_count("--segment", options.segment, 0) : 0;
    JobRecord job = find_job(state, options.name);
    if (given) job.segment_size = nodes;
    if (job.state != JobState::pending && !holds_nodes(job))
        throw InputError(fmt::format("job {}", job.label()),
                         fmt::format("is {}: it is neither pending nor running", job.state_text),
                         "pass a pending or running job (squeue)");
    // Slurm 24.11 keeps the size to itself, but the plugin's comment has it.
    if (!given && !state.shows_segments && !job.tells_segments) {
        notes << fmt::format(
            "note: Slurm {} does not show whether job {} has segments; if so, add --segment N\n",
            state.slurm_version, job.label());
        job.not_modelled.emplace_back(hidden_segments);
    }
    return job;
}

}  // namespace nvl72block::cli
