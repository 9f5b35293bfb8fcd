// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <utility>

#include "cli/why/why_report.hpp"

namespace nvl72block::cli {
namespace {

/// Beginnings of reasons; the first that matches counts.
constexpr std::array<std::pair<std::string_view, const char*>, 41> reasons{{
    {"None", "the scheduler has not evaluated it yet"},
    {"Priority", "jobs of higher priority wait for the same nodes"},
    {"Resources", "it is first in line, and the nodes that it needs are not free"},
    {"Dependency", "it waits for other jobs (--dependency)"},
    {"DependencyNeverSatisfied", "the jobs that it depends on can no longer end as it wants"},
    {"BeginTime", "its --begin time has not come"},
    {"JobHeldUser", "its owner holds it (scontrol release JOBID)"},
    {"JobHeldAdmin", "an administrator holds it"},
    {"JobArrayTaskLimit", "as many tasks of its array run as the array allows (--array=...%N)"},
    {"PartitionNodeLimit",
     "it asks for more or fewer nodes than the partition allows, or than it has"},
    {"PartitionTimeLimit", "its time limit is longer than the partition allows"},
    {"PartitionDown", "the partition is down"},
    {"PartitionInactive", "the partition is inactive"},
    {"PartitionConfig", "it does not meet the partition's conditions"},
    {"ReqNodeNotAvail", "a node that it needs is reserved, out of service or does not answer"},
    {"ReservationDeleted", "the reservation that it asks for does not exist any more"},
    {"ReservationInvalid", "the reservation that it asks for is not valid any more"},
    {"Reservation", "the reservation that it asks for has not begun or is full"},
    {"NodeDown", "a node that it requires is down"},
    {"BadConstraints", "no nodes can ever meet its request"},
    {"Licenses",
     "the licences that it needs are in use; without --licenses, it waits as its comment says"},
    {"Cleaning", "its previous run has not ended completely"},
    {"QOSNotAllowed", "the partition or the account does not allow its QOS"},
    {"QOS", "a limit of its QOS is reached"},
    {"AssociationJobLimit", "a limit of its account or user is reached"},
    {"Assoc", "a limit of its account or user is reached"},
    {"MaxMem", "it asks for more memory than is allowed"},
    {"InvalidQOS", "its QOS does not exist any more"},
    {"InvalidAccount", "its account does not exist any more"},
    {"BurstBuffer", "it waits for its burst buffer"},
    {"Prolog", "the prolog on its nodes has not ended"},
    {"DeadLine", "it could not end before its deadline"},
    {"launch_failed", "its start failed, and it is held (scontrol release JOBID)"},
    {"JobHoldMaxRequeue", "it was requeued too often, and is held"},
    {"Nodes_required_for_job_are_DOWN",
     "it asks for more nodes than are in service and not kept for higher partitions"},
    {"No_suitable_topology_unit_found_for_segment", "its segments do not fit into the blocks now"},
    {"No_suitable_topology_unit_found", "no block has room for it now"},
    {"Insufficient_resources_in_topology_unit",
     "the nodes that are left in the blocks have too few CPUs or GPUs for it"},
    {"Required_nodes_lack_available", "nodes that it requires by name are not free"},
    {"Required_nodes_do_not_fit",
     "the nodes that it requires by name do not lie in blocks as it needs them"},
    {"No_available_nodes_in_topology", "no node of the blocks can take it now"},
}};

/// Of "ReqNodeNotAvail,_May_be_reserved_for_other_job" and "Reservation_NAME_was_deleted".
std::string_view word_of(std::string_view reason) {
    if (reason.starts_with("Reservation_") && reason.ends_with("_was_deleted"))
        return "ReservationDeleted";
    if (reason.starts_with("Reservation_") && reason.ends_with("_is_invalid"))
        return "ReservationInvalid";
    return reason.substr(0, reason.find(','));
}

}  // namespace

std::string explain_reason(std::string_view reason) {
    const std::string_view word = word_of(reason);
    for (const auto& [name, words] : reasons)
        if (word == name) return words;
    for (const auto& [name, words] : reasons)
        if (word.starts_with(name)) return words;
    return "see JOB REASON CODES in squeue(1)";
}

}  // namespace nvl72block::cli
