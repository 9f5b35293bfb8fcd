// SPDX-License-Identifier: GPL-2.0-or-later
//
// A running cluster as an ordinary user sees it: blocks, nodes, partitions, reservations and jobs,
// from slurmctld's records, live or from a directory that `nvl72block snapshot` saved.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/loaded_cluster.hpp"
#include "cli/state/wall_clock.hpp"
#include "nvl72block/node_set.hpp"
#include "nvl72block/options.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace nvl72block::cli {

class Document;

enum class NodeBase { idle, mixed, allocated, down, error, future, unknown };

/// The words after the first one of a node's State=, as bits of NodeRecord::flags.
enum NodeFlag : std::uint32_t {
    flag_blocked = 1U << 0,  ///< held by a job with --exclusive=topo
    flag_cloud = 1U << 1,
    flag_completing = 1U << 2,
    flag_drain = 1U << 3,
    flag_dynamic = 1U << 4,  ///< DYNAMIC_NORM and DYNAMIC_FUTURE
    flag_external = 1U << 5,
    flag_invalid = 1U << 6,  ///< INVALID_REG
    flag_fail = 1U << 7,
    flag_maint = 1U << 8,  ///< MAINTENANCE
    flag_powered_down = 1U << 9,
    flag_power_down = 1U << 10,  ///< POWER_DOWN: requested
    flag_powering_down = 1U << 11,
    flag_powering_up = 1U << 12,    ///< POWERING_UP and POWER_UP
    flag_reboot_issued = 1U << 13,  ///< the node goes down for it
    flag_reserved = 1U << 14,
    flag_resume = 1U << 15,
    flag_no_respond = 1U << 16,
    flag_planned = 1U << 17,           ///< the backfill scheduler keeps it for a pending job
    flag_reboot_requested = 1U << 18,  ///< when it is idle; jobs may start before
};

struct NodeRecord {
    std::string name;
    NodeBase base = NodeBase::unknown;
    std::uint32_t flags = 0;  ///< NodeFlag
    std::string state;        ///< State= as written
    /// Features, separated by commas; empty for none. Those that a --constraint finds are active;
    /// the available ones, of which a node that is powered down has no active ones, tell its
    /// clique.
    std::string active_features;
    std::string available_features;
    std::string reason;      ///< of a drained or down node; empty for none
    std::uint32_t cpus = 0;  ///< that jobs can have: without those of CoreSpecCount=
    std::uint32_t allocated_cpus = 0;
    std::uint32_t threads_per_core = 0;  ///< 0: not known
    std::uint32_t gpus = 0;
    std::string gpu_types;  ///< separated by commas; empty for none
    std::uint32_t allocated_gpus = 0;
    std::uint64_t memory = 0;  ///< megabytes that jobs can have: without MemSpecLimit=
    std::uint64_t allocated_memory = 0;
    std::uint64_t weight = 1;

    [[nodiscard]] bool has(NodeFlag flag) const { return (flags & flag) != 0; }
};

struct PartitionRecord {
    std::string name;
    NodeSet nodes;
    bool is_default = false;
    bool up = true;                            ///< pending jobs of it start: State= is UP or DRAIN
    bool closed = false;                       ///< no new jobs: State= is DRAIN or INACTIVE
    bool exclusive_node = false;               ///< whole nodes only
    bool exclusive_topo = false;               ///< whole base blocks only
    std::optional<std::int64_t> max_time;      ///< seconds; nullopt: no limit
    std::optional<std::int64_t> default_time;  ///< the same; nullopt: max_time
    std::uint32_t min_nodes = 0;
    std::optional<std::uint32_t> max_nodes;  ///< nullopt: no limit
    std::uint64_t tier = 0;                  ///< PriorityTier=: jobs of a higher one come first
    bool exclusive_user = false;             ///< one user's jobs on a node only
    bool shares_cpus = false;                ///< OverSubscribe=FORCE or YES
    bool preemptible = false;                ///< its jobs may have to go for others
    // Its own limits and defaults, or slurm.conf's; 0: none. Memory in megabytes.
    std::uint64_t max_memory_per_node = 0;
    std::uint64_t max_memory_per_cpu = 0;
    std::uint32_t max_cpus_per_node = 0;
    std::uint32_t max_cpus_per_socket = 0;
    std::uint64_t default_cpus_per_gpu = 0;
    std::uint64_t default_memory_per_gpu = 0;
    std::string topology;  ///< Topology=, from 25.05 on; empty: the default one
    // Whose jobs it takes: lists separated by commas; empty: all.
    std::string allow_groups, allow_accounts, deny_accounts, allow_qos, deny_qos, alloc_nodes;
    bool root_only = false;
    bool needs_reservation = false;  ///< ReqResv=
};

struct ReservationRecord {
    std::string name;
    NodeSet nodes;
    SlurmTime start = 0;
    SlurmTime end = 0;
    bool flex = false;       ///< its jobs may use other nodes and times, too
    bool any_nodes = false;  ///< its jobs may use other nodes, too
    bool magnetic = false;   ///< takes jobs that do not ask for it
    bool partial = false;    ///< of some cores or GPUs of its nodes
    bool maint = false;      ///< its jobs may use nodes of all other reservations
    bool overlap = false;    ///< its jobs may use nodes of those that are not `maint`
};

enum class JobState { pending, running, suspended, completing, other };

/// A job, a task of a job array that has its own record, or a component of a heterogeneous job.
/// Pending tasks of an array share one record.
struct JobRecord {
    std::uint32_t id = 0;          ///< JobId=
    std::uint32_t array_id = 0;    ///< ArrayJobId=; 0: no array
    std::string array_tasks;       ///< ArrayTaskId=, e.g. "3", "1,5-7" or "1-9:2%4"
    std::uint32_t het_id = 0;      ///< HetJobId=; 0: not heterogeneous
    std::uint32_t het_offset = 0;  ///< HetJobOffset=
    std::string name;
    std::string user;  ///< without the uid
    JobState state = JobState::other;
    std::string state_text;  ///< JobState= as written, e.g. "CONFIGURING"
    std::string reason;      ///< Reason= as written
    std::uint64_t priority = 0;
    std::string dependency;   ///< empty for none
    std::string partition;    ///< may be several, separated by commas
    std::string reservation;  ///< the one that it asks for; empty for none
    std::string features;     ///< --constraint; empty for none
    std::string licenses;     ///< --licenses; empty for none
    std::string qos;          ///< --qos of a job that is planned; empty: not given
    std::string account;      ///< --account, likewise
    NodeSet nodes;            ///< allocated
    NodeSet required;         ///< ReqNodeList=
    NodeSet excluded;         ///< ExcNodeList=
    std::uint32_t min_nodes = 1;
    std::uint32_t max_nodes = 0;             ///< 0: not given (a job that asks for tasks)
    std::vector<std::uint32_t> node_counts;  ///< of -N2,4,8 these alone; empty: all of the range
    std::uint64_t cpus = 0;                  ///< NumCPUs=
    std::uint32_t tasks = 0;                 ///< NumTasks=
    std::uint32_t min_cpus_node = 0;
    std::uint32_t cpus_per_task = 1;
    std::uint32_t tasks_per_node = 0;    ///< --ntasks-per-node; 0: not given
    std::uint32_t threads_per_core = 0;  ///< --threads-per-core; 0: not given
    std::uint64_t min_memory_node = 0;   ///< megabytes, as memory_per_cpu; at most one is given
    std::uint64_t memory_per_cpu = 0;
    std::uint32_t gpus_per_node = 0;
    std::uint32_t gpus = 0;       ///< --gpus
    std::string gpu_type;         ///< that its GPUs must have; several as for nodes
    std::uint32_t used_gpus = 0;  ///< of all its nodes, as the memory in megabytes
    std::uint64_t used_memory = 0;
    /// Nodes per segment: SegmentSize= from 25.05 on. Before, only where the sentence that the
    /// plugin writes into SystemComment= has it. 0: none, or not known.
    std::uint32_t segment_size = 0;
    bool tells_segments = false;  ///< SystemComment= has that size, or has none as there is none
    std::string told;  ///< in SystemComment=: a pending job's sentence, a receipt of others
    bool spread_segments = false;
    bool consolidate_segments = false;
    bool exclusive_topo = false;
    bool exclusive_node = false;
    bool exclusive_user = false;
    bool contiguous = false;
    std::uint32_t switches = 0;  ///< --switches; 0: not given
    /// Options whose meaning for the choice of nodes is not modelled, e.g. "--gpus-per-task".
    std::vector<std::string> not_modelled;
    std::optional<SlurmTime> eligible, start, end, deadline;
    std::optional<std::int64_t> time_limit;  ///< seconds; nullopt: none
    std::optional<std::int64_t> time_min;    ///< --time-min; nullopt: not given

    /// "4711", "4711_[3-4%2]", "4711_7" or "4711+1".
    [[nodiscard]] std::string label() const;
    /// Whether it stands for this task of an array.
    [[nodiscard]] bool has_task(std::uint32_t task) const;
    /// How many tasks of an array it stands for; 1 for other jobs.
    [[nodiscard]] std::uint32_t tasks_of_array() const;
};

/// Where the state comes from; nothing given: the running cluster.
struct StateOptions {
    std::string folder;    ///< --state: a directory that `nvl72block snapshot` wrote
    std::string topology;  ///< --topology: blocks from this file instead of the cluster's own
};

/// Declares --state and --topology.
void add_state_options(CLI::App& command, StateOptions& options);

struct ClusterState {
    SlurmTime now = 0;  ///< when the state was read
    std::string cluster_name = {};
    std::string slurm_version = {};
    std::string topology_plugin = {};
    Options options = {};                ///< of TopologyParam=
    LoadedCluster cluster;               ///< node table and blocks
    std::vector<NodeRecord> nodes = {};  ///< by index of cluster.nodes
    std::vector<PartitionRecord> partitions = {};
    std::vector<ReservationRecord> reservations = {};
    std::vector<JobRecord> jobs = {};
    /// Whether SegmentSize= is shown: from 25.05 on.
    bool shows_segments = false;
    /// slurmctld's file of the demand that it has learned; empty: none, or not for this user.
    std::string demand_file = {};
    std::string user = {};                 ///< who asked slurmctld
    std::string preempt_type = {};         ///< PreemptType=; empty: none
    std::string enforce_part_limits = {};  ///< EnforcePartLimits=NO, ANY or ALL; empty: not known

    [[nodiscard]] const Topology& topology() const { return cluster.topology(); }
    /// Whether slurmctld places jobs with this project's plugin.
    [[nodiscard]] bool runs_nvl72block() const {
        return topology_plugin == "topology/nvl72block" && !options.shadow;
    }
    /// nullptr for none of that name.
    [[nodiscard]] const PartitionRecord* find_partition(std::string_view name) const;
    [[nodiscard]] const ReservationRecord* find_reservation(std::string_view name) const;
    /// The one called `name`, or the default one for ""; InputError where there is none.
    [[nodiscard]] const PartitionRecord& partition(const std::string& name) const;
};

/// Slurm numbers nodes as slurm.conf lists them, and takes the lower index first.
enum class NodeOrder { by_name, as_in_slurm };

/// That of the running cluster, or that of a snapshot's directory.
[[nodiscard]] Document state_document(const std::string& folder);

/// The state in `document`, with the blocks of the file `topology` if one is named. Notes and
/// InputError as read_state().
[[nodiscard]] ClusterState state_of(const Document& document, const std::string& topology,
                                    std::ostream& notes, NodeOrder order = NodeOrder::by_name);

/// Reads the state. What is hidden, not understood or left out is said on `notes`; InputError where
/// there is no state to be had.
[[nodiscard]] ClusterState read_state(const StateOptions& options, std::ostream& notes,
                                      NodeOrder order = NodeOrder::by_name);

}  // namespace nvl72block::cli
