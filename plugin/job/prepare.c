/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Before any question to the engine: jobs that cannot start as they ask are refused, and nodes that
 * are of no use to the job, wherever it lies, are no candidates any more.
 */
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/slurmctld/slurmctld.h"

/* A partition's or QOS's limit can lie below the nodes that the job must have, or the partition's
 * minimum above those that it may have; a forecast asks all the same. A minimum that Slurm raised
 * above the user's maximum, for --ntasks-per-node, is no such case. */
static bool _limit_is_too_low(const topology_eval_t* eval) {
    const job_details_t* details = eval->job_ptr->details;
    uint32_t least = details->min_nodes;

    if (details->max_nodes && (details->max_nodes != NO_VAL))
        least = MIN(least, details->max_nodes);
    if (!details->ntasks_per_node) least = MAX(least, eval->min_nodes);
    return eval->job_ptr->job_id && (eval->max_nodes < least);
}

/* OverSubscribe=FORCE makes even a job with --exclusive one that shares its nodes, but only when it
 * starts: a forecast is offered more CPUs of them. */
static bool _has_to_share(const part_record_t* partition) {
    return partition && (partition->max_share & SHARED_FORCE) &&
           ((partition->max_share & ~SHARED_FORCE) > 1);
}

/*
 * More tasks than the nodes may have by --ntasks-per-node. Where nodes are shared Slurm then finds
 * places for the nodes, but not for the tasks, at each attempt.
 */
static bool _has_too_many_tasks(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    const job_details_t* details = job->details;
    uint64_t most = (uint64_t)eval->max_nodes * details->ntasks_per_node;
    bool plane = (details->task_dist & SLURM_DIST_STATE_BASE) == SLURM_DIST_PLANE;

    return !NVL72_FILLS_TASKS_PER_NODE && details->ntasks_per_node && (details->num_tasks > most) &&
           (job->bit_flags & JOB_NTASKS_SET) && !plane && !details->overcommit &&
           (!nvl72_has_whole_nodes(job) || _has_to_share(job->part_ptr));
}

/*
 * Nodes that are too large for the job, wherever it lies; false when it must have one of them. A
 * whole node with more CPUs than the job may have at all is too much. Nodes without CPUs for the
 * job are no candidates: cons_tres has taken them out, so the others need not be looked at.
 */
static bool _drop_too_large(topology_eval_t* eval) {
    const job_details_t* details = eval->job_ptr->details;
    nvl72block_view nodes = nvl72_view(eval->node_map);

    if (!(details->whole_node & WHOLE_NODE_REQUIRED) || (details->max_cpus == NO_VAL)) return true;
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1)) {
        if (eval->avail_res_array[i]->avail_cpus <= details->max_cpus) continue;
        if (details->req_node_bitmap && bit_test(details->req_node_bitmap, i)) return false;
        bit_clear(eval->node_map, i);
    }
    return true;
}

/*
 * Backfill starts a job that has its blocks for itself only where all nodes of those are in
 * service: in another block it tries again and again, although a complete one may be idle.
 */
static void _drop_incomplete_blocks(const nvl72block_topology* topology, topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    bitstr_t* incomplete;

    if (!IS_JOB_WHOLE_TOPO(job) || !(job->bit_flags & BACKFILL_TEST)) return;
    incomplete = bit_copy(avail_node_bitmap);
    bit_not(incomplete);
    nvl72block_topology_complete(topology, nvl72_words(incomplete), bit_size(incomplete));
    bit_and_not(eval->node_map, incomplete);
    FREE_NULL_BITMAP(incomplete);
}

/* `rc` for `reason`. */
static int _refuse(nvl72block_refusal* why, nvl72block_reason reason, int rc) {
    why->reason = reason;
    return rc;
}

extern int nvl72_prepare(const nvl72block_topology* topology, topology_eval_t* eval,
                         nvl72block_refusal* why) {
    const job_details_t* details = eval->job_ptr->details;
    bool in_parts = nvl72_asks_in_parts(eval->job_ptr);

    *why = (nvl72block_refusal){.allowed_nodes = eval->max_nodes,
                                .tasks = details->num_tasks,
                                .tasks_per_node = details->ntasks_per_node};
    if (!in_parts && _limit_is_too_low(eval))
        return _refuse(why, NVL72BLOCK_NODE_LIMIT_TOO_LOW, SLURM_ERROR);
    if (!in_parts && _has_too_many_tasks(eval))
        return _refuse(why, NVL72BLOCK_TASKS_DO_NOT_FIT, SLURM_ERROR);
    if (!_drop_too_large(eval))
        return _refuse(why, NVL72BLOCK_REQUIRED_TOO_LARGE, NVL72_E_REQUIRED_BUSY);
    _drop_incomplete_blocks(topology, eval);
    if (bit_ffs(eval->node_map) < 0)
        return _refuse(why, NVL72BLOCK_NO_SUITABLE_NODE, NVL72_E_NO_NODES);
    return SLURM_SUCCESS;
}
