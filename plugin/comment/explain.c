/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why a job waits, where its user looks: the refusal of an evaluation for a start now becomes the
 * job's system_comment, and a start replaces it by a receipt.
 *
 * Every caller that evaluates a job with a number holds Slurm's job write lock, which guards the
 * static variables.
 */
#include "comment/comment.h"
#include "job/job.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/part_record.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#define NVL72_OWNER "nvl72block:"
#define NVL72_RECEIPT NVL72_OWNER " started "
#define NVL72_LAST_REASON "; last reason:"
#define NVL72_LONGEST 1024  /* bytes of a comment, its end included */
#define NVL72_LINE 301      /* the same of a sentence with suggestions */
#define NVL72_QUIET_TIME 30 /* seconds between two changes with the same reason */
#define NVL72_SCHED_INTERVAL "sched_interval="
#define NVL72_SCHED_SECONDS 60 /* between two cycles of the main scheduler, unless configured */
#define NVL72_MISSED_CYCLES 3  /* after which a sentence goes that none of them confirmed */
#define NVL72_REMEMBERED 4096

/* Reasons beside those of the engine. */
enum { NVL72_NO_REASON = 64, NVL72_LAYOUT_FAILED, NVL72_NOT_ENOUGH_FREE, NVL72_STARTED };

/* The last change of a job's comment; entries are lost when two jobs share one. */
static struct {
    uint32_t job_id;
    uint8_t reason;
    uint8_t previous; /* two partitions of a job may refuse it for different reasons */
    time_t since;
    time_t confirmed; /* when the job was refused a start last */
    uint64_t asked;   /* for which question its suggestions are; 0: none */
} changes[NVL72_REMEMBERED];

/* The thread's evaluation under way. */
static __thread struct {
    bool told_about; /* its result may change the job's comment */
    bool behind;     /* it is backfill's test of a start now, behind other jobs */
    nvl72_offer_t offered;
    uint8_t reason;
    uint64_t asked;
    char text[NVL72_LONGEST];
} current;

/* The last job evaluated for a start now, and when. */
static uint32_t asked_job;
static time_t asked_at;
static uint32_t started_job; /* has a receipt, but whether it has started is not known yet */

/* ---- The comment -------------------------------------------------------------------------------
 */

static bool _is_ours(const job_record_t* job) {
    return !xstrncmp(job->system_comment, NVL72_OWNER, strlen(NVL72_OWNER));
}

static bool _may_write(const job_record_t* job) {
    return !job->system_comment || !job->system_comment[0] || _is_ours(job);
}

static bool _has_receipt(const job_record_t* job) {
    return !xstrncmp(job->system_comment, NVL72_RECEIPT, strlen(NVL72_RECEIPT));
}

static void _remove(job_record_t* job) {
    if (!_is_ours(job)) return;
    xfree(job->system_comment);
    last_job_update = time(NULL);
}

/* Whether the comment was changed a moment ago, and for a reason that is still or again that one.
 */
static bool _is_too_soon(uint32_t job_id, uint8_t reason, time_t now) {
    size_t slot = job_id % NVL72_REMEMBERED;

    return (changes[slot].job_id == job_id) && (now < changes[slot].since + NVL72_QUIET_TIME) &&
           ((reason == changes[slot].reason) || (reason == changes[slot].previous));
}

static void _remember(uint32_t job_id, uint8_t reason, time_t now) {
    size_t slot = job_id % NVL72_REMEMBERED;
    bool known = (changes[slot].job_id == job_id) && (reason != NVL72_STARTED);

    changes[slot].previous = known ? changes[slot].reason : reason;
    changes[slot].job_id = job_id;
    changes[slot].reason = reason;
    changes[slot].since = now;
    changes[slot].confirmed = now;
    changes[slot].asked = current.asked;
}

static void _write(job_record_t* job, const char* text, uint8_t reason) {
    time_t now = time(NULL);

    xfree(job->system_comment);
    job->system_comment = xstrdup(text);
    _remember(job->job_id, reason, now);
    last_job_update = now;
}

/* ---- What is worth a sentence ------------------------------------------------------------------
 */

/* A refusal of these says little about the job: backfill starts jobs on nodes that it has chosen,
 * and of several sizes only the smallest counts. */
static bool _is_worth_a_sentence(const topology_eval_t* eval) {
    bitstr_t* sizes = eval->job_ptr->details->job_size_bitmap;

    return (current.behind || !(eval->job_ptr->bit_flags & BACKFILL_SCHED)) &&
           (!sizes || (bit_ffs(sizes) >= (int)eval->min_nodes));
}

/* ---- Suggestions -------------------------------------------------------------------------------
 */

/* Where clients do not show a job's segments, its sentence does. */
static void _add_segments(const job_record_t* job) {
    uint32_t size = job->details->segment_size;
    size_t length = strlen(current.text);

    if (NVL72_CLIENTS_SHOW_SEGMENTS || !size || xstrstr(current.text, "segments of ") ||
        xstrstr(current.text, "segment of "))
        return;
    snprintf(current.text + length, sizeof(current.text) - length, "; segments of %u", size);
}

static void _add_to_key(uint64_t* key, uint64_t number) {
    *key = (*key ^ number) * UINT64_C(0x100000001b3); /* FNV-1a, by words */
    *key ^= *key >> 29;
}

/* What a suggestion depends on: the job's request, the candidates, and what is left of those that
 * it shares. */
static uint64_t _question(const nvl72_case_t* c) {
    nvl72block_view nodes = nvl72_view(c->candidates);
    const job_details_t* details = c->job->details;
    uint64_t key = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < (nodes.bits + 63) / 64; i++) _add_to_key(&key, nodes.words[i]);
    _add_to_key(&key, ((uint64_t)c->least_nodes << 32) | c->request.segment_size);
    _add_to_key(&key, ((uint64_t)details->num_tasks << 32) | details->min_cpus);
    _add_to_key(&key, c->request.gpus);
    if (nvl72_has_whole_nodes(c->job)) return key ? key : 1;
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1)) {
        const avail_res_t* offer = c->eval->avail_res_array[i];

        _add_to_key(&key, ((uint64_t)offer->avail_gpus << 32) | offer->avail_cpus);
    }
    return key ? key : 1;
}

/* Behind the sentence, unless nothing has changed since: then as before. */
static void _add_suggestions(nvl72_case_t* c, bitstr_t* in_any_block) {
    size_t slot = c->job->job_id % NVL72_REMEMBERED, length = strlen(current.text);
    bool known = (changes[slot].job_id == c->job->job_id) && _is_ours(c->job);
    const char* before = known ? xstrstr(c->job->system_comment, NVL72_STARTS_WITH) : NULL;

    if (length >= NVL72_LINE) return;
    current.asked = _question(c);
    if (known && (changes[slot].asked == current.asked))
        snprintf(current.text + length, NVL72_LINE - length, "%s", before ? before : "");
    else
        nvl72_suggest(c, in_any_block, current.text + length, NVL72_LINE - length);
}

/* For a job that Slurm has not asked about: what it is offered are whole nodes, so that only those
 * in no use may be counted on. */
static void _suggest_on(nvl72_context_t* context, nvl72block_topology* topology,
                        topology_eval_t* eval, bitstr_t* free_nodes, bitstr_t* in_any_block) {
    nvl72_case_t c;

    nvl72_case_open(&c, topology, &context->options, eval);
    bit_and(c.candidates, free_nodes);
    bit_and(c.candidates, idle_node_bitmap);
    nvl72_case_take_offers(&c, in_any_block);
    _add_suggestions(&c, in_any_block);
    nvl72_case_close(&c);
}

/* ---- Sentences ---------------------------------------------------------------------------------
 */

/* Whether the job shares no node with others. */
static bool _is_alone(const job_record_t* job) {
    return nvl72_has_whole_nodes(job) || IS_JOB_WHOLE_TOPO(job);
}

/* How many nodes are idle and in service, but not for this job now: see nvl72_drained(). */
static uint32_t _count_kept(const topology_eval_t* eval, bitstr_t* drained) {
    bitstr_t* kept = bit_copy(eval->node_map);
    uint32_t count;

    bit_and(kept, idle_node_bitmap);
    bit_and_not(kept, avail_node_bitmap);
    bit_and_not(kept, drained);
    count = bit_set_count(kept);
    FREE_NULL_BITMAP(kept);
    return count;
}

/* The same wording as the engine's. */
static void _tell_shortage(const topology_eval_t* eval, uint32_t free_nodes, uint32_t blocked) {
    bitstr_t* drained = nvl72_drained(eval->job_ptr);
    uint32_t out = bit_set_count(drained), kept = _count_kept(eval, drained) + blocked;
    bool whole = _is_alone(eval->job_ptr);
    char more[80] = "", absent[32] = "";

    FREE_NULL_BITMAP(drained);
    if (kept) snprintf(more, sizeof(more), ", %u kept for other jobs or reservations", kept);
    if (out) snprintf(absent, sizeof(absent), ", %u drained", out);
    snprintf(current.text, sizeof(current.text), NVL72_OWNER " needs %u node%s; %s%u %s free%s%s%s",
             eval->min_nodes, (eval->min_nodes == 1) ? "" : "s", whole ? "" : "at most ",
             free_nodes, (free_nodes == 1) ? "is" : "are",
             IS_JOB_WHOLE_TOPO(eval->job_ptr) ? " in blocks without a job" : "", more, absent);
    current.reason = NVL72_NOT_ENOUGH_FREE;
}

/* A refused job's comment becomes the sentence; without one it loses what is no longer true. */
static void _tell_refusal(job_record_t* job) {
    size_t slot = job->job_id % NVL72_REMEMBERED;
    time_t now = time(NULL);

    if (!current.text[0]) {
        _remove(job);
        return;
    }
    if (xstrcmp(job->system_comment, current.text) &&
        !_is_too_soon(job->job_id, current.reason, now))
        _write(job, current.text, current.reason);
    else if (changes[slot].job_id == job->job_id)
        changes[slot].confirmed = now;
    else
        _remember(job->job_id, current.reason, now);
}

/* Seconds for which a sentence stays although no evaluation confirms it. */
static time_t _lasting_time(void) {
    const char* option = xstrcasestr(slurm_conf.sched_params, NVL72_SCHED_INTERVAL);
    long interval = option ? strtol(option + strlen(NVL72_SCHED_INTERVAL), NULL, 10) : -1;

    if (interval < 0) interval = NVL72_SCHED_SECONDS;
    return MAX(NVL72_QUIET_TIME, NVL72_MISSED_CYCLES * interval);
}

/* The main scheduler does not evaluate a job behind another one that waits; backfill's tests of it
 * tell only that it still waits. What it was told goes when it is old. */
static void _forget_old_sentence(job_record_t* job) {
    size_t slot = job->job_id % NVL72_REMEMBERED;
    time_t now = time(NULL);

    if (!_is_ours(job)) return;
    if (_has_receipt(job))
        _remove(job); /* of the run before the job was requeued */
    else if (changes[slot].job_id != job->job_id)
        _remember(job->job_id, NVL72_NO_REASON, now); /* after a restart */
    else if (now >= changes[slot].confirmed + _lasting_time())
        _remove(job);
}

/*
 * Slurm tests whether a job could run on more nodes after it was refused a start now. If it comes
 * without that, there were too few free nodes to ask a topology plugin at all, or the job waits for
 * something else. Only what is free now is told.
 */
static void _tell_without_question(nvl72_context_t* context, topology_eval_t* eval) {
    nvl72block_topology* topology = nvl72_context_topology(context);
    job_record_t* job = eval->job_ptr;
    bitstr_t *in_any_block, *usable;
    uint32_t free_nodes, blocked;

    if (!topology || ((asked_job == job->job_id) && (time(NULL) <= asked_at + 1))) {
        nvl72block_topology_release(topology);
        return;
    }
    in_any_block = bit_copy(eval->node_map);
    bit_and(in_any_block, avail_node_bitmap);
    if (_is_alone(job))
        bit_and(in_any_block, idle_node_bitmap);
    else /* Slurm counts what is left of nodes in part use */
        nvl72_take_out_unshared(in_any_block);
    blocked = nvl72_take_out_blocked(in_any_block);
    usable = bit_copy(in_any_block);
    if (IS_JOB_WHOLE_TOPO(job)) nvl72_take_out_blocks_in_use(topology, usable);
    free_nodes = bit_set_count(usable);
    if (free_nodes < eval->min_nodes) {
        _tell_shortage(eval, free_nodes, blocked);
        _add_segments(job);
        _suggest_on(context, topology, eval, usable, in_any_block);
    }
    FREE_NULL_BITMAP(usable);
    FREE_NULL_BITMAP(in_any_block);
    nvl72block_topology_release(topology);
    /* A job that has blocks for itself is asked about without those in use afterwards. */
    if (current.text[0] || !IS_JOB_WHOLE_TOPO(job)) _tell_refusal(job);
}

/*
 * Backfill's first test of a job that has whole nodes. Where that is not of free nodes, too few of
 * these were left for a test of a start now.
 */
static void _begin_behind(topology_eval_t* eval) {
    job_record_t* job = eval->job_ptr;
    uint32_t free_nodes;

    current.text[0] = '\0';
    current.offered = nvl72_judge_offer(eval);
    current.behind = true;
    current.told_about = current.offered == NVL72_FREE_NOW;
    if (current.told_about || !_is_worth_a_sentence(eval)) return;
    free_nodes = nvl72_count_free(job);
    if (free_nodes < eval->min_nodes) {
        _tell_shortage(eval, free_nodes, 0);
    } else {
        snprintf(current.text, sizeof(current.text),
                 NVL72_OWNER
                 " needs %u nodes; %u are free, but too few beside those kept for jobs "
                 "of higher priority",
                 eval->min_nodes, free_nodes);
        current.reason = NVL72_NOT_ENOUGH_FREE;
    }
    _add_segments(job);
    _tell_refusal(job);
}

/* The others are kept. */
static void _add_kept(const nvl72_case_t* c) {
    uint32_t left = bit_set_count(c->candidates), all = nvl72_count_free(c->job);
    size_t length = strlen(current.text);

    if (all > left)
        snprintf(current.text + length, sizeof(current.text) - length,
                 "; %u more are free, but kept for jobs of higher priority", all - left);
}

/* Slurm tests with blocks in use, too, whether a job could have them for itself. */
static bool _is_offered_blocks_in_use(nvl72_context_t* context, const topology_eval_t* eval) {
    nvl72block_topology* topology = nvl72_context_topology(context);
    bitstr_t* unused;
    bool offered;

    if (!topology) return false;
    unused = bit_copy(eval->node_map);
    nvl72_take_out_blocks_in_use(topology, unused);
    offered = !bit_equal(unused, eval->node_map);
    FREE_NULL_BITMAP(unused);
    nvl72block_topology_release(topology);
    return offered;
}

/* ---- Receipts ----------------------------------------------------------------------------------
 */

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

static char* _receipt(const job_record_t* job, const nvl72block_topology* topology,
                      bitstr_t* nodes) {
    uint32_t count = bit_set_count(nodes), segment = job->details->segment_size;
    char* text = xstrdup(NVL72_RECEIPT);

    _append_blocks(&text, topology, nodes);
    if (segment && (count > segment))
        xstrfmtcat(text, ", %u segments of %u", count / segment, segment);
    xstrcat(text, "; waited ");
    _append_duration(&text, _waited(job));
    if (!_has_receipt(job)) {
        char* last = xstrdup(job->system_comment + strlen(NVL72_OWNER));
        char* suggestions = xstrstr(last, NVL72_STARTS_WITH);

        if (suggestions) *suggestions = '\0';
        xstrfmtcat(text, NVL72_LAST_REASON "%s", last);
        xfree(last);
    }
    if (strlen(text) >= NVL72_LONGEST) text[NVL72_LONGEST - 1] = '\0';
    return text;
}

/* Only a job that was told why it waits gets a receipt. */
static void _tell_start(const topology_eval_t* eval, const nvl72block_topology* topology) {
    job_record_t* job = eval->job_ptr;
    char* text;

    if (!_is_ours(job) || !nvl72_is_of_now(eval, current.offered)) return;
    if (!_waited(job)) {
        _remove(job); /* another partition or feature refused it a moment ago: it never waited */
        return;
    }
    text = _receipt(job, topology, eval->node_map);
    _write(job, text, NVL72_STARTED);
    xfree(text);
    started_job = job->job_id;
}

/*
 * What Slurm makes of a placement is seen at the next evaluation only: limits of accounts and other
 * plugins can still keep the job from starting, and then it does not wait for what the sentence
 * said. The tasks of an array that remain have inherited the receipt of the one that started; they
 * get back the sentence.
 */
static void _settle_start(void) {
    job_record_t* job = started_job ? find_job_record(started_job) : NULL;
    char* last;

    started_job = 0;
    if (!job || !IS_JOB_PENDING(job) || !_has_receipt(job)) return;
    last = job->array_job_id ? xstrstr(job->system_comment, NVL72_LAST_REASON) : NULL;
    last = last ? xstrdup_printf(NVL72_OWNER "%s", last + strlen(NVL72_LAST_REASON)) : NULL;
    _remove(job);
    job->system_comment = last;
}

/*
 * Only backfill tests the components of a heterogeneous job, for starts now and later alike, and
 * the later ones only if the first can start. What they were told when they were submitted, before
 * they had the number of their job, would not change any more. Their own numbers are consecutive.
 */
static void _silence_components(uint32_t het_job_id) {
    job_record_t* job = find_job_record(het_job_id);

    for (uint32_t next = het_job_id; job && (job->het_job_id == het_job_id);
         job = find_job_record(++next))
        if (IS_JOB_PENDING(job)) _remove(job);
}

/* ---- The steps of an evaluation ----------------------------------------------------------------
 */

extern void nvl72_explain_begin(nvl72_context_t* context, topology_eval_t* eval) {
    job_record_t* job = eval->job_ptr;

    current.told_about = current.behind = false;
    current.asked = 0;
    if (!job->job_id) return;
    if (job->het_job_id) {
        _silence_components(job->het_job_id);
        return;
    }
    if (IS_JOB_PENDING(job) && (job->bit_flags & BACKFILL_TEST)) {
        _settle_start();
        _forget_old_sentence(job);
        if (nvl72_is_first_backfill_test() && context && context->options.explain &&
            _may_write(job) && nvl72_has_whole_nodes(job) && !IS_JOB_WHOLE_TOPO(job) &&
            nvl72_waits_for_nodes_only(job))
            _begin_behind(eval);
        return;
    }
    if (!nvl72_is_for_a_start(job)) return;
    _settle_start();
    if (!context || !context->options.explain) {
        _remove(job);
        return;
    }
    current.told_about = _may_write(job);
    if (!current.told_about) return;
    current.text[0] = '\0';
    current.offered = nvl72_judge_offer(eval);
    if (IS_JOB_WHOLE_TOPO(job) && _is_offered_blocks_in_use(context, eval))
        current.offered = NVL72_HYPOTHETICAL;
    if (current.offered == NVL72_HYPOTHETICAL) {
        current.told_about = false;
        if (_is_worth_a_sentence(eval)) _tell_without_question(context, eval);
        return;
    }
    asked_job = job->job_id;
    asked_at = time(NULL);
}

extern bool nvl72_explain_awaits(const topology_eval_t* eval) {
    return current.told_about && _is_worth_a_sentence(eval);
}

/* The same question without blocked nodes, where there are some; NULL for none. The job does not
 * fit on fewer nodes either. */
static nvl72block_answer* _without_blocked(nvl72_case_t* c) {
    if (c->why || !nvl72_take_out_blocked(c->candidates)) return NULL;
    return nvl72block_place(c->topology, &c->request, &c->state, NULL);
}

/* Of two passes the one that could use any GRES tells what the job lacks, else the last. */
extern void nvl72_explain_refusal(nvl72_case_t* c) {
    bool limited = c->job->gres_list_req && c->eval->first_pass;
    nvl72block_answer *own, *answer;
    const char* why;

    if (!nvl72_explain_awaits(c->eval) || (current.text[0] && limited)) return;
    current.text[0] = '\0';
    own = _without_blocked(c);
    answer = (own && !nvl72block_answer_placed(own)) ? own : c->answer;
    why = c->why ? c->why : nvl72block_answer_sentence(answer);
    if (why[0]) snprintf(current.text, sizeof(current.text), NVL72_OWNER " %s", why);
    current.reason = c->why ? NVL72_LAYOUT_FAILED : nvl72block_answer_reason(answer);
    nvl72block_answer_free(own);
    if (!current.text[0]) return;
    if (current.behind) _add_kept(c);
    _add_segments(c->job);
    /* Whether all that is offered is free now is known at the end, for those that matter here. */
    if (!c->why && !nvl72block_answer_permanent(c->answer)) _add_suggestions(c, NULL);
}

extern void nvl72_explain_end(const topology_eval_t* eval, const nvl72block_topology* topology,
                              int rc) {
    job_record_t* job = eval->job_ptr;

    if (!current.told_about) return;
    current.told_about = false;
    if (current.behind && !rc) return; /* backfill starts it by another evaluation, if it does */
    if (!rc) {
        _tell_start(eval, topology);
    } else if (_is_worth_a_sentence(eval) && (!xstrcmp(job->system_comment, current.text) ||
                                              nvl72_is_of_now(eval, current.offered))) {
        _tell_refusal(job);
    }
}
