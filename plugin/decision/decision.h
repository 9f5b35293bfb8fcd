/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where a job is placed (evaluate.c, passes.c, components.c, counted_features.c, suitable.c,
 * outlast.c, turned_down.c).
 */
#ifndef NVL72_DECISION_H
#define NVL72_DECISION_H

#include "topology/topology.h"

/* What an evaluation came to, beyond its code. */
typedef struct {
    bool failed;       /* by a fault of ours */
    bool unsure;       /* refused, by that or for want of search: the job may fit all the same */
    bool lacks_memory; /* refused, and nodes have memory for some of their sockets only */
    int waits;         /* accepted, but Slurm will not start the job, for the reason of this code */
    char why[512];     /* the refusal in one sentence; "" for none */
} nvl72_verdict_t;

/* Slurm's call: nvl72_answer(), and the job is told why it waits. */
extern int nvl72_evaluate(nvl72_context_t* context, topology_eval_t* eval);
/* Places the job in the topology, which may be NULL. After a refusal of ours the node map
 * has the candidates. */
extern int nvl72_answer(nvl72_context_t* context, nvl72block_topology* topology,
                        topology_eval_t* eval, nvl72_verdict_t* verdict);

/* passes.c: where the job fits best, as far as the engine knows before any layout; NULL: nowhere.
 * The caller frees the bitmap. */
extern bitstr_t* nvl72_fits_best(const nvl72_context_t* context, nvl72block_topology* topology,
                                 topology_eval_t* eval);

/* components.c: nodes to leave to the components after this one of a heterogeneous job; NULL where
 * they have room beside it, or have none anyway. The caller frees the bitmap. */
extern bitstr_t* nvl72_nodes_of_components(const nvl72_context_t* context,
                                           nvl72block_topology* topology, topology_eval_t* eval);
/* Whether backfill has found nodes for a component in an earlier one of its partitions. */
extern bool nvl72_starts_in_another_partition(const topology_eval_t* eval);
/* The component has nodes in its partition. */
extern void nvl72_note_partition(const job_record_t* component);

/* counted_features.c: all nodes of the job, where Slurm asks for those of one counted feature only,
 * and for the others around them later; else 0. */
extern uint32_t nvl72_nodes_around_a_feature(const topology_eval_t* eval);
/* Leaves of the candidates those in blocks with room for `all` nodes, as many of each counted
 * feature as it wants among them; false, and all of them, where there is none. `one_block`: those
 * in the tightest of these blocks with as many candidates as are asked for. */
extern bool nvl72_keep_room_for_others(const nvl72block_topology* topology, topology_eval_t* eval,
                                       uint32_t all, bool one_block);
/* Of the candidates for a counted feature, those that -w names, no more than are asked for; NULL:
 * none. The caller frees the bitmap. */
extern bitstr_t* nvl72_named_of_feature(const topology_eval_t* eval);

/* Whether nodes that Slurm has chosen for counted features are all that is in the job's way: with
 * others, and every node free, a block has room for it. */
extern bool nvl72_fits_around_features(const nvl72block_topology* topology,
                                       const topology_eval_t* eval);

/* outlast.c: what becomes of a refusal that does not hold for good: `refused`, NVL72_E_WAITS, or
 * success for a test whether the job could ever run. The node map has the candidates. */
extern int nvl72_outlast(nvl72_context_t* context, nvl72block_topology* topology,
                         topology_eval_t* eval, const nvl72_verdict_t* verdict, int refused);

/* suitable.c: removes nodes that are of no use to the job even while no other job is there. */
extern void nvl72_leave_suitable(job_record_t* job, bitstr_t* nodes);

/* turned_down.c: whether Slurm found no room for the job where it was placed at an earlier try.
 * Asked once in an evaluation, before the job is placed. */
extern bool nvl72_is_turned_down(const topology_eval_t* eval);
/* Takes these nodes out of the candidates; with `all_in_use`, others in use, too, if such were at
 * fault. */
extern void nvl72_avoid_turned_down(topology_eval_t* eval, bool all_in_use);
/* The node map has what the job is given now. */
extern void nvl72_remember_given(const topology_eval_t* eval);
/* No other nodes fit: these are tried again, if they were idle one kind after the other. */
extern void nvl72_forget_turned_down(const job_record_t* job);
extern void nvl72_forget_all_turned_down(void);

#endif
