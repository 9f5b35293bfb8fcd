// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/input/input_error.hpp"
#include "cli/input/numbers.hpp"
#include "cli/inventory/words.hpp"
#include "cli/plan/sbatch_line.hpp"
#include "cli/question/availability.hpp"
#include "cli/question/partition_rules.hpp"
#include "cli/state/amounts.hpp"
#include "text/excerpt.hpp"
#include "text/seconds.hpp"

namespace nvl72block::cli {
namespace {

/// Options that affect neither the nodes of a job nor its start time.
constexpr std::string_view without_effect =
    "acctg-freq chdir comment container container-id cpu-freq error export export-file "
    "get-user-env "
    "gpu-bind gpu-freq ignore-pbs input job-name kill-on-invalid-dep mail-type mail-user mem-bind "
    "no-kill no-requeue oom-kill-step open-mode output parsable profile propagate quiet requeue "
    "signal stepmgr test-only verbose wait wait-all-nodes wckey wrap";
constexpr std::string_view considered =
    "begin consolidate-segments constraint contiguous cpus-per-task deadline exclude exclusive "
    "gpus "
    "gpus-per-node gres mem mem-per-cpu mincpus nodelist nodes ntasks ntasks-per-node partition "
    "reservation segment spread-segments time time-min";

bool is_in(std::string_view list, std::string_view name) {
    while (!list.empty())
        if (take_word(list) == name) return true;
    return false;
}

class Builder {
  public:
    Builder(const ClusterState& state, const SbatchLine& line) : state_(state), line_(line) {
        job_.state = JobState::pending;
        job_.user = state.user;
    }

    JobRecord build() {
        choose_partition();
        choose_times();
        choose_lists();
        choose_counts();
        choose_capacity();
        choose_blocks();
        name_the_rest();
        return std::move(job_);
    }

  private:
    [[nodiscard]] std::uint32_t count(const std::string& name, std::uint32_t otherwise) const {
        return line_.has(name) ? parse_count("--" + name, line_.value(name), 1) : otherwise;
    }

    void choose_partition() {
        job_.partition = line_.value("partition");
        if (job_.partition.empty()) job_.partition = state_.partition("").name;
        job_.reservation = line_.value("reservation");
        job_.features = line_.value("constraint");
        job_.qos = line_.value("qos");
        job_.account = line_.value("account");
    }

    void choose_times() {
        job_.eligible = moment("begin");
        job_.deadline = moment("deadline");
        job_.time_limit = asked_duration(line_.value("time"));
        job_.time_min = asked_duration(line_.value("time-min"), "--time-min");
        const PartitionRecord* partition = partition_of(state_, job_);
        const bool limited = job_.time_limit || (partition && partition->default_time);
        // So does slurmctld: any minute will do.
        if (job_.deadline && !limited && !job_.time_min) job_.time_min = minute;
        if (job_.time_min && job_.time_limit && *job_.time_min > *job_.time_limit)
            throw InputError("--time-min", "is longer than --time", "sbatch takes none longer");
    }

    [[nodiscard]] std::optional<SlurmTime> moment(const std::string& name) {
        const auto found = parse_moment(line_.value(name), state_.now);
        if (line_.has(name) && !found) leave_out(name);
        return found;
    }

    /// An option that may matter and is not considered.
    void leave_out(const std::string& name) {
        const std::string value = line_.value(name);
        job_.not_modelled.push_back(
            fmt::format("--{}{}{}", name, value.empty() ? "" : "=", excerpt(value)));
    }

    void choose_lists() {
        const NodeTable& table = state_.cluster.nodes;
        job_.required = table.parse("--nodelist", line_.value("nodelist"));
        job_.excluded = table.parse("--exclude", line_.value("exclude"));
    }

    /// Without --nodes, as many as the list names at least, and as hold the tasks and GPUs.
    void choose_counts() {
        job_.tasks_per_node = count("ntasks-per-node", 0);
        job_.tasks = count("ntasks", 0);
        const bool open = job_.tasks > 1 || line_.has("gpus");
        CountRange range{1, open ? 0U : 1U};
        if (line_.has("nodes")) {
            NodeCounts counts = parse_node_counts("--nodes", line_.value("nodes"));
            range = counts.range;
            job_.node_counts = std::move(counts.listed);
        } else if (!job_.required.empty()) {
            range.least = static_cast<std::uint32_t>(job_.required.count());
            range.most = open ? 0U : range.least;
        } else if (job_.tasks > 0 && job_.tasks_per_node > 0) {
            range.least = range.most = (job_.tasks - 1) / job_.tasks_per_node + 1;
        }
        if (job_.tasks == 0)
            job_.tasks = range.least * std::max(job_.tasks_per_node, 1U);
        else if (line_.has("nodes"))  // sbatch asks for no more nodes than tasks
            range = {std::min(range.least, job_.tasks), std::min(range.most, job_.tasks)};
        choose_listed(range.most);
        job_.min_nodes = range.least;
        job_.max_nodes = range.most;
    }

    /// Of a list, no counts of more nodes than tasks.
    void choose_listed(std::uint32_t most) {
        if (job_.node_counts.empty()) return;
        std::erase_if(job_.node_counts, [&](std::uint32_t count) { return count > most; });
        if (job_.node_counts.empty()) leave_out("nodes");
    }

    void choose_capacity() {
        job_.cpus_per_task = count("cpus-per-task", 1);
        job_.cpus = line_.has("overcommit") ? std::uint64_t{std::max(job_.min_nodes, 1U)}
                                            : std::uint64_t{job_.tasks} * job_.cpus_per_task;
        job_.min_cpus_node = count("mincpus", 1);
        job_.min_memory_node = memory("mem");
        job_.memory_per_cpu = memory("mem-per-cpu");
        job_.gpus = gpus("gpus");
        job_.gpus_per_node = gpus("gpus-per-node");
        const std::string gres = line_.value("gres");
        job_.gpus_per_node = std::max(job_.gpus_per_node, gpus_in(gres));
        job_.gpu_type = gpu_types_in(gres);
        for (const char* name : {"gpus", "gpus-per-node"})
            if (const std::string typed = gpu_types_in("gpu:" + line_.value(name)); !typed.empty())
                job_.gpu_type = typed;
        if (!gres.empty() && (gpus_in(gres) == 0 || gres.find(',') != std::string::npos))
            leave_out("gres");
    }

    [[nodiscard]] std::uint64_t memory(const std::string& name) {
        const std::uint64_t amount = megabytes(line_.value(name));
        if (line_.has(name) && amount == 0) leave_out(name);
        return amount;
    }

    /// "4" or "gb200:4".
    [[nodiscard]] std::uint32_t gpus(const std::string& name) const {
        const std::string value = line_.value(name);
        if (!line_.has(name)) return 0;
        return parse_count("--" + name, std::string_view(value).substr(value.rfind(':') + 1), 1);
    }

    void choose_blocks() {
        job_.segment_size = count("segment", 0);
        job_.spread_segments = line_.has("spread-segments");
        job_.consolidate_segments = line_.has("consolidate-segments");
        job_.contiguous = line_.has("contiguous");
        if (!line_.has("exclusive")) return;
        const std::string with = line_.value("exclusive");
        job_.exclusive_topo = with == "topo";
        job_.exclusive_user = with == "user";
        job_.exclusive_node = with.empty() || with == "topo";
        if (with == "mcs") leave_out("exclusive");
        if (!with.empty() && with != "topo" && with != "user" && with != "mcs")
            throw InputError("--exclusive", fmt::format("{} is not understood", excerpt(with)),
                             "write --exclusive, --exclusive=user, =mcs or =topo");
    }

    void name_the_rest() {
        for (const auto& [name, value] : line_.options)
            if (!is_in(without_effect, name) && !is_in(considered, name)) leave_out(name);
        const PartitionRecord* partition = partition_of(state_, job_);
        if (partition != nullptr && !has_whole_nodes(job_, *partition) && !line_.has("mem") &&
            !line_.has("mem-per-cpu"))
            job_.not_modelled.emplace_back("the memory of a job without --mem");
    }

    const ClusterState& state_;
    const SbatchLine& line_;
    JobRecord job_;
};

}  // namespace

JobRecord sbatch_job(const ClusterState& state, const SbatchLine& line) {
    return Builder(state, line).build();
}

}  // namespace nvl72block::cli
