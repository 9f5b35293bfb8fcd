/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where a job is placed (evaluate.c).
 */
#ifndef NVL72_DECISION_H
#define NVL72_DECISION_H

#include "topology/topology.h"

/* What an evaluation came to, beyond its code. */
typedef struct {
    bool failed;   /* by a fault of ours */
    int waits;     /* accepted, but Slurm will not start the job, for the reason of this code */
    char why[512]; /* the refusal in one sentence; "" for none */
} nvl72_verdict_t;

/* Slurm's call: nvl72_answer(), and the job is told why it waits. */
extern int nvl72_evaluate(nvl72_context_t* context, topology_eval_t* eval);
/* Places the job in the topology, which may be NULL. */
extern int nvl72_answer(nvl72_context_t* context, nvl72block_topology* topology,
                        topology_eval_t* eval, nvl72_verdict_t* verdict);

#endif
