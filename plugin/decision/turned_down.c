/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes that Slurm turned down. After the plugin, Slurm lays a job out on the nodes that it was
 * given, and may find no room there for a reason that no offer shows (memory of a socket, threads
 * of a core). It says nothing, and the job waits; with the same answer at each try it would wait
 * for ever where other nodes would do. So a job that was given free nodes at one try of the
 * main scheduler, and is there again at the next, is given others if there are any: first any
 * others, then such of another kind.
 *
 * Every caller that evaluates a job with a number holds Slurm's job write lock, which guards the
 * static variables.
 */
#include "comment/comment.h"
#include "decision/decision.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"

#define NVL72_REMEMBERED 8 /* jobs; of each partition, the main scheduler tries one in vain */

/* slurmctld has it; the commands that load the plugin do not, and never come here. */
extern diag_stats_t slurmctld_diag_stats __attribute__((weak));

typedef struct {
    uint32_t job, task, runs; /* of the array; how often it was requeued */
    const part_record_t* partition;
    int64_t size;          /* of the bitmaps */
    bitstr_t* given;       /* at the last try; NULL: none */
    bitstr_t* turned_down; /* NULL: none */
} nvl72_given_t;

static nvl72_given_t remembered[NVL72_REMEMBERED];
static uint32_t next_place;
static bool is_try; /* the evaluation under way is one of the main scheduler */

static void _forget(nvl72_given_t* entry) {
    FREE_NULL_BITMAP(entry->given);
    FREE_NULL_BITMAP(entry->turned_down);
    *entry = (nvl72_given_t){0};
}

static nvl72_given_t* _find(const job_record_t* job) {
    for (uint32_t i = 0; i < NVL72_REMEMBERED; i++) {
        nvl72_given_t* entry = &remembered[i];

        if ((entry->job == job->job_id) && (entry->task == job->array_task_id) &&
            (entry->runs == job->restart_cnt) && (entry->partition == job->part_ptr))
            return entry;
    }
    return NULL;
}

/* The main scheduler counts the jobs that it tries; a test at submission, a forecast and backfill
 * do not. */
static bool _is_new_try(void) {
    static uint32_t tried;
    bool is_new = slurmctld_diag_stats.schedule_cycle_depth != tried;

    tried = slurmctld_diag_stats.schedule_cycle_depth;
    return is_new;
}

/* A limit of an account, for instance, is no reason for other nodes. */
static bool _waits_for_nodes(const job_record_t* job) {
    return (job->state_reason == WAIT_NO_REASON) || (job->state_reason == WAIT_RESOURCES) ||
           (job->state_reason == WAIT_PRIORITY);
}

/* All nodes of the configuration records that the given ones have. */
static void _add_their_kind(bitstr_t* turned_down, bitstr_t* given) {
    nvl72block_view nodes = nvl72_view(given);

    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        if (!bit_test(turned_down, i))
            bit_or(turned_down, node_record_table_ptr[i]->config_ptr->node_bitmap);
}

static void _turn_down(nvl72_given_t* entry) {
    if (entry->turned_down)
        _add_their_kind(entry->turned_down, entry->given);
    else
        entry->turned_down = bit_copy(entry->given);
    bit_or(entry->turned_down, entry->given);
    FREE_NULL_BITMAP(entry->given);
    log_flag(SELECT_TYPE, "JobId=%u is tried on others than %d nodes: it did not start there",
             entry->job, bit_set_count(entry->turned_down));
}

/* Those of the job, or NULL. */
static bitstr_t* _turned_down_for(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    nvl72_given_t* entry = _find(job);

    if (!entry || (nvl72_judge_offer(eval) == NVL72_HYPOTHETICAL)) return NULL;
    if (!_waits_for_nodes(job) || (entry->size != bit_size(eval->node_map)))
        _forget(entry);
    else if (is_try && entry->given)
        _turn_down(entry);
    return entry->turned_down;
}

extern bitstr_t* nvl72_take_out_turned_down(topology_eval_t* eval) {
    bitstr_t *nodes, *candidates, *required = eval->job_ptr->details->req_node_bitmap;

    if (!nvl72_is_for_a_start(eval->job_ptr)) return NULL;
    is_try = _is_new_try();
    nodes = _turned_down_for(eval);
    if (!nodes || (required && bit_overlap_any(required, nodes))) return NULL;
    candidates = bit_copy(eval->node_map);
    bit_and_not(eval->node_map, nodes);
    return candidates;
}

extern void nvl72_forget_turned_down(const job_record_t* job) {
    nvl72_given_t* entry = _find(job);

    if (entry) _forget(entry);
}

extern void nvl72_remember_given(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    nvl72_given_t* entry;

    if (!is_try || !nvl72_is_for_a_start(job) || !nvl72_is_of_now(eval, nvl72_judge_offer(eval)))
        return;
    entry = _find(job);
    if (!entry) {
        entry = &remembered[next_place++ % NVL72_REMEMBERED];
        _forget(entry);
        *entry = (nvl72_given_t){.job = job->job_id,
                                 .task = job->array_task_id,
                                 .runs = job->restart_cnt,
                                 .partition = job->part_ptr,
                                 .size = bit_size(eval->node_map)};
    }
    FREE_NULL_BITMAP(entry->given);
    entry->given = bit_copy(eval->node_map);
}

extern void nvl72_forget_all_turned_down(void) {
    for (uint32_t i = 0; i < NVL72_REMEMBERED; i++) _forget(&remembered[i]);
}
