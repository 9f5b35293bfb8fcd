// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/left_out.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "cli/question/node_use.hpp"
#include "cli/question/partition_rules.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

class Namer {
  public:
    Namer(const ClusterState& state, JobQuestion& question)
        : state_(state),
          question_(question),
          job_(*question.job),
          partition_(*question.viewer.partition) {}

    void run() {
        name_options();
        name_memory_limits();
        name_cpu_limits();
        name_defaults_per_gpu();
        name_reservations();
        name_preemption();
    }

  private:
    void leave_out(std::string what) { question_.not_considered.push_back(std::move(what)); }
    /// A limit or default of the partition, by its name in slurm.conf.
    void leave_out(std::string_view name, std::uint64_t value) {
        leave_out(fmt::format("{}={} of partition {}", name, value, partition_.name));
    }

    /// Whether one of the nodes that it could use is so.
    template <typename Test>
    [[nodiscard]] bool any_node(const Test& test) const {
        bool found = false;
        question_.suitable.for_each([&](NodeIndex node) { found |= test(state_.nodes[node]); });
        return found;
    }
    [[nodiscard]] bool meets(const NodeSet& nodes) const {
        return count_of_both(nodes, question_.suitable) > 0;
    }

    /// CPUs that it asks of a node, evenly spread.
    [[nodiscard]] std::uint64_t cpus_asked() const {
        const std::uint64_t nodes = std::max(job_.min_nodes, 1U);
        return std::max<std::uint64_t>(
            {job_.min_cpus_node,
             std::uint64_t{job_.cpus_per_task} * std::max(job_.tasks_per_node, 1U),
             (job_.cpus + nodes - 1) / nodes});
    }

    void name_options() {
        for (const std::string& option : job_.not_modelled) leave_out(option);
        if (job_.threads_per_core > 0 && any_node([&](const NodeRecord& node) {
                return node.threads_per_core != job_.threads_per_core;
            }))
            leave_out("--threads-per-core");
        if (job_.switches > 0 && state_.runs_nvl72block()) leave_out("--switches");
        if (job_.het_id != 0 &&
            std::ranges::count(state_.jobs, job_.het_id, &JobRecord::het_id) > 1)
            leave_out("the other components of its heterogeneous job");
        if (partition_.shares_cpus)
            leave_out(fmt::format("CPUs that jobs share in partition {} (OverSubscribe)",
                                  partition_.name));
    }

    /// --mem above MaxMemPerNode is refused, see partition_rules.hpp. Of a job in the queue
    /// slurmctld has raised the CPUs already, as MaxMemPerCPU makes it.
    void name_memory_limits() {
        const std::uint64_t of_node = partition_.max_memory_per_node;
        if (of_node > 0 && job_.min_memory_node == 0 &&
            any_node([&](const NodeRecord& node) { return memory_of(node) > of_node; }))
            leave_out("MaxMemPerNode", of_node);
        const std::uint64_t of_cpu = partition_.max_memory_per_cpu;
        if (of_cpu > 0 && job_.id == 0 &&
            (job_.memory_per_cpu > of_cpu ||
             (job_.min_memory_node > 0 && (job_.min_memory_node - 1) / of_cpu >= cpus_asked())))
            leave_out("MaxMemPerCPU", of_cpu);
    }
    /// What a job without --mem gets of the node.
    [[nodiscard]] std::uint64_t memory_of(const NodeRecord& node) const {
        if (job_.memory_per_cpu == 0) return node.memory;
        const std::uint64_t cpus = question_.shares() ? cpus_asked() : node.cpus;
        return cpus > node.memory / job_.memory_per_cpu ? node.memory : cpus * job_.memory_per_cpu;
    }

    /// Whole nodes with more CPUs than MaxCPUsPerNode do not count as suitable, which needs a word.
    void name_cpu_limits() {
        const std::uint32_t of_node = partition_.max_cpus_per_node;
        std::uint64_t larger = 0;
        partition_.nodes.for_each(
            [&](NodeIndex node) { larger += state_.nodes[node].cpus > of_node ? 1 : 0; });
        if (of_node > 0 && larger > 0 && !question_.shares())
            question_.remarks.push_back(fmt::format(
                "MaxCPUsPerNode={} of partition {}: no job gets the whole of {} with more CPUs",
                of_node, partition_.name, plural(larger, "node")));
        const auto can_bind = [&](std::uint32_t limit) {
            return limit > 0 && any_node([&](const NodeRecord& node) { return node.cpus > limit; });
        };
        if (can_bind(of_node)) leave_out("MaxCPUsPerNode", of_node);
        const std::uint32_t of_socket = partition_.max_cpus_per_socket;
        if (can_bind(of_socket) && (question_.shares() || cpus_asked() > of_socket))
            leave_out("MaxCPUsPerSocket", of_socket);
    }

    /// A job of whole nodes has them where the node has so much for all of its GPUs.
    void name_defaults_per_gpu() {
        if (job_.gpus == 0 && job_.gpus_per_node == 0) return;
        const auto can_matter = [&](std::uint64_t of_gpu, const auto& member) {
            return of_gpu > 0 && any_node([&](const NodeRecord& node) {
                       const std::uint64_t gpus = job_.gpus > 0 ? node.gpus : job_.gpus_per_node;
                       return question_.shares() || (gpus > 0 && node.*member / gpus < of_gpu);
                   });
        };
        if (can_matter(partition_.default_cpus_per_gpu, &NodeRecord::cpus))
            leave_out("DefCpuPerGPU", partition_.default_cpus_per_gpu);
        if (can_matter(partition_.default_memory_per_gpu, &NodeRecord::memory))
            leave_out("DefMemPerGPU", partition_.default_memory_per_gpu);
    }

    void name_reservations() {
        const std::string& name = question_.viewer.reservation;
        const ReservationRecord* own = state_.find_reservation(name);
        if (own != nullptr && own->partial && !own->flex)
            leave_out(fmt::format("that reservation {} has a part of its nodes only", name));
        if (!name.empty()) return;
        for (const ReservationRecord& each : state_.reservations) {
            if (each.end <= state_.now || !meets(each.nodes)) continue;
            if (each.partial && question_.shares())
                question_.not_counted.push_back(fmt::format(
                    "what reservation {} leaves of its nodes to other jobs", each.name));
            if (each.magnetic)
                question_.not_counted.push_back(fmt::format(
                    "the nodes of reservation {}, if it takes the job (MAGNETIC)", each.name));
        }
    }

    void name_preemption() {
        const auto jobs = std::ranges::count_if(
            state_.jobs, [&](const JobRecord& job) { return may_go_for_it(job); });
        if (jobs > 0)
            question_.not_counted.push_back(
                fmt::format("the nodes of {} that may be preempted for it (PreemptType={})",
                            plural(static_cast<std::uint64_t>(jobs), "job"), state_.preempt_type));
    }
    /// With preempt/qos, the QOS of the jobs decide, which are not known.
    [[nodiscard]] bool may_go_for_it(const JobRecord& job) const {
        const PartitionRecord* its = holds_nodes(job) ? partition_of(state_, job) : nullptr;
        return its != nullptr && its->preemptible && meets(job.nodes) &&
               (state_.preempt_type == "preempt/qos" || its->tier < partition_.tier);
    }

    const ClusterState& state_;
    JobQuestion& question_;
    const JobRecord& job_;
    const PartitionRecord& partition_;
};

}  // namespace

void name_left_out_rules(const ClusterState& state, JobQuestion& question) {
    Namer(state, question).run();
}

std::string of_another_plugin(const ClusterState& state) {
    if (state.runs_nvl72block()) return "";
    return fmt::format(
        "{} decides, and may choose other nodes or none; what is calculated here follows the rules "
        "of nvl72block",
        state.options.shadow ? "topology/block (Nvl72Shadow=on)"
                             : "TopologyPlugin=" + state.topology_plugin);
}

std::string too_hopeful(const JobQuestion& question) {
    if (question.not_considered.empty()) return "";
    return fmt::format("not considered: {}; the answer may be too hopeful",
                       fmt::join(question.not_considered, ", "));
}

std::string too_pessimistic(const JobQuestion& question) {
    if (question.not_counted.empty()) return "";
    return fmt::format("not counted: {}; the answer may be too pessimistic",
                       fmt::join(question.not_counted, ", "));
}

}  // namespace nvl72block::cli
