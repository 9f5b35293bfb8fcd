// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/state/amounts.hpp"
#include "cli/state/readers.hpp"
#include "text/blanks.hpp"
#include "text/excerpt.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::array states{
    std::pair{"PENDING", JobState::pending},      std::pair{"REQUEUED", JobState::pending},
    std::pair{"REQUEUE_HOLD", JobState::pending}, std::pair{"REQUEUE_FED", JobState::pending},
    std::pair{"SPECIAL_EXIT", JobState::pending}, std::pair{"RESV_DEL_HOLD", JobState::pending},
    std::pair{"EXPEDITING", JobState::pending},   std::pair{"RUNNING", JobState::running},
    std::pair{"CONFIGURING", JobState::running},  std::pair{"RESIZING", JobState::running},
    std::pair{"SIGNALING", JobState::running},    std::pair{"STOPPED", JobState::running},
    std::pair{"SUSPENDED", JobState::suspended},  std::pair{"COMPLETING", JobState::completing},
    std::pair{"STAGE_OUT", JobState::completing}};

JobState state_of(std::string_view word) {
    for (const auto& [name, state] : states)
        if (word == name) return state;
    return JobState::other;  // it has ended
}

void read_identity(const Members& record, JobRecord& job) {
    job.id = record.number<std::uint32_t>("id");
    if (job.id == 0) record.reject("id", "is missing");
    job.array_id = record.number<std::uint32_t>("array_id");
    job.array_tasks = record.text("array_tasks");
    job.het_id = record.number<std::uint32_t>("het_id");
    job.het_offset = record.number<std::uint32_t>("het_offset");
    job.name = record.text("name");
    job.user = record.text("user");
    job.state_text = record.text("state");
    job.state = state_of(job.state_text);
    job.reason = record.text("reason");
    job.priority = record.number<std::uint64_t>("priority");
    job.dependency = record.text("dependency");
    job.partition = record.text("partition");
    job.reservation = record.text("reservation");
}

/// What slurmctld counts for the job: of a waiting one the least that it may get. After the first
/// evaluation of -N36-60, its least and its most are 60, and here is node=36.
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

void read_nodes_of(const Members& record, const NodeTable& table, JobRecord& job, Notes& notes) {
    const std::string owner = fmt::format("job {}", job.label());
    job.nodes = known_nodes(record.text("nodes"), table, owner, notes);
    // Slurm shows this flag in place of the state, also of a job that runs.
    if (job.state_text == "RESV_DEL_HOLD" && !job.nodes.empty()) job.state = JobState::running;
    job.required = known_nodes(record.text("required_nodes"), table, owner, notes);
    job.excluded = known_nodes(record.text("excluded_nodes"), table, owner, notes);
    job.min_nodes = record.number<std::uint32_t>("min_nodes");
    if (job.state != JobState::pending) return;
    job.max_nodes = record.number<std::uint32_t>("max_nodes");
    if (job.max_nodes > 0) job.min_nodes = std::min(job.min_nodes, job.max_nodes);
    if (const std::string counts = record.text("node_counts"); !counts.empty())
        job.not_modelled.push_back("--nodes=" + excerpt(counts));
}

void read_resources(const Members& record, JobRecord& job) {
    job.cpus = record.number<std::uint64_t>("cpus");
    job.tasks = record.number<std::uint32_t>("tasks");
    job.min_cpus_node = record.number<std::uint32_t>("cpus_per_node");
    job.cpus_per_task = std::max(record.number<std::uint32_t>("cpus_per_task"), 1U);
    job.tasks_per_node = record.number<std::uint32_t>("tasks_per_node");
    job.threads_per_core = record.number<std::uint32_t>("threads_per_core");
    job.min_memory_node = record.number<std::uint64_t>("memory_per_node");
    job.memory_per_cpu = record.number<std::uint64_t>("memory_per_cpu");
    job.gpus_per_node = gpus_in(record.text("tres_per_node"));
    job.gpus = gpus_in(record.text("tres_per_job"));
    job.gpu_type = gpu_types_in(record.text("tres_per_node") + "," + record.text("tres_per_job"));
    read_tres(record.text("tres"), job);
}

/// What asks for more of nodes or their parts than is modelled.
void name_not_modelled(const Members& record, JobRecord& job) {
    if (record.text("tres_per_task").find("gres") != std::string::npos)
        job.not_modelled.emplace_back("--gpus-per-task");
    if (!record.text("tres_per_socket").empty()) job.not_modelled.emplace_back("--gpus-per-socket");
    // Slurm writes a partition's DefCpuPerGPU= and DefMemPerGPU= there, too, without "gres"
    // (gres_select_util.c); name_left_out_rules() has these.
    for (const auto& [member, option] :
         {std::pair{"cpus_per_tres", "--cpus-per-gpu"}, {"memory_per_tres", "--mem-per-gpu"}})
        if (record.text(member).starts_with("gres")) job.not_modelled.emplace_back(option);
    // Where --ntasks is given, each task has a CPU without it.
    if (job.state == JobState::pending && record.flag("tasks_asked") && job.tasks > job.cpus)
        job.not_modelled.emplace_back("--overcommit");
    if (record.flag("core_spec")) job.not_modelled.emplace_back("--core-spec");
    if (record.flag("enforces_binding"))
        job.not_modelled.emplace_back("--gres-flags=enforce-binding");
    for (const auto& [member, option] : {std::pair{"tasks_per_socket", "--ntasks-per-socket"},
                                         {"tasks_per_core", "--ntasks-per-core"},
                                         {"sockets_per_node", "--sockets-per-node"},
                                         {"cores_per_socket", "--cores-per-socket"},
                                         {"tasks_per_tres", "--ntasks-per-gpu"},
                                         {"temporary_disk", "--tmp"}})
        if (record.number<std::uint32_t>(member) > 0) job.not_modelled.emplace_back(option);
    const std::string gres =
        other_gres_in(record.text("tres_per_node") + "," + record.text("tres_per_job"));
    if (!gres.empty()) job.not_modelled.push_back("--gres=" + excerpt(gres));
}

/// What the plugin has written; empty for other comments.
std::string_view plugin_comment(std::string_view system_comment) {
    constexpr std::string_view owner = "nvl72block: ";
    if (!system_comment.starts_with(owner)) return {};
    return trim(system_comment.substr(owner.size()));
}

bool is_receipt(std::string_view text) {
    return text.starts_with("started ");
}

/// How a job that had waited started, or why one was refused; empty for what is not of that kind.
std::string_view told(std::string_view system_comment, bool receipt) {
    const std::string_view text = plugin_comment(system_comment);
    const bool sentence = !text.starts_with("not asked ");
    return sentence && is_receipt(text) == receipt ? text : std::string_view{};
}

void read_rules(const Members& record, JobRecord& job) {
    job.features = record.text("features");
    job.licenses = record.text("licenses");
    job.contiguous = record.flag("contiguous");
    job.switches = record.number<std::uint32_t>("switches");
    const std::string exclusive = record.text("exclusive");
    job.exclusive_topo = exclusive == "topo";
    job.exclusive_node = job.exclusive_topo || exclusive == "node";
    job.exclusive_user = exclusive == "user";
    if (exclusive == "mcs") job.not_modelled.emplace_back("--exclusive=mcs");
    const std::string comment = record.text("system_comment");
    const std::optional<std::uint32_t> segment = segment_in_comment(comment);
    job.segment_size = record.find<std::uint32_t>("segment_size").value_or(segment.value_or(0));
    job.told = told(comment, job.state != JobState::pending);
    job.tells_segments = segment || !job.told.empty();
    job.spread_segments = record.flag("spread_segments");
    job.consolidate_segments = record.flag("consolidate_segments");
}

JobRecord job_of(const Members& record, const NodeTable& table, Notes& notes) {
    JobRecord job;
    read_identity(record, job);
    job.eligible = record.time("eligible");
    job.start = record.time("start");
    job.end = record.time("end");
    job.deadline = record.time("deadline");
    job.time_limit = record.duration("time_limit");
    job.time_min = record.duration("time_min");
    read_nodes_of(record, table, job, notes);
    read_resources(record, job);
    name_not_modelled(record, job);
    read_rules(record, job);
    return job;
}

}  // namespace

std::string_view sentence_in_comment(std::string_view system_comment) {
    return told(system_comment, false);
}

std::optional<std::uint32_t> segment_in_comment(std::string_view system_comment) {
    const std::string_view text = plugin_comment(system_comment);
    for (const std::string_view words : {" segments of ", " segment of "})
        if (const std::size_t at = text.find(words); at != std::string_view::npos) {
            const std::string_view number = text.substr(at + words.size());
            return number_of<std::uint32_t>(number.substr(0, number.find_first_of(" ;")));
        }
    return text.empty() || is_receipt(text) ? std::nullopt : std::optional(0U);
}

std::vector<JobRecord> read_jobs(const Document& document, const NodeTable& table, Notes& notes) {
    std::vector<JobRecord> jobs;
    document.root().for_each(
        "jobs", [&](const Members& record) { jobs.push_back(job_of(record, table, notes)); });
    std::ranges::stable_sort(jobs, {}, &JobRecord::id);
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

}  // namespace nvl72block::cli
