/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's own algorithms, which know no blocks: among all candidates of a job that is not placed in
 * blocks, and on the nodes that the engine has chosen.
 */
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/plugins/topology/common/common_topo.h"
#include "src/plugins/topology/common/eval_nodes.h"

static int _run(topology_eval_t* eval, int (*algorithm)(topology_eval_t*)) {
    uint64_t* flags = &eval->job_ptr->bit_flags;
    uint64_t spread = NVL72_CANNOT_SPREAD(eval->job_ptr) ? *flags & SPREAD_JOB : 0;
    int rc;

    eval->eval_nodes = NULL;
    eval->trump_others = false;
    *flags &= ~spread;
    rc = algorithm(eval);
    *flags |= spread;
    return rc;
}

extern int nvl72_leave_to_slurm(topology_eval_t* eval) {
    nvl72block_view nodes = nvl72_view(eval->node_map);

    /* They change what they like of each candidate. */
    for (int i = nvl72_next_node(nodes, 0); nvl72_own_offer && (i >= 0);
         i = nvl72_next_node(nodes, i + 1))
        nvl72_own_offer(eval, i);
    return _run(eval, common_topo_choose_nodes);
}

static int _take_one_node(topology_eval_t* eval) {
    return NVL72_TAKE_ONE_NODE(eval, nvl72_next_node(nvl72_view(eval->node_map), 0));
}

extern bool nvl72_takes_one_node(const topology_eval_t* eval) {
    return NVL72_HAS_ONE_NODE && (eval->max_nodes == 1);
}

extern bool nvl72_take_all_as_slurm(topology_eval_t* eval, uint32_t least) {
    uint32_t min = eval->min_nodes, max = eval->max_nodes, wanted = eval->req_nodes;
    uint32_t all = bit_set_count(eval->node_map);
    uint16_t contiguous = eval->job_ptr->details->contiguous;
    int rc;

    if (!least) return !_run(eval, _take_one_node);
    eval->min_nodes = least;
    eval->max_nodes = all;
    eval->req_nodes = MAX(least, MIN(wanted, all));
    eval->job_ptr->details->contiguous =
        0; /* as with topology/block, which has no order of nodes */
    rc = _run(eval, eval_nodes);
    eval->job_ptr->details->contiguous = contiguous;
    eval->min_nodes = min;
    eval->max_nodes = max;
    eval->req_nodes = wanted;
    return !rc && (bit_set_count(eval->node_map) == (int)all);
}
