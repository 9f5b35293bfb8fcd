/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes that Slurm turned down. After the plugin, Slurm lays a job out on the nodes that it was
 * given, and may find no room there for a reason that no offer shows (memory of a socket, threads
 * of a core). It says nothing: the job is still pending at the next try of the main scheduler. With
 * the same answer it would wait forever where other nodes would do, so it is given others, if there
 * are any. At fault are those that were in use, which have less than their kind, and idle nodes
 * come first then; if none was in use, their kinds are. Where the job fits on no others, these are
 * tried in turn: without the kind of least memory, until the job was on nodes of one kind; that is
 * at fault for sure then, and the others are no more.
 *
 * Jobs that the main scheduler does not come to, such as components of heterogeneous jobs, backfill
 * tests before it starts them. Slurm turns down the nodes of a test where backfill goes on in it
 * with those that running jobs will free; of a start as with the main scheduler.
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
#include "src/common/read_config.h"

#define NVL72_REMEMBERED 8 /* jobs; of each partition, the main scheduler tries one in vain */

/* slurmctld has it; the commands that load the plugin do not, and never come here. */
extern diag_stats_t slurmctld_diag_stats __attribute__((weak));

/* Tells one try from another, by slurmctld's counts. */
typedef struct {
    uint32_t depth;         /* of the main scheduler */
    uint32_t cycle, tested; /* of backfill */
} nvl72_try_t;

typedef struct {
    uint32_t job, task, runs; /* of the array; how often it was requeued */
    const part_record_t* partition;
    int64_t size;          /* of the bitmaps */
    nvl72_try_t try;       /* the last one */
    bitstr_t* given;       /* then; NULL: nothing */
    bitstr_t* turned_down; /* NULL: none */
    bitstr_t* surely;      /* of these, kinds that failed alone */
    bool in_use;           /* some of these were */
    bool in_turn;          /* one kind after the other */
} nvl72_given_t;

static nvl72_given_t remembered[NVL72_REMEMBERED];
static uint32_t next_place;
static bool begins_try; /* the evaluation under way, for a start */

/* What backfill's test under way was given for a start now. */
static struct {
    const job_record_t* job;
    nvl72_try_t try;
    bitstr_t* given; /* NULL: nothing */
} in_test;

static nvl72_try_t _try_under_way(void) {
    return (nvl72_try_t){.depth = slurmctld_diag_stats.schedule_cycle_depth,
                         .cycle = slurmctld_diag_stats.bf_cycle_counter,
                         .tested = slurmctld_diag_stats.bf_last_depth_try};
}

static bool _is_under_way(nvl72_try_t try) {
    nvl72_try_t now = _try_under_way();

    return (try.depth == now.depth) && (try.cycle == now.cycle) && (try.tested == now.tested);
}

static void _forget(nvl72_given_t* entry) {
    FREE_NULL_BITMAP(entry->given);
    FREE_NULL_BITMAP(entry->turned_down);
    FREE_NULL_BITMAP(entry->surely);
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

static nvl72_given_t* _find_or_begin(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    nvl72_given_t* entry = _find(job);

    if (entry) return entry;
    entry = &remembered[next_place++ % NVL72_REMEMBERED];
    _forget(entry);
    *entry = (nvl72_given_t){.job = job->job_id,
                             .task = job->array_task_id,
                             .runs = job->restart_cnt,
                             .partition = job->part_ptr,
                             .size = bit_size(eval->node_map)};
    return entry;
}

/*
 * The main scheduler counts the jobs that it tries; a forecast and backfill do not. Its last try
 * may not have come here, and then the count has changed, too, when a new job is tested at
 * submission: so a job's first evaluation is none.
 */
static bool _begins_main_try(const job_record_t* job) {
    static uint32_t count, newest;
    bool begins;

    if ((newest > job->job_id) && ((newest - job->job_id) > (slurm_conf.max_job_id / 2)))
        newest = 0; /* after MaxJobId numbers begin anew */
    begins = (slurmctld_diag_stats.schedule_cycle_depth != count) && (job->job_id <= newest);
    count = slurmctld_diag_stats.schedule_cycle_depth;
    newest = MAX(newest, job->job_id);
    return begins;
}

/* The first evaluation of each; backfill tests a job first. */
static bool _begins_try(const job_record_t* job) {
    bool of_main = _begins_main_try(job);
    const nvl72_given_t* entry;

    if (!nvl72_is_tried_by_backfill(job)) return of_main;
    entry = _find(job);
    return !entry || !entry->given || !_is_under_way(entry->try);
}

/* A limit of an account, for instance, is no reason for other nodes. */
static bool _waits_for_nodes(const job_record_t* job) {
    return (job->state_reason == WAIT_NO_REASON) || (job->state_reason == WAIT_RESOURCES) ||
           (job->state_reason == WAIT_PRIORITY);
}

/* All nodes of the kinds that were given. */
static bitstr_t* _kinds(nvl72block_view given) {
    bitstr_t* kinds = bit_alloc(given.bits);

    for (int i = nvl72_next_node(given, 0); i >= 0; i = nvl72_next_node(given, i + 1))
        if (!bit_test(kinds, i)) bit_or(kinds, node_record_table_ptr[i]->config_ptr->node_bitmap);
    return kinds;
}

static bitstr_t* _kind_of_least_memory(nvl72block_view given) {
    int least = nvl72_next_node(given, 0);

    for (int i = nvl72_next_node(given, least + 1); i >= 0; i = nvl72_next_node(given, i + 1))
        if (node_record_table_ptr[i]->real_memory < node_record_table_ptr[least]->real_memory)
            least = i;
    return bit_copy(node_record_table_ptr[least]->config_ptr->node_bitmap);
}

/* Idle nodes of several kinds, of which one is at fault. */
static bitstr_t* _next_in_turn(nvl72_given_t* entry, bitstr_t* kinds) {
    bitstr_t* one = _kind_of_least_memory(nvl72_view(entry->given));

    if (!bit_super_set(kinds, one)) return one;
    if (entry->surely) bit_or(one, entry->surely);
    FREE_NULL_BITMAP(entry->surely);
    FREE_NULL_BITMAP(entry->turned_down);
    entry->surely = bit_copy(one);
    return one;
}

static bitstr_t* _kinds_at_fault(nvl72_given_t* entry) {
    bitstr_t* kinds = _kinds(nvl72_view(entry->given));
    bitstr_t* at_fault;

    if (!entry->in_turn) return kinds;
    at_fault = _next_in_turn(entry, kinds);
    FREE_NULL_BITMAP(kinds);
    return at_fault;
}

static void _turn_down(nvl72_given_t* entry) {
    bitstr_t* at_fault = bit_copy(entry->given);

    bit_and_not(at_fault, idle_node_bitmap);
    if (bit_ffs(at_fault) >= 0) {
        entry->in_use = true;
    } else {
        FREE_NULL_BITMAP(at_fault);
        at_fault = _kinds_at_fault(entry);
    }
    if (entry->turned_down) bit_or(at_fault, entry->turned_down);
    FREE_NULL_BITMAP(entry->turned_down);
    FREE_NULL_BITMAP(entry->given);
    entry->turned_down = at_fault;
    log_flag(SELECT_TYPE, "JobId=%u does not start where it was placed: %d nodes are avoided",
             entry->job, bit_set_count(at_fault));
}

static bool _is_of_now(const topology_eval_t* eval) {
    return nvl72_is_of_now(eval, nvl72_judge_offer(eval));
}

/* In the test under way this evaluation is of a later time, so that of now has failed. */
static void _settle_test(const topology_eval_t* eval) {
    nvl72_given_t* entry;

    if (!in_test.given || (in_test.job != eval->job_ptr) || !_is_under_way(in_test.try) ||
        (bit_size(in_test.given) != bit_size(eval->node_map)) || _is_of_now(eval))
        return;
    entry = _find_or_begin(eval);
    FREE_NULL_BITMAP(entry->given);
    entry->given = in_test.given;
    in_test.given = NULL;
    _turn_down(entry);
}

/* What has become of the job's last answer is known now. NULL: nothing is turned down. */
static const nvl72_given_t* _settle(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    nvl72_given_t* entry;

    if (job->bit_flags & BACKFILL_TEST) _settle_test(eval);
    entry = _find(job);
    if (!entry || (nvl72_judge_offer(eval) == NVL72_HYPOTHETICAL)) return NULL;
    if (!_waits_for_nodes(job) || (entry->size != bit_size(eval->node_map)))
        _forget(entry);
    else if (entry->given && !_is_under_way(entry->try))
        _turn_down(entry);
    return entry->turned_down ? entry : NULL;
}

extern bool nvl72_is_turned_down(const topology_eval_t* eval) {
    bitstr_t* required = eval->job_ptr->details->req_node_bitmap;
    const nvl72_given_t* entry;
    bool in_backfill = eval->job_ptr->bit_flags & BACKFILL_TEST;

    if (!in_backfill && !nvl72_is_for_a_start(eval->job_ptr)) return false;
    begins_try = !in_backfill && _begins_try(eval->job_ptr);
    entry = _settle(eval);
    return entry && (!required || !bit_overlap_any(required, entry->turned_down));
}

extern void nvl72_avoid_turned_down(topology_eval_t* eval, bool all_in_use) {
    const nvl72_given_t* entry = _find(eval->job_ptr);

    bit_and_not(eval->node_map, entry->turned_down);
    if (all_in_use && entry->in_use) bit_and(eval->node_map, idle_node_bitmap);
}

extern void nvl72_forget_turned_down(const job_record_t* job) {
    nvl72_given_t* entry = _find(job);

    if (!entry) return;
    if (entry->in_use || entry->in_turn) {
        _forget(entry);
        return;
    }
    FREE_NULL_BITMAP(entry->turned_down);
    entry->in_turn = true;
}

static void _remember_in_test(const topology_eval_t* eval) {
    FREE_NULL_BITMAP(in_test.given);
    in_test.job = eval->job_ptr;
    in_test.try = _try_under_way();
    in_test.given = bit_copy(eval->node_map);
}

extern void nvl72_remember_given(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    nvl72_given_t* entry;

    if (job->bit_flags & BACKFILL_TEST) {
        if (_is_of_now(eval)) _remember_in_test(eval);
        return;
    }
    if (!begins_try || !nvl72_is_for_a_start(job) || !_is_of_now(eval)) return;
    entry = _find_or_begin(eval);
    FREE_NULL_BITMAP(entry->given);
    entry->given = bit_copy(eval->node_map);
    entry->try = _try_under_way();
}

extern void nvl72_forget_all_turned_down(void) {
    for (uint32_t i = 0; i < NVL72_REMEMBERED; i++) _forget(&remembered[i]);
    FREE_NULL_BITMAP(in_test.given);
}
