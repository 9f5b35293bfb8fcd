/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Our answer to a question that Slurm's own plugin is about to answer: on copies, and looked at
 * before it counts.
 */
#include "decision/decision.h"
#include "shadow/shadow.h"
#include "slurm/clock.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"

/* What would be no answer to the question; NULL for none. */
static const char* _find_wrong(const nvl72_question_t* question, const topology_eval_t* eval) {
    bitstr_t* required = eval->job_ptr->details->req_node_bitmap;
    uint32_t count = nvl72_count_nodes(nvl72_view(eval->node_map));

    if (!bit_super_set(eval->node_map, question->candidates))
        return "nodes that were not offered to the job";
    if (required && !bit_super_set(required, eval->node_map))
        return "not all nodes that the job requires";
    if (count < MIN(question->min_nodes, question->max_nodes))
        return "fewer nodes than the job needs";
    if (count > MAX(question->min_nodes, question->max_nodes))
        return "more nodes than the job may have";
    return NULL;
}

static void _fault(nvl72_shadow_t* shadow, nvl72_ours_t* ours, const char* kind, const char* what) {
    ours->failed = true;
    nvl72_shadow_fault(shadow, kind, what);
}

/* Wall clocks stand still for nobody: a machine that is busy is no fault of ours. */
static void _check(nvl72_shadow_t* shadow, const nvl72_question_t* question,
                   const topology_eval_t* answered, nvl72_ours_t* ours,
                   const nvl72_verdict_t* verdict, uint64_t cpu_time) {
    const char* wrong = ours->given.rc ? NULL : _find_wrong(question, answered);
    char what[200];

    if (verdict->failed) {
        _fault(shadow, ours, "engine", verdict->why);
    } else if (wrong) {
        snprintf(what, sizeof(what), "job %u was given %s", question->job_id, wrong);
        _fault(shadow, ours, "answer", what);
    } else if (cpu_time > NVL72_SHADOW_LIMIT * 1000000ULL) {
        snprintf(what, sizeof(what), "job %u took %" PRIu64 " ms, more than %d", question->job_id,
                 cpu_time / 1000000, NVL72_SHADOW_LIMIT);
        _fault(shadow, ours, "budget", what);
    }
}

static void _ask(nvl72_shadow_t* shadow, const topology_eval_t* eval,
                 const nvl72_question_t* question, nvl72_ours_t* ours) {
    uint64_t started = nvl72_nanoseconds(CLOCK_MONOTONIC),
             cpu_time = nvl72_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    topology_eval_t* copy = nvl72_copies_make(eval);
    nvl72block_topology* topology;
    nvl72_verdict_t verdict;

    *ours = (nvl72_ours_t){0};
    /* Backfill's test of nodes that are free now is compared as the start that follows it. */
    copy->job_ptr->bit_flags &= ~BACKFILL_TEST;
    copy->job_ptr->wait4switch_start = nvl72_ledger_switch_since(question->job_id);
    nvl72_cliques_refresh(shadow->context);
    topology = nvl72_context_topology(shadow->context);
    ours->given.rc = nvl72_answer(shadow->context, topology, copy, &verdict);
    nvl72block_topology_release(topology);
    ours->switch_since = copy->job_ptr->wait4switch_start;
    ours->waits = !ours->given.rc && !copy->job_ptr->best_switch;
    snprintf(ours->why, sizeof(ours->why), "%s", verdict.why);
    _check(shadow, question, copy, ours, &verdict,
           nvl72_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - cpu_time);
    if (!ours->given.rc && !ours->failed) ours->given.nodes = bit_copy(copy->node_map);
    nvl72_copies_free();
    ours->given.nanoseconds = nvl72_nanoseconds(CLOCK_MONOTONIC) - started;
}

extern void nvl72_beside_ask(nvl72_shadow_t* shadow, const topology_eval_t* eval,
                             const nvl72_question_t* question, nvl72_ours_t* ours) {
    uint64_t before = NVL72_SHADOW_WATCH ? nvl72_fingerprint(eval) : 0;
    char what[100];

    _ask(shadow, eval, question, ours);
    if (!NVL72_SHADOW_WATCH || (nvl72_fingerprint(eval) == before)) return;
    snprintf(what, sizeof(what), "what topology/block is asked about job %u has changed",
             question->job_id);
    _fault(shadow, ours, "copies", what);
}
