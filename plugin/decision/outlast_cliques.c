/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cliques change while slurmctld runs; after its start, nodes may name theirs one by one. A job
 * that fits on no free nodes Slurm turns away at submission, or holds it for good (BadConstraints,
 * priority 0). So where only the cliques of the moment are in its way, it waits.
 */
#include "comment/comment.h"
#include "decision/decision.h"
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/log.h"

static bool _has_the_wrong_cliques(nvl72_context_t* context, nvl72block_topology* topology,
                                   topology_eval_t* eval) {
    bitstr_t* nodes = nvl72_ever_usable(eval);
    nvl72_case_t c;
    bool waits;

    nvl72_case_open(&c, topology, context->options, eval);
    waits = nvl72block_waits_for_cliques(topology, &c.request, nvl72_view(nodes));
    nvl72_case_close(&c);
    FREE_NULL_BITMAP(nodes);
    return waits;
}

extern int nvl72_outlast_cliques(nvl72_context_t* context, nvl72block_topology* topology,
                                 topology_eval_t* eval, bitstr_t* candidates, int refused) {
    if (!nvl72_is_for_a_start(eval->job_ptr)) return refused;
    bit_copybits(eval->node_map, candidates);
    if (!_has_the_wrong_cliques(context, topology, eval)) return refused;
    log_flag(SELECT_TYPE, "%pJ waits for other cliques", eval->job_ptr);
    return nvl72_is_no_start(eval) ? nvl72_leave_to_slurm(eval) : NVL72_E_WAITS;
}
