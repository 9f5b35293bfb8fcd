/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Both answers to a question, kept until it shows what became of the job. Slurm also evaluates jobs
 * that it does not start then: tests at submission, of limits, of a backfill that comes to nothing.
 * So a pair counts when the job has left the queue for just the nodes that topology/block gave, or
 * when it goes on waiting after topology/block refused nodes that ours found. What is open when
 * slurmctld ends stays open.
 *
 * Every caller that evaluates a job with a number holds Slurm's job write lock, which guards all of
 * this.
 */
#include <time.h>

#include "comment/comment.h"
#include "shadow/shadow.h"
#include "slurm/clock.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/slurmctld/slurmctld.h"

#define NVL72_SLOTS 16384           /* jobs whose numbers share one lose the older entry */
#define NVL72_MOST_OPEN 2048        /* pairs, of a few KiB each */
#define NVL72_MOST_BYTES (32 << 20) /* of all of them: nodes that lie scattered are long texts */
#define NVL72_STALE 60 /* seconds after which a job that got nodes but waits did not start */
#define NVL72_HELD 2   /* seconds for which a job waits at least that is held */
#define NVL72_TALLY_PAUSE (6 * NVL72_SHADOW_PAUSE)

typedef struct {
    nvl72_shadow_t* shadow;
    nvl72_question_t question; /* its numbers; the bitmaps are gone */
    time_t held_since;         /* of the record that tells so; 0 for none */
    time_t switch_since;       /* our part of the job's wait for --switches; 0 for none */
    /* the pair that is open: none without a record */
    nvl72block_record* record;
    size_t bytes;    /* that the pair takes */
    bitstr_t* nodes; /* of topology/block's answer; NULL where it refused */
    time_t asked;    /* the record's time */
    time_t when;     /* the same moment, as nvl72_seconds() counts */
} nvl72_entry_t;

static nvl72_entry_t* slots[NVL72_SLOTS];
static uint32_t open_pairs;
static size_t open_bytes;
static uint32_t latest; /* the job that was noted last */
static time_t next_pass;

/* ---- Entries -----------------------------------------------------------------------------------
 */

static nvl72_entry_t** _slot(uint32_t job_id) {
    return &slots[job_id % NVL72_SLOTS];
}

static nvl72_entry_t* _find(uint32_t job_id) {
    nvl72_entry_t* entry = *_slot(job_id);

    return (entry && (entry->question.job_id == job_id)) ? entry : NULL;
}

/* The pair is open no more; its record is freed or was handed on. */
static void _forget_pair(nvl72_entry_t* entry) {
    entry->record = NULL;
    FREE_NULL_BITMAP(entry->nodes);
    open_pairs--;
    open_bytes -= entry->bytes;
}

static void _close_pair(nvl72_entry_t* entry) {
    if (!entry->record) return;
    nvl72block_record_free(entry->record);
    _forget_pair(entry);
}

static void _remove(nvl72_entry_t** slot) {
    _close_pair(*slot);
    xfree(*slot);
}

static void _write_pair(nvl72_entry_t* entry) {
    nvl72_shadow_tell_lost(entry->shadow);
    (void)nvl72block_log_append(entry->shadow->log, entry->record);
    _forget_pair(entry);
}

static void _give_up_pair(nvl72_entry_t* entry) {
    _close_pair(entry);
    entry->shadow->tally.unsettled++;
}

/* ---- Settling ----------------------------------------------------------------------------------
 */

/* A task of an array gets a number of its own when it starts. */
static const job_record_t* _job_of(const nvl72_question_t* question) {
    const job_record_t* job;

    if (!question->array_job_id || (question->array_task_id == NO_VAL))
        return find_job_record(question->job_id);
    job = find_job_array_rec(question->array_job_id, question->array_task_id);
    return job ? job : find_job_record(question->job_id);
}

static void _write_release(const nvl72_entry_t* entry, const job_record_t* job) {
    nvl72block_record* record = nvl72block_record_create("released");
    bool started = job && job->start_time && job->node_bitmap;

    nvl72block_record_number(record, "t", started ? job->start_time : time(NULL));
    nvl72block_record_number(record, "job", entry->question.job_id);
    nvl72block_record_number(record, "since", entry->held_since);
    nvl72block_record_number(record, "started", started);
    (void)nvl72block_log_append(entry->shadow->log, record);
}

static void _settle_given(nvl72_entry_t* entry, const job_record_t* job, bool waits) {
    if (waits && (nvl72_seconds() - entry->when < NVL72_STALE)) return;
    if (waits || !job || !job->node_bitmap || !bit_equal(job->node_bitmap, entry->nodes)) {
        _give_up_pair(entry);
        return;
    }
    nvl72_shadow_record_start(entry->record, job);
    _write_pair(entry);
}

/* A job that is gone at once was a test, and one that another partition starts at once is not held.
 */
static void _settle_refused(nvl72_entry_t* entry, bool waits) {
    if (waits && (nvl72_seconds() - entry->when < NVL72_HELD)) return;
    if (!waits) {
        _give_up_pair(entry);
        return;
    }
    entry->held_since = entry->asked;
    _write_pair(entry);
}

static void _settle(nvl72_entry_t** slot) {
    nvl72_entry_t* entry = *slot;
    const job_record_t* job = _job_of(&entry->question);
    bool waits = job && IS_JOB_PENDING(job);

    if (entry->record && entry->nodes)
        _settle_given(entry, job, waits);
    else if (entry->record)
        _settle_refused(entry, waits);
    if (!waits && entry->held_since) _write_release(entry, job);
    if (!waits || (!entry->record && !entry->held_since && !entry->switch_since)) _remove(slot);
}

static void _write_tally(nvl72_shadow_t* shadow) {
    nvl72block_record* record = nvl72block_record_create("tally");
    const nvl72_tally_t* tally = &shadow->tally;

    nvl72block_record_number(record, "t", time(NULL));
    nvl72block_record_number(record, "since", tally->since);
    nvl72block_record_number(record, "questions", tally->questions);
    nvl72block_record_number(record, "both.held", tally->both_held);
    nvl72block_record_number(record, "unsettled", tally->unsettled);
    nvl72block_record_number(record, "lost", nvl72_shadow_lost() - tally->lost_before);
    (void)nvl72block_log_append(shadow->log, record);
}

static void _tally_when_due(nvl72_shadow_t* shadow, time_t now) {
    nvl72_tally_t* tally = &shadow->tally;

    if (!tally->since)
        *tally = (nvl72_tally_t){.since = time(NULL), .lost_before = nvl72_shadow_lost()};
    if (now < tally->next) return;
    if (tally->next) _write_tally(shadow);
    tally->next = now + NVL72_TALLY_PAUSE;
}

/* Whether the evaluation is another one of what was noted last: of its job or its task. */
static bool _is_latest(const job_record_t* job) {
    const nvl72_entry_t* entry = _find(latest);

    return (job->job_id == latest) &&
           (!entry || (job->array_task_id == entry->question.array_task_id));
}

/* The latest job at once, all others once in a while. */
static void _settle_due(nvl72_shadow_t* shadow, const job_record_t* asked) {
    time_t now = nvl72_seconds();

    if (latest && !_is_latest(asked)) {
        if (_find(latest)) _settle(_slot(latest));
        latest = 0;
    }
    if (now >= next_pass) {
        for (size_t i = 0; i < NVL72_SLOTS; i++)
            if (slots[i]) _settle(&slots[i]);
        next_pass = now + NVL72_SHADOW_PAUSE;
    }
    _tally_when_due(shadow, now);
}

/* ---- Questions ---------------------------------------------------------------------------------
 */

/*
 * Backfill chooses by a test and starts the job on those nodes: the test was the decision. Which
 * task of an array it is for is known only now. Another start is none of that test: one in another
 * partition, or on nodes that were not compared when they were tested.
 */
static bool _is_chosen_already(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    nvl72_entry_t* entry = _find(job->job_id);

    if (!(job->bit_flags & BACKFILL_SCHED) || (job->bit_flags & BACKFILL_TEST) || !entry ||
        !entry->nodes || !entry->question.by_backfill ||
        (bit_size(eval->node_map) != bit_size(entry->nodes)) ||
        !bit_super_set(eval->node_map, entry->nodes))
        return false;
    entry->question.array_task_id = job->array_task_id;
    return true;
}

static bool _is_candidate(const job_record_t* job) {
    if (job->bit_flags & BACKFILL_TEST)
        return job->job_id && IS_JOB_PENDING(job) && idle_node_bitmap && avail_node_bitmap;
    return nvl72_is_for_a_start(job);
}

extern void nvl72_ledger_settle(nvl72_shadow_t* shadow, const job_record_t* asked) {
    if (_is_candidate(asked)) _settle_due(shadow, asked);
}

extern bool nvl72_ledger_opens(nvl72_shadow_t* shadow, const topology_eval_t* eval,
                               nvl72_question_t* question) {
    const job_record_t* job = eval->job_ptr;
    nvl72_offer_t offer;

    if (!_is_candidate(job) || _is_chosen_already(eval)) return false;
    nvl72_ledger_settle(shadow, job);
    offer = nvl72_judge_offer(eval);
    if ((offer == NVL72_HYPOTHETICAL) || !nvl72_is_of_now(eval, offer)) return false;
    *question = (nvl72_question_t){
        .asked = time(NULL),
        .job_id = job->job_id,
        .array_job_id = job->array_job_id,
        .array_task_id = job->array_task_id,
        .by_backfill = (job->bit_flags & (BACKFILL_TEST | BACKFILL_SCHED)) != 0,
        .all_idle = offer == NVL72_FREE_NOW,
        .min_nodes = eval->min_nodes,
        .max_nodes = eval->max_nodes,
        .req_nodes = eval->req_nodes,
        .candidates = bit_copy(eval->node_map),
    };
    return true;
}

extern time_t nvl72_ledger_switch_since(uint32_t job_id) {
    const nvl72_entry_t* entry = _find(job_id);

    return entry ? entry->switch_since : 0;
}

/* ---- Answers -----------------------------------------------------------------------------------
 */

/* A test of backfill's that comes to nothing refuses the job nothing. */
static bool _is_worth_keeping(const nvl72_entry_t* entry, const nvl72_question_t* question,
                              const nvl72_ours_t* ours, const nvl72_given_t* block) {
    if (ours->failed || (open_pairs >= NVL72_MOST_OPEN)) return false;
    if (block->nodes) return true;
    return ours->given.nodes && !ours->waits && !question->by_backfill &&
           !(entry && (entry->held_since || entry->record));
}

static nvl72_entry_t* _entry_for(nvl72_shadow_t* shadow, const nvl72_question_t* question) {
    nvl72_entry_t** slot = _slot(question->job_id);

    if (*slot && ((*slot)->question.job_id != question->job_id)) {
        (*slot)->shadow->tally.unsettled++;
        _remove(slot);
    }
    if (!*slot) *slot = xmalloc(sizeof(**slot));
    (*slot)->shadow = shadow;
    (*slot)->question = *question;
    return *slot;
}

static void _open_pair(nvl72_shadow_t* shadow, const job_record_t* job,
                       const nvl72_question_t* question, const nvl72_ours_t* ours,
                       nvl72_given_t* block) {
    nvl72_entry_t* entry = _entry_for(shadow, question);

    _close_pair(entry);
    entry->record = nvl72_shadow_record(shadow, job, question, ours, block);
    if (!entry->record) return;
    entry->nodes = block->nodes;
    block->nodes = NULL;
    entry->asked = question->asked;
    entry->when = nvl72_seconds();
    entry->bytes = nvl72block_record_bytes(entry->record) + (node_record_count / 8);
    open_pairs++;
    open_bytes += entry->bytes;
    if (open_bytes > NVL72_MOST_BYTES) _give_up_pair(entry);
}

/* What topology/block gave before is void where it gives nothing now; not by a test. */
static void _refuse_again(nvl72_entry_t* entry, const nvl72_question_t* question,
                          const nvl72_given_t* block) {
    if (entry && entry->nodes && !block->nodes && !question->by_backfill) _close_pair(entry);
}

extern void nvl72_ledger_note(nvl72_shadow_t* shadow, const job_record_t* job,
                              nvl72_question_t* question, nvl72_ours_t* ours,
                              nvl72_given_t* block) {
    nvl72_entry_t* entry = _find(question->job_id);

    shadow->tally.questions++;
    if (block->rc && ours->given.rc && !ours->failed) shadow->tally.both_held++;
    _refuse_again(entry, question, block);
    if (_is_worth_keeping(entry, question, ours, block))
        _open_pair(shadow, job, question, ours, block);
    if (ours->switch_since) _entry_for(shadow, question)->switch_since = ours->switch_since;
    latest = question->job_id;
    FREE_NULL_BITMAP(question->candidates);
    FREE_NULL_BITMAP(ours->given.nodes);
    FREE_NULL_BITMAP(block->nodes);
}

extern void nvl72_ledger_forget(nvl72_shadow_t* shadow) {
    if (shadow->tally.since) _write_tally(shadow);
    for (size_t i = 0; i < NVL72_SLOTS; i++)
        if (slots[i] && (slots[i]->shadow == shadow)) _remove(&slots[i]);
}
