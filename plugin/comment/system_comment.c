/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes a job's system_comment, and removes what is no longer true.
 */
#include "comment/system_comment.h"

#include "slurm/clock.h"

#include "src/common/job_record.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#define NVL72_QUIET_TIME 30 /* seconds between two changes with the same reason */
#define NVL72_SCHED_INTERVAL "sched_interval="
#define NVL72_SCHED_SECONDS 60 /* between two cycles of the main scheduler, unless configured */
#define NVL72_MISSED_CYCLES 3  /* after which a sentence goes that none of them confirmed */
#define NVL72_REMEMBERED 4096

/* The last change of a job's comment; entries are lost when two jobs share one. */
typedef struct {
    uint32_t job_id;
    uint8_t reason;
    uint8_t previous; /* two partitions of a job may refuse it for different reasons */
    time_t since;
    time_t confirmed; /* when the job was refused a start last */
    uint64_t question;
} nvl72_change_t;

static nvl72_change_t changes[NVL72_REMEMBERED];

/* NULL: not remembered. */
static nvl72_change_t* _last_change(const job_record_t* job) {
    nvl72_change_t* change = &changes[job->job_id % NVL72_REMEMBERED];

    return (change->job_id == job->job_id) ? change : NULL;
}

extern bool nvl72_comment_is_ours(const job_record_t* job) {
    return !xstrncmp(job->system_comment, NVL72_OWNER, strlen(NVL72_OWNER));
}

extern bool nvl72_comment_is_receipt(const job_record_t* job) {
    return !xstrncmp(job->system_comment, NVL72_RECEIPT, strlen(NVL72_RECEIPT));
}

extern bool nvl72_comment_may_change(const job_record_t* job) {
    return !job->system_comment || !job->system_comment[0] || nvl72_comment_is_ours(job);
}

extern void nvl72_comment_remove(job_record_t* job) {
    if (!nvl72_comment_is_ours(job)) return;
    xfree(job->system_comment);
    last_job_update = time(NULL);
}

/* Whether it was changed a moment ago, and for a reason that is still or again that one. */
static bool _is_too_soon(const nvl72_change_t* last, uint8_t reason, time_t now) {
    return last && (now < last->since + NVL72_QUIET_TIME) && (last->reason != NVL72_NO_QUESTION) &&
           ((reason == last->reason) || (reason == last->previous));
}

static void _remember(const job_record_t* job, uint8_t reason, uint64_t question) {
    const nvl72_change_t* last = _last_change(job);
    bool follows = last && (reason != NVL72_STARTED);
    time_t now = nvl72_seconds();

    changes[job->job_id % NVL72_REMEMBERED] =
        (nvl72_change_t){.job_id = job->job_id,
                         .reason = reason,
                         .previous = follows ? last->reason : reason,
                         .since = now,
                         .confirmed = now,
                         .question = question};
}

extern void nvl72_comment_write(job_record_t* job, const nvl72_sentence_t* sentence) {
    xfree(job->system_comment);
    job->system_comment = xstrdup(sentence->text);
    _remember(job, sentence->reason, sentence->question);
    last_job_update = time(NULL);
}

extern void nvl72_comment_refuse(job_record_t* job, const nvl72_sentence_t* sentence) {
    nvl72_change_t* last = _last_change(job);
    time_t now = nvl72_seconds();

    if (!sentence->text[0])
        nvl72_comment_remove(job);
    else if (xstrcmp(job->system_comment, sentence->text) &&
             !_is_too_soon(last, sentence->reason, now))
        nvl72_comment_write(job, sentence);
    else if (last)
        last->confirmed = now;
    else
        _remember(job, sentence->reason, sentence->question);
}

/* Seconds for which a sentence stays although no evaluation confirms it. */
static time_t _lasting_time(void) {
    const char* option = xstrcasestr(slurm_conf.sched_params, NVL72_SCHED_INTERVAL);
    long interval = option ? strtol(option + strlen(NVL72_SCHED_INTERVAL), NULL, 10) : -1;

    if (interval < 0) interval = NVL72_SCHED_SECONDS;
    return MAX(NVL72_QUIET_TIME, NVL72_MISSED_CYCLES * interval);
}

/* The main scheduler does not evaluate a job behind another one that waits; backfill's tests of it
 * tell only that it still waits. */
extern void nvl72_comment_expire(job_record_t* job) {
    const nvl72_change_t* last = _last_change(job);

    if (!nvl72_comment_is_ours(job)) return;
    if (nvl72_comment_is_receipt(job))
        nvl72_comment_remove(job); /* of the run before the job was requeued */
    else if (!last)
        _remember(job, NVL72_NO_REASON, 0); /* after a restart */
    else if (nvl72_seconds() >= last->confirmed + _lasting_time())
        nvl72_comment_remove(job);
}

extern const char* nvl72_comment_suggestions(const job_record_t* job, uint64_t question) {
    const nvl72_change_t* last = _last_change(job);
    const char* known;

    if (!last || !nvl72_comment_is_ours(job) || (last->question != question)) return NULL;
    known = xstrstr(job->system_comment, NVL72_STARTS_WITH);
    return known ? known : "";
}
