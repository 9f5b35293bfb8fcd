/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The receipt of a job that starts after it was told why it waits: in which blocks, what these keep
 * room for, and how long it waited for what.
 */
#include "comment/comment.h"
#include "comment/system_comment.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#define NVL72_LAST_REASON "; last reason:"
#define NVL72_SCHED_DELAY 1 /* seconds from when Slurm takes up a job to its question */

static uint32_t started_job; /* has a receipt, but whether it has started is not known yet */

static int _compare_descending(const void* left, const void* right) {
    uint32_t l = *(const uint32_t*)left, r = *(const uint32_t*)right;

    return (l < r) - (l > r);
}

/* "3 x 16 + 1 x 8 nodes": how many base blocks have how many of the job's nodes. */
static void _append_shares(char** text, const uint32_t* counts, uint32_t blocks) {
    for (uint32_t from = 0, to; from < blocks; from = to) {
        for (to = from + 1; (to < blocks) && (counts[to] == counts[from]); to++)
            ;
        xstrfmtcat(*text, "%s%u x %u", from ? " + " : "", to - from, counts[from]);
    }
    xstrcat(*text, " nodes");
}

static void _append_blocks(char** text, const nvl72block_topology* topology, bitstr_t* nodes) {
    uint32_t total = nvl72block_topology_block_count(topology), used = 0, outside = 0;
    uint32_t* counts = xcalloc(total + 1, sizeof(*counts));

    for (int i = nvl72_next_node(nvl72_view(nodes), 0); i >= 0;
         i = nvl72_next_node(nvl72_view(nodes), i + 1)) {
        uint32_t block = nvl72block_topology_block_of(topology, i);

        if (block == NVL72BLOCK_NO_BLOCK)
            outside++;
        else
            counts[block]++;
    }
    qsort(counts, total, sizeof(*counts), _compare_descending);
    while ((used < total) && counts[used]) used++;
    if (used) {
        xstrfmtcat(*text, "in %u base block%s (", used, (used == 1) ? "" : "s");
        _append_shares(text, counts, used);
        xstrcat(*text, ")");
    }
    if (outside) xstrfmtcat(*text, "%son %u nodes in no block", used ? " and " : "", outside);
    xfree(counts);
}

static void _append_duration(char** text, uint64_t seconds) {
    uint64_t minutes = seconds / 60, hours = minutes / 60;

    if (hours >= 24)
        xstrfmtcat(*text, "%" PRIu64 " d %" PRIu64 " h", hours / 24, hours % 24);
    else if (hours)
        xstrfmtcat(*text, "%" PRIu64 " h %" PRIu64 " min", hours, minutes % 60);
    else if (minutes)
        xstrfmtcat(*text, "%" PRIu64 " min", minutes);
    else
        xstrfmtcat(*text, "%" PRIu64 " s", seconds);
}

/* Since it could have started, as Slurm's accounting counts. */
static uint64_t _waited(const job_record_t* job) {
    time_t since = MAX(job->details->begin_time, job->details->submit_time);
    time_t now = time(NULL);

    return (since && (now > since)) ? now - since : 0;
}

static char* _receipt(const job_record_t* job, const nvl72block_topology* topology, bitstr_t* nodes,
                      const char* kept) {
    uint32_t count = bit_set_count(nodes), segment = job->details->segment_size;
    char* text = xstrdup(NVL72_RECEIPT);

    _append_blocks(&text, topology, nodes);
    if (segment && (count > segment))
        xstrfmtcat(text, ", %u segments of %u", count / segment, segment);
    if (kept[0]) xstrfmtcat(text, "; keeps room for %s", kept);
    xstrcat(text, "; waited ");
    _append_duration(&text, _waited(job));
    if (!nvl72_comment_is_receipt(job) && !xstrstr(job->system_comment, NVL72_NOT_ASKED)) {
        char* last = xstrdup(job->system_comment + strlen(NVL72_OWNER));
        char* suggestions = xstrstr(last, NVL72_STARTS_WITH);

        if (suggestions) *suggestions = '\0';
        xstrfmtcat(text, NVL72_LAST_REASON "%s", last);
        xfree(last);
    }
    return text;
}

/* Whether Slurm has just taken up the job for a start. It notes when, backfill the time of the job
 * before, and notes nothing where it is only asked when the job could start
 * (slurm_job_will_run()). */
static bool _may_start(const job_record_t* job) {
    return nvl72_is_tried_by_backfill(job) ||
           (time(NULL) <= job->last_sched_eval + NVL72_SCHED_DELAY);
}

extern void nvl72_receipt_give(job_record_t* job, const nvl72block_topology* topology,
                               bitstr_t* nodes, const char* kept) {
    nvl72_sentence_t sentence = {.reason = NVL72_STARTED};
    char* text;

    /* A held job is only asked about. Of one that has not waited, another partition or feature was
     * refused a moment ago. */
    if (!job->priority || !_may_start(job) || !_waited(job)) {
        nvl72_comment_remove(job);
        return;
    }
    text = _receipt(job, topology, nodes, kept);
    snprintf(sentence.text, sizeof(sentence.text), "%s", text);
    xfree(text);
    nvl72_comment_write(job, &sentence);
    started_job = job->job_id;
}

/*
 * What Slurm makes of a placement is seen at the next evaluation only: limits of accounts and other
 * plugins can still keep the job from starting, and then it does not wait for what the sentence
 * said. The tasks of an array that remain have inherited the receipt of the one that started; they
 * get back the sentence.
 */
extern void nvl72_receipt_settle(void) {
    job_record_t* job = started_job ? find_job_record(started_job) : NULL;
    char* last;

    started_job = 0;
    if (!job || !IS_JOB_PENDING(job) || !nvl72_comment_is_receipt(job)) return;
    last = job->array_job_id ? xstrstr(job->system_comment, NVL72_LAST_REASON) : NULL;
    last = last ? xstrdup_printf(NVL72_OWNER "%s", last + strlen(NVL72_LAST_REASON)) : NULL;
    nvl72_comment_remove(job);
    job->system_comment = last;
}
