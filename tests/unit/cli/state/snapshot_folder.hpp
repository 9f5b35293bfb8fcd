// SPDX-License-Identifier: GPL-2.0-or-later
//
// A folder as `nvl72block snapshot` writes it, of lines that scontrol 24.11.5 and 26.05.3 printed,
// with names, numbers and states of the test's own.
#pragma once

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <string>

#include "../command.hpp"
#include "cli/state/job_listing.hpp"
#include "cli/state/record.hpp"

namespace nvl72block::cli {

inline std::string config_text(const std::string& version = "26.05.3",
                               const std::string& private_data = "none",
                               const std::string& topology_param = "(null)") {
    return fmt::format(
        "Configuration data as of 2026-11-22T20:51:21\n"
        "AccountingStorageBackupHost = (null)\n"
        "ClusterName             = eight\n"
        "PrivateData             = {}\n"
        "SLURM_VERSION           = {}\n"
        "TopologyParam           = {}\n"
        "TopologyPlugin          = topology/block\n"
        "\n"
        "Slurmctld(primary) at localhost is UP\n",
        private_data, version, topology_param);
}

/// 26.05.3; `more` comes last, e.g. "Reason=bad NVLink tray [root@2026-11-22T20:51:24]". Of a node
/// with changeable features, `active` may be fewer than `features`.
inline std::string node_line(const std::string& name, const std::string& state,
                             unsigned allocated = 0, const std::string& features = "(null)",
                             const std::string& more = "", const std::string& active = "") {
    return fmt::format(
        "NodeName={0} CoresPerSocket=72  CPUAlloc={2} CPUEfctv=140 CPUTot=144 CPULoad=0.00 "
        "AvailableFeatures={3} ActiveFeatures={5} Gres=gpu:4 NodeAddr={0} NodeHostName={0}  "
        "RealMemory=900000 AllocMem=0 FreeMem=N/A Sockets=2 Boards=1 State={1} ThreadsPerCore=1 "
        "TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A Partitions=main,debug  BootTime=None "
        "SlurmdStartTime=None LastBusyTime=Unknown ResumeAfterTime=None SuspendTime=INFINITE "
        "CfgTRES=cpu=144,mem=900000M,billing=144 AllocTRES= CurrentWatts=0 AveWatts=0{4}\n",
        name, state, allocated, features, more.empty() ? "" : ' ' + more,
        active.empty() ? features : active);
}

/// What the tests vary in a job.
struct JobLine {
    unsigned id = 1;
    std::string identity;  ///< e.g. "ArrayJobId=7 ArrayTaskId=3-4%2 ArrayTaskThrottle=2"
    std::string name = "wrap";
    std::string state = "PENDING";
    std::string reason = "Resources";
    std::string limit = "01:00:00";
    std::string start = "Unknown";
    std::string end = "Unknown";
    std::string partition = "main";
    std::string nodes;
    std::string count = "1-1";
    std::string required = "(null)";
    std::string excluded = "(null)";
    std::string features = "(null)";
    std::string exclusive = "NODE";
    unsigned priority = 1;
    std::string more;  ///< e.g. "SegmentSize=16"
};

/// Job 13.
inline JobLine waiting_job(const std::string& count, const std::string& more,
                           const std::string& name = "train") {
    JobLine job;
    job.id = 13;
    job.name = name;
    job.count = count;
    job.more = more;
    return job;
}

/// 26.05.3. As many tasks as nodes, as of a job that asks for nodes only.
inline std::string job_line(const JobLine& job) {
    const std::string tasks = job.count.substr(0, job.count.find_first_of(",-"));
    return fmt::format(
        "JobId={} {}JobName={} UserId=alice(1000) GroupId=alice(1000) MCS_label=N/A Priority={} "
        "Nice=0 Account=(null) QOS=(null) JobState={} Reason={} Dependency=(null) Requeue=1 "
        "Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0 RunTime=00:00:00 TimeLimit={} TimeMin=N/A "
        "SubmitTime=2026-11-22T20:51:14 EligibleTime=2026-11-22T20:51:14 "
        "AccrueTime=2026-11-22T20:51:14 StartTime={} EndTime={} Deadline=N/A "
        "SuspendTime=None SecsPreSuspend=0 LastSchedEval=2026-11-22T20:51:15 Scheduler=Main "
        "Partition={} AllocNode:Sid=localhost:0 ReqNodeList={} ExcNodeList={} NodeList={} "
        "NumNodes={} NumCPUs={} NumTasks={} CPUs/Task=1 ReqB:S:C:T=0:0:*:* ReqTRES=cpu=1,node=1 "
        "AllocTRES=(null) Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=* MinCPUsNode=1 "
        "MinMemoryNode=0 MinTmpDiskNode=0 Features={} DelayBoot=00:00:00 OverSubscribe=NO "
        "Exclusive={} Contiguous=0 Licenses=(null) LicensesAlloc=(null) Network=(null) "
        "Command=(null) SubmitLine=sbatch --wrap sleep 1000 WorkDir=/home/alice StdErr= "
        "StdIn=/dev/null StdOut=/dev/null {}\n",
        job.id, job.identity.empty() ? "" : job.identity + ' ', job.name, job.priority, job.state,
        job.reason, job.limit, job.start, job.end, job.partition, job.required, job.excluded,
        job.nodes, job.count, tasks, tasks, job.features, job.exclusive, job.more);
}

/// 24.11.5
inline const char* const partitions_24 =
    "PartitionName=main AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL AllocNodes=ALL Default=YES "
    "QoS=N/A DefaultTime=NONE DisableRootJobs=NO ExclusiveUser=NO ExclusiveTopo=NO GraceTime=0 "
    "Hidden=NO MaxNodes=UNLIMITED MaxTime=UNLIMITED MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED "
    "MaxCPUsPerSocket=UNLIMITED NodeSets=ALL Nodes=n[01-16] PriorityJobFactor=1 PriorityTier=1 "
    "RootOnly=NO ReqResv=NO OverSubscribe=NO OverTimeLimit=NONE PreemptMode=OFF State=UP "
    "TotalCPUs=2304 TotalNodes=16 SelectTypeParameters=NONE\n"
    "PartitionName=debug AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL AllocNodes=ALL Default=NO "
    "QoS=N/A DefaultTime=NONE DisableRootJobs=NO ExclusiveUser=NO ExclusiveTopo=NO GraceTime=0 "
    "Hidden=NO MaxNodes=4 MaxTime=01:00:00 MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED "
    "MaxCPUsPerSocket=UNLIMITED Nodes=n[01-04] PriorityJobFactor=1 PriorityTier=2 RootOnly=NO "
    "ReqResv=NO OverSubscribe=EXCLUSIVE OverTimeLimit=NONE PreemptMode=OFF State=UP "
    "TotalCPUs=576 TotalNodes=4 SelectTypeParameters=NONE\n";

/// 26.05.3
inline std::string reservation_line(const std::string& name, const std::string& nodes,
                                    const std::string& start, const std::string& end) {
    return fmt::format(
        "ReservationName={} StartTime={} EndTime={} Duration=01:00:00 Nodes={} NodeCnt=4 "
        "CoreCnt=576 Features=(null) PartitionName=(null) Flags=SPEC_NODES TRES=cpu=576 "
        "AllowedPartitions=(null) QOS=(null) Users=root Groups=(null) Accounts=(null) "
        "Licenses=(null) State=INACTIVE BurstBuffer=(null) MaxStartDelay=(null)\n",
        name, start, end, nodes);
}

/// Four racks of four, joined in twos and fours.
inline const char* const four_racks =
    "BlockName=r1 BlockIndex=0 Nodes=n[01-04] BlockSize=4\n"
    "BlockName=r2 BlockIndex=1 Nodes=n[05-08] BlockSize=4\n"
    "BlockName=r3 BlockIndex=2 Nodes=n[09-12] BlockSize=4\n"
    "BlockName=r4 BlockIndex=3 Nodes=n[13-16] BlockSize=4\n"
    "AggregatedBlock=r[1-2] BlockIndex=4 Nodes=n[01-08] BlockSize=8\n"
    "AggregatedBlock=r[3-4] BlockIndex=6 Nodes=n[09-16] BlockSize=8\n"
    "AggregatedBlock=r[1-4] BlockIndex=5 Nodes=n[01-16] BlockSize=16\n";

/// What squeue prints for the jobs of `lines`, in scontrol's form, when it is asked as
/// listing_words() asks.
inline std::string squeue_output(const std::string& lines, const std::string& separator) {
    const std::map<std::string, std::string> words{{"ArrayTaskId", "ArrayTaskId"},
                                                   {"HetJobId", "HetJobId"},
                                                   {"HetJobOffset", "HetJobOffset"},
                                                   {"PriorityLong", "Priority"},
                                                   {"State", "JobState"},
                                                   {"Reason", "Reason"},
                                                   {"Dependency", "Dependency"},
                                                   {"TimeLimit", "TimeLimit"},
                                                   {"SubmitTime", "SubmitTime"},
                                                   {"EligibleTime", "EligibleTime"},
                                                   {"StartTime", "StartTime"},
                                                   {"EndTime", "EndTime"},
                                                   {"Partition", "Partition"},
                                                   {"ReqNodes", "ReqNodeList"},
                                                   {"ExcNodes", "ExcNodeList"},
                                                   {"NodeList", "NodeList"},
                                                   {"NumCPUs", "NumCPUs"},
                                                   {"NumTasks", "NumTasks"},
                                                   {"MinCPUs", "MinCPUsNode"},
                                                   {"Feature", "Features"},
                                                   {"Reservation", "Reservation"},
                                                   {"OverSubscribe", "OverSubscribe"},
                                                   {"Exclusive", "Exclusive"},
                                                   {"Contiguous", "Contiguous"},
                                                   {"SegmentSize", "SegmentSize"},
                                                   {"tres-per-job", "TresPerJob"},
                                                   {"tres-per-node", "TresPerNode"},
                                                   {"tres-per-task", "TresPerTask"},
                                                   {"tres-per-socket", "TresPerSocket"},
                                                   {"tres-alloc", "TRES"},
                                                   {"cpus-per-task", "CPUs/Task"},
                                                   {"NTPerNode", "NTasksPerNode"}};
    std::string output;
    std::istringstream stream(lines);
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with("JobId=")) continue;
        const Record whole(line);
        const Record record = whole.from("UserId");
        const std::string count(record.value("NumNodes"));
        const std::string user(record.value("UserId"));
        const std::string name(whole.rest("JobName"));
        std::istringstream format(listing_words(separator).back());
        for (std::string field; std::getline(format, field, ',');) {
            field = field.substr(0, field.find(':'));
            if (field == "JobId" || field == "ArrayJobId")
                output += whole.value(whole.find(field) ? field : "JobId");
            else if (field == "Name")
                output += name.substr(0, name.find(" UserId="));
            else if (field == "UserName")
                output += user.substr(0, user.find('('));
            else if (field == "NumNodes")
                output += count.substr(0, count.find_first_of(",-"));
            else if (field == "MaxNodes")
                output += count.substr(count.find_last_of(",-") + 1);
            else if (field == "system_comment")
                output += record.rest("SystemComment");
            else
                output +=
                    whole.value(words.at(field)).empty() ? "N/A" : whole.value(words.at(field));
            output += separator;
        }
        output += '\n';
    }
    return output;
}

/// The state of four racks of four; a test fills in what matters to it.
struct SnapshotText {
    std::string config = config_text();
    std::string nodes;
    std::string jobs = "No jobs in the system\n";
    std::string partitions = partitions_24;
    std::string reservations = "No reservations in the system\n";
    std::string topology = four_racks;

    /// All 16 nodes idle but these, given as letters: '.' idle, '#' allocated, 'x' drained.
    explicit SnapshotText(const std::string& map = "................") {
        for (std::size_t i = 0; i < map.size(); ++i) {
            const std::string name = fmt::format("n{:02}", i + 1);
            if (map[i] == '#')
                nodes += node_line(name, "ALLOCATED+CLOUD+POWERED_DOWN", 144);
            else if (map[i] == 'x')
                nodes += node_line(name, "IDLE+CLOUD+DRAIN+POWERED_DOWN", 0, "(null)",
                                   "Reason=bad NVLink tray [root@2026-11-22T20:51:24]");
            else
                nodes += node_line(name, "IDLE+CLOUD+POWERED_DOWN");
        }
    }

    /// Writes the snapshot and returns the folder's path.
    [[nodiscard]] std::string write(const Folder& folder) const {
        (void)folder.file("snapshot.json", R"({"format": 1, "user": "alice"})");
        (void)folder.file("config.txt", config);
        (void)folder.file("nodes.txt", nodes);
        (void)folder.file("jobs.txt", jobs);
        (void)folder.file("squeue.txt", listing_text("|test|", squeue_output(jobs, "|test|")));
        (void)folder.file("partitions.txt", partitions);
        (void)folder.file("reservations.txt", reservations);
        (void)folder.file("topology.txt", topology);
        return folder.path();
    }
};

}  // namespace nvl72block::cli
