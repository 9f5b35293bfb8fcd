/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Shadow mode (TopologyParam=Nvl72Shadow=on): Slurm's own topology/block decides everything, and
 * the plugin answers the same questions beside it. The rest of the plugin knows nothing of it but
 * nvl72_shadow_entries().
 */
#ifndef NVL72_SHADOW_H
#define NVL72_SHADOW_H

#include "decision/decision.h"
#include "slurm/entries.h"

/* The lab's build has shorter pauses. */
#ifndef NVL72_SHADOW_PAUSE
#define NVL72_SHADOW_PAUSE 10 /* seconds between two looks at all open answers */
#endif
#ifndef NVL72_SHADOW_LIMIT
#define NVL72_SHADOW_LIMIT 500 /* milliseconds of CPU time that an answer of ours may take */
#endif
/* The lab's build looks whether our half has changed anything. */
#ifndef NVL72_SHADOW_WATCH
#define NVL72_SHADOW_WATCH 0
#endif
#define NVL72_SHADOW_FAULTS 10 /* within an hour, after which shadow mode switches itself off */

/* forward.c: functions by which Slurm's own topology/block decides; NULL where it cannot, which is
 * logged. */
extern const nvl72_entries_t* nvl72_shadow_entries(void);

/* slurms_own.c: the functions of Slurm's own topology_block.so; NULL where it cannot be used, which
 * is logged. Opens it once. */
extern const nvl72_entries_t* nvl72_slurms_own(void);

/* contexts.c: our context of a topology, beside Slurm's own; NULL where ours could not be made. */
extern void nvl72_shadow_context_make(const nvl72_source_t* source, const void* key);
extern void nvl72_shadow_context_drop(const void* key);
extern struct nvl72_shadow* nvl72_shadow_context(const void* key);

/* copies.c: all that an evaluation changes, for one evaluation at a time. */
extern topology_eval_t* nvl72_copies_make(const topology_eval_t* eval);
extern void nvl72_copies_free(void);

/* fingerprint.c, for the lab: of all that an evaluation may change. */
extern uint64_t nvl72_fingerprint(const topology_eval_t* eval);

/* What the job asks for, before anybody has changed it. */
typedef struct {
    time_t asked; /* when, on the wall clock: its records are told apart by it */
    uint32_t job_id;
    uint32_t array_job_id;
    uint32_t array_task_id;
    bool by_backfill;
    bool all_idle; /* of the candidates */
    uint32_t min_nodes, max_nodes, req_nodes;
    bitstr_t* candidates;
} nvl72_question_t;

/* One plugin's answer. */
typedef struct {
    int rc;
    bitstr_t* nodes; /* NULL where refused */
    uint64_t nanoseconds;
} nvl72_given_t;

typedef struct {
    nvl72_given_t given;
    bool waits;          /* nodes were found, but --switches makes the job wait for others */
    bool failed;         /* by a fault of ours, which has been told: there is no answer */
    time_t switch_since; /* when the job began to wait for --switches */
    char why[512];
} nvl72_ours_t;

/* What is only counted. */
typedef struct {
    time_t since;       /* 0: nothing yet */
    time_t next;        /* when it is written again */
    uint64_t questions; /* that both were asked */
    uint64_t both_held;
    uint64_t unsettled;   /* pairs of which nothing came, or whose end was not seen */
    uint64_t lost_before; /* nvl72_shadow_lost() at `since` */
} nvl72_tally_t;

/* One topology in shadow mode. */
typedef struct nvl72_shadow {
    const void* key;
    nvl72_context_t* context;
    nvl72block_log* log;
    nvl72_tally_t tally;
    char options[1024];
    struct nvl72_shadow* next;
} nvl72_shadow_t;

/* beside.c: our answer to a question that Slurm's own plugin is about to answer. */
extern void nvl72_beside_ask(nvl72_shadow_t* shadow, const topology_eval_t* eval,
                             const nvl72_question_t* question, nvl72_ours_t* ours);

/* records.c: what is written of an answer. */
extern nvl72block_record* nvl72_shadow_record(nvl72_shadow_t* shadow, const job_record_t* job,
                                              const nvl72_question_t* question,
                                              const nvl72_ours_t* ours, const nvl72_given_t* block);
/* What the job has got, which can be more or less than it asked for. */
extern void nvl72_shadow_record_start(nvl72block_record* record, const job_record_t* job);

/* ledger.c: answers that are open until it shows what became of the job. */
/* Settles what is due before a job is evaluated. */
extern void nvl72_ledger_settle(nvl72_shadow_t* shadow, const job_record_t* asked);
/* Settles what is due. Whether the evaluation is for a start now and has not been answered yet;
 * then it fills the question. */
extern bool nvl72_ledger_opens(nvl72_shadow_t* shadow, const topology_eval_t* eval,
                               nvl72_question_t* question);
/* When the job began to wait for --switches, for our copy of its record. */
extern time_t nvl72_ledger_switch_since(uint32_t job_id);
/* Both answers; frees all bitmaps. */
extern void nvl72_ledger_note(nvl72_shadow_t* shadow, const job_record_t* job,
                              nvl72_question_t* question, nvl72_ours_t* ours, nvl72_given_t* block);
/* Before a context goes. */
extern void nvl72_ledger_forget(nvl72_shadow_t* shadow);

/* faults.c: what went wrong in our half. */
extern void nvl72_shadow_fault(nvl72_shadow_t* shadow, const char* kind, const char* what);
extern bool nvl72_shadow_is_off(void);
/* Called by the thread that writes. */
extern void nvl72_shadow_not_written(const char* why);
/* Tells of records that could not be written, once in a while. */
extern void nvl72_shadow_tell_lost(nvl72_shadow_t* shadow);
extern uint64_t nvl72_shadow_lost(void);

#endif
