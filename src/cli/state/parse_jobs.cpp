// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/inventory/words.hpp"
#include "cli/state/array_tasks.hpp"
#include "cli/state/job_listing.hpp"
#include "cli/state/parse.hpp"
#include "cli/state/record.hpp"
#include "text/excerpt.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::array states{
    std::pair{"PENDING", JobState::pending},      std::pair{"REQUEUED", JobState::pending},
    std::pair{"REQUEUE_HOLD", JobState::pending}, std::pair{"REQUEUE_FED", JobState::pending},
    std::pair{"SPECIAL_EXIT", JobState::pending}, std::pair{"RUNNING", JobState::running},
    std::pair{"CONFIGURING", JobState::running},  std::pair{"RESIZING", JobState::running},
    std::pair{"SIGNALING", JobState::running},    std::pair{"STOPPED", JobState::running},
    std::pair{"SUSPENDED", JobState::suspended},  std::pair{"COMPLETING", JobState::completing},
    std::pair{"STAGE_OUT", JobState::completing}};

JobState state_of(std::string_view word) {
    for (const auto& [name, state] : states)
        if (word == name) return state;
    return JobState::other;  // it has ended
}

std::uint32_t small_number(std::string_view text) {
    return number_of<std::uint32_t>(text).value_or(0);
}

/// "8", "2-4", or the list of sizes of --nodes=1,3,7: its least and its largest.
void read_node_count(std::string_view text, JobRecord& job, Notes& notes) {
    const std::size_t first = text.find_first_of(",-");
    const std::size_t last = text.find_last_of(",-");
    const auto least = number_of<std::uint32_t>(text.substr(0, first));
    if (text.find_first_of(",:") != std::string_view::npos)
        notes.add(fmt::format("job {}: of the node counts {} only the range is considered",
                              job.label(), excerpt(text)));
    if (!least) {
        notes.add(fmt::format("job {}: NumNodes={} is not understood", job.label(), excerpt(text)));
        return;
    }
    job.min_nodes = *least;
    if (first == std::string_view::npos) return;
    std::string_view most = text.substr(last + 1);
    most = most.substr(0, most.find(':'));
    job.max_nodes = std::max(job.min_nodes, small_number(most));
}

/// Before 25.05 scontrol shows no segment size, but the plugin's sentence may have it:
/// "nvl72block: needs 4 segments of 16 nodes", or "...; segments of 16".
std::uint32_t segment_in_comment(std::string_view comment) {
    if (!comment.starts_with("nvl72block:")) return 0;
    for (const std::string_view words : {" segments of ", " segment of "})
        if (const std::size_t at = comment.find(words); at != std::string_view::npos) {
            const std::string_view number = comment.substr(at + words.size());
            return small_number(number.substr(0, number.find_first_of(" ;")));
        }
    return 0;
}

/// Why the plugin refused the job last; empty for other comments and for the receipt of a start.
std::string_view sentence_in_comment(std::string_view comment) {
    constexpr std::string_view owner = "nvl72block: ";
    if (!comment.starts_with(owner)) return {};
    comment.remove_prefix(owner.size());
    return comment.starts_with("started ") ? std::string_view{} : trim(comment);
}

void read_identity(const Record& record, JobRecord& job) {
    job.id = small_number(record.value("JobId"));
    job.array_id = small_number(record.value("ArrayJobId"));
    job.array_tasks = record.value("ArrayTaskId");
    job.het_id = small_number(record.value("HetJobId"));
    job.het_offset = small_number(record.value("HetJobOffset"));
}

/// What slurmctld counts for the job: of a waiting one the least that it may get. After the first
/// evaluation of -N36-60, NumNodes is 60-60, and here is node=36.
void read_tres(std::string_view tres, JobRecord& job) {
    const auto nodes = static_cast<std::uint32_t>(tres_in(tres, "node"));
    if (job.state == JobState::pending && nodes > 0) job.min_nodes = nodes;
    job.used_gpus = static_cast<std::uint32_t>(tres_in(tres, "gres/gpu"));
    if (job.used_gpus == 0)
        job.used_gpus = job.gpus > 0
                            ? job.gpus
                            : job.gpus_per_node * static_cast<std::uint32_t>(job.nodes.count());
    tres = tres.substr(std::min(tres.find("mem="), tres.size()));
    tres = tres.substr(std::min<std::size_t>(tres.find('=') + 1, tres.size()));
    job.used_memory = megabytes(tres.substr(0, tres.find(',')));
}

void read_request(const Record& record, const NodeTable& table, JobRecord& job, Notes& notes) {
    const std::string owner = fmt::format("job {}", job.label());
    read_node_count(record.value("NumNodes"), job, notes);
    job.nodes = known_nodes(record.value("NodeList"), table, owner, notes);
    job.required = known_nodes(record.value("ReqNodeList"), table, owner, notes);
    job.excluded = known_nodes(record.value("ExcNodeList"), table, owner, notes);
    job.cpus = number_or_zero(record.value("NumCPUs"));
    job.tasks = small_number(record.value("NumTasks"));
    job.min_cpus_node = small_number(record.value("MinCPUsNode"));
    job.cpus_per_task = std::max(small_number(record.value("CPUs/Task")), 1U);
    job.tasks_per_node = small_number(record.value("NTasksPerNode"));
    job.min_memory_node = megabytes(record.value("MinMemoryNode"));
    job.memory_per_cpu = megabytes(record.value("MinMemoryCPU"));
    job.gpus_per_node = gpus_in(record.value("TresPerNode"));
    job.gpus = gpus_in(record.value("TresPerJob"));
    for (const char* key : {"TRES", "AllocTRES", "ReqTRES"})  // squeue's, and scontrol's two
        if (job.used_memory == 0) read_tres(record.value(key), job);
    if (record.value("TresPerTask").find("gres") != std::string_view::npos)
        job.not_modelled.emplace_back("--gpus-per-task");
    if (!record.value("TresPerSocket").empty()) job.not_modelled.emplace_back("--gpus-per-socket");
    job.features = record.value("Features");
    job.contiguous = record.value("Contiguous") == "1";
    const std::string_view oversubscribe = record.value("OverSubscribe");
    const auto exclusive = record.find("Exclusive");  // from 26.05 on
    job.exclusive_topo = exclusive ? *exclusive == "TOPO" : oversubscribe == "TOPO";
    job.exclusive_node =
        job.exclusive_topo || (exclusive ? *exclusive == "NODE" : oversubscribe == "NO");
    job.exclusive_user = exclusive ? *exclusive == "USER" : oversubscribe == "USER";
    if (oversubscribe == "MCS") job.not_modelled.emplace_back("--exclusive=mcs");
    job.segment_size = small_number(record.value("SegmentSize"));
    if (job.segment_size == 0) job.segment_size = segment_in_comment(record.rest("SystemComment"));
    if (job.state == JobState::pending)
        job.told = sentence_in_comment(record.rest("SystemComment"));
    job.spread_segments = record.value("SpreadSegments") == "Yes";
    job.consolidate_segments = record.value("ConsolidateSegments") == "Yes";
}

JobRecord job_of(std::string_view line, std::string_view name, const NodeTable& table,
                 Notes& notes) {
    JobRecord job;
    read_identity(Record(line), job);
    job.name = name;
    const Record record = Record(line).from("UserId");
    const std::string_view user = record.value("UserId");
    job.user = user.substr(0, user.find('('));
    job.state_text = record.value("JobState");
    job.state = state_of(job.state_text);
    job.reason = record.value("Reason");
    job.priority = number_or_zero(record.value("Priority"));
    job.dependency = record.value("Dependency");
    job.partition = record.value("Partition");
    job.reservation = record.value("Reservation");
    job.submit = parse_time(record.value("SubmitTime"));
    job.eligible = parse_time(record.value("EligibleTime"));
    job.start = parse_time(record.value("StartTime"));
    job.end = parse_time(record.value("EndTime"));
    job.time_limit = parse_time_limit(record.value("TimeLimit"));
    read_request(record, table, job, notes);
    return job;
}

}  // namespace

std::vector<JobRecord> parse_jobs(std::string_view listing, std::string_view text,
                                  const NodeTable& table, Notes& notes) {
    if (listing.empty()) return parse_jobs_of_scontrol(text, table, notes);
    std::vector<JobRecord> jobs;
    for (const ListedJob& job : listed_jobs(listing, text, notes))
        jobs.push_back(job_of(job.line, job.name, table, notes));
    return jobs;
}

std::vector<JobRecord> parse_jobs_of_scontrol(std::string_view text, const NodeTable& table,
                                              Notes& notes) {
    std::vector<JobRecord> jobs;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.starts_with("JobId="))
            jobs.push_back(job_of(line, Record(line).value("JobName"), table, notes));
        else if (!trim(line).empty() && !line.starts_with("No jobs"))
            notes.add(fmt::format("a line about jobs is not understood: {}", excerpt(line)));
    }
    if (!jobs.empty())
        notes.add(
            "the snapshot has no list of squeue, as those of nvl72block 0.2.0: what the names and "
            "comments of its jobs contain can pass for jobs");
    return jobs;
}

std::string JobRecord::label() const {
    if (array_id != 0)
        return array_tasks.find_first_not_of("0123456789") == std::string::npos
                   ? fmt::format("{}_{}", array_id, array_tasks)
                   : fmt::format("{}_[{}]", array_id, array_tasks);
    if (het_id != 0) return fmt::format("{}+{}", het_id, het_offset);
    return std::to_string(id);
}

std::uint32_t JobRecord::tasks_of_array() const {
    return array_id != 0 ? task_count(array_tasks) : 1;
}

}  // namespace nvl72block::cli
