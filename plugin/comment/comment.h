/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why a job waits, told to its user, and what an evaluation is for.
 */
#ifndef NVL72_COMMENT_H
#define NVL72_COMMENT_H

#include "job/job.h"
#include "topology/topology.h"

/* ---- What an evaluation is for (purpose.c, backfill_tests.c) ----------------------------------
 */

/* What the nodes offered to a job are. */
typedef enum {
    NVL72_FREE_NOW,
    NVL72_PARTLY_BUSY, /* shared nodes, some of which run jobs: the cores have to be compared */
    NVL72_HYPOTHETICAL,
} nvl72_offer_t;

/* Of the candidates, before the evaluation. */
extern nvl72_offer_t nvl72_judge_offer(const topology_eval_t* eval);
/* Whether all that is offered is free now. Can cost a look at each running job, so it is asked
 * last. */
extern bool nvl72_is_of_now(const topology_eval_t* eval, nvl72_offer_t offer);
/* Whether what is offered to a job of the queue is for no start now, not even one that preempts
 * others: so it is for a test whether the job could ever run. False where that is not known. */
extern bool nvl72_is_no_start(const topology_eval_t* eval);
/* The nodes of jobs that Slurm may end for a start now; NULL: none. The caller frees the bitmap. */
extern bitstr_t* nvl72_nodes_to_preempt(const topology_eval_t* eval);

/* backfill_tests.c: whether this evaluation is the first of backfill's test of a job. */
extern bool nvl72_is_first_backfill_test(void);
/* Whether backfill is under way, and has taken up the job since the main scheduler's last cycle. */
extern bool nvl72_is_tried_by_backfill(const job_record_t* job);
/* Whether backfill leaves times out for want of nodes only. */
extern bool nvl72_waits_for_nodes_only(const job_record_t* job);
/* Nodes of such a job's partition that are free for it, whoever they are kept for. The caller frees
 * the bitmap. */
extern bitstr_t* nvl72_free_nodes(const job_record_t* job);

/* ---- Why a job waits (explain.c): the job's system_comment -------------------------------------
 */

/* Around each evaluation; the caller of Slurm's holds the job write lock where the job has a
 * number. */
extern void nvl72_explain_begin(nvl72_context_t* context, topology_eval_t* eval);
extern void nvl72_explain_end(const topology_eval_t* eval, const nvl72block_topology* topology,
                              int rc);
/* Whether a refusal would become a sentence. */
extern bool nvl72_explain_awaits(const topology_eval_t* eval);
/* Keeps the sentence of a pass that was refused. */
extern void nvl72_explain_refusal(nvl72_case_t* c);
/* The same where nodes were found, but the job waits for fewer base blocks (--switches). */
extern void nvl72_explain_wait(const nvl72_case_t* c);
/* Whether a placement would get a receipt; what that says of the slots of policy demand. */
extern bool nvl72_explain_awaits_start(const topology_eval_t* eval);
extern void nvl72_explain_kept(const char* kept);

/* suggest.c: takes idle nodes as Slurm offers them, before an evaluation has prepared anything. */
extern void nvl72_case_take_offers(nvl72_case_t* c, bitstr_t* nodes);
/* suggest.c: what would start instead of a job that was refused, on its candidates: "; starts with
 * --nodes=32 or --segment=8" in less than `room` bytes, or "". `in_any_block` are what the job
 * could get without --exclusive=topo; NULL: its candidates. */
extern void nvl72_suggest(nvl72_case_t* c, bitstr_t* in_any_block, char* text, size_t room);
/* Whether --exclusive=topo is the job's own option, so that it could leave it out. */
extern bool nvl72_may_share_blocks(const job_record_t* job);
/* Adds "without --exclusive=topo" to a sentence of less than `room` bytes, where the job would then
 * start on the case's candidates, which are free now, in any block. */
extern void nvl72_suggest_blocks_in_use(nvl72_case_t* c, char* sentence, size_t room);

#endif
