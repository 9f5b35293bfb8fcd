/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why a job waits, where its user looks: the refusal of an evaluation for a start now becomes the
 * job's system_comment (comment.c), and a start replaces it by a receipt (receipt.c).
 *
 * Every caller that evaluates a job with a number holds Slurm's job write lock, which guards the
 * static variables.
 */
#include "comment/comment.h"
#include "comment/system_comment.h"
#include "slurm/clock.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/part_record.h"
#include "src/common/xstring.h"

#define NVL72_LINE 301 /* bytes of a sentence with suggestions */

/* The thread's evaluation under way. */
static __thread struct {
    bool told_about; /* its result may change the job's comment */
    bool behind;     /* it is backfill's test of a start now, behind other jobs */
    nvl72_offer_t offered;
    nvl72_sentence_t told;
    bool suggests;                /* the sentence may have suggestions */
    char kept[NVL72_LONGEST / 4]; /* what the placement keeps room for */
} current;

/* The last job evaluated for a start now, and when. */
static uint32_t asked_job;
static time_t asked_at;

/* A job that was refused unused blocks, and its sentence, which waits for what Slurm asks next:
 * whether the job could ever run, with blocks in use. */
static struct {
    uint32_t job_id; /* 0: none */
    time_t since;
    bool suggests;
    nvl72_sentence_t told;
} owed;

/* A refusal of these says little about the job: backfill starts jobs on nodes that it has chosen,
 * and of several sizes only the smallest counts. */
static bool _is_worth_a_sentence(const topology_eval_t* eval) {
    bitstr_t* sizes = eval->job_ptr->details->job_size_bitmap;

    return (current.behind || !(eval->job_ptr->bit_flags & BACKFILL_SCHED)) &&
           (!sizes || (bit_ffs(sizes) >= (int)eval->min_nodes));
}

extern bool nvl72_explain_awaits(const topology_eval_t* eval) {
    return current.told_about && _is_worth_a_sentence(eval);
}

/* ---- Sentences ---------------------------------------------------------------------------------
 */

static void _forget_sentence(void) {
    current.suggests = false;
    current.told.text[0] = '\0';
    current.told.question = 0;
}

/* Where clients do not show a job's segments, its comment does. */
static void _add_segments(const job_record_t* job) {
    uint32_t size = job->details->segment_size;
    char* text = current.told.text;
    size_t length = strlen(text);

    if (NVL72_CLIENTS_SHOW_SEGMENTS || !size || xstrstr(text, "segments of ") ||
        xstrstr(text, "segment of "))
        return;
    snprintf(text + length, NVL72_LONGEST - length, "; segments of %u", size);
}

/* The others are kept. */
static void _add_kept(const nvl72_case_t* c) {
    bitstr_t* free_nodes = nvl72_free_nodes(c->job);
    uint32_t left = bit_set_count(c->candidates), all = bit_set_count(free_nodes);
    size_t length = strlen(current.told.text);

    FREE_NULL_BITMAP(free_nodes);
    if (all > left)
        snprintf(current.told.text + length, NVL72_LONGEST - length,
                 "; %u more are free, but kept for other jobs or reservations", all - left);
}

/* Without a refusal there is no sentence. */
static void _tell(const nvl72_case_t* c, nvl72block_answer* refusal, bool kept) {
    const char* why = nvl72block_answer_sentence(refusal);

    _forget_sentence();
    if (!why[0]) return;
    snprintf(current.told.text, NVL72_LONGEST, NVL72_OWNER " %s", why);
    current.told.reason = nvl72block_answer_reason(refusal);
    if (kept) _add_kept(c);
    _add_segments(c->job);
}

/* Of a job that has no sentence, because what it is offered is for no start now. */
static void _tell_segments_only(const topology_eval_t* eval) {
    if (NVL72_CLIENTS_SHOW_SEGMENTS || !nvl72_is_no_start(eval)) return;
    snprintf(current.told.text, NVL72_LONGEST, "%s", NVL72_NOT_ASKED);
    current.told.reason = NVL72_NO_QUESTION;
    _add_segments(eval->job_ptr);
}

static void _add_to_key(uint64_t* key, uint64_t number) {
    *key = (*key ^ number) * UINT64_C(0x100000001b3); /* FNV-1a, by words */
    *key ^= *key >> 29;
}

static void _add_nodes_to_key(uint64_t* key, nvl72block_view nodes) {
    for (size_t i = 0; i < (nodes.bits + 63) / 64; i++) _add_to_key(key, nodes.words[i]);
}

/* What a suggestion depends on: the job's request, the candidates, and what is left of those that
 * it shares. */
static uint64_t _question(const nvl72_case_t* c, bitstr_t* in_any_block) {
    nvl72block_view nodes = nvl72_view(c->candidates);
    const job_details_t* details = c->job->details;
    uint64_t key = UINT64_C(0xcbf29ce484222325);

    _add_nodes_to_key(&key, nodes);
    if (in_any_block) _add_nodes_to_key(&key, nvl72_view(in_any_block));
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

/* Behind the sentence, unless nothing has changed since: then as before. Of blocks in use that is
 * not known without them. */
static void _add_suggestions(nvl72_case_t* c, bitstr_t* in_any_block) {
    size_t length = strlen(current.told.text);
    const char* known;

    if (!length || (length >= NVL72_LINE)) return;
    current.suggests = true;
    current.told.question = _question(c, in_any_block);
    known = nvl72_comment_suggestions(c->job, current.told.question);
    if (!in_any_block && xstrstr(known, NVL72_WITHOUT_EXCLUSIVE)) known = NULL;
    if (known)
        snprintf(current.told.text + length, NVL72_LINE - length, "%s", known);
    else
        nvl72_suggest(c, in_any_block, current.told.text + length, NVL72_LINE - length);
}

/* ---- Jobs that Slurm has not asked about -------------------------------------------------------
 */

/* Whether the job shares no node with others. */
static bool _is_alone(const job_record_t* job) {
    return nvl72_has_whole_nodes(job) || IS_JOB_WHOLE_TOPO(job);
}

/* How many nodes are idle and in service, but not for this job now: see nvl72_drained(). */
static uint32_t _count_kept(const nvl72_case_t* c) {
    bitstr_t* kept = bit_copy(c->eval->node_map);
    uint32_t count;

    bit_and(kept, idle_node_bitmap);
    bit_and_not(kept, avail_node_bitmap);
    bit_and_not(kept, c->drained);
    count = bit_set_count(kept);
    FREE_NULL_BITMAP(kept);
    return count;
}

/* Tells that too few of the nodes `free_nodes` are free; nothing where that is not so. The case is
 * about these nodes from now on. */
static void _tell_shortage(nvl72_case_t* c, nvl72block_reason reason, bitstr_t* free_nodes,
                           uint32_t blocked) {
    nvl72block_refusal refusal = {.reason = reason,
                                  .shares_nodes = !_is_alone(c->job),
                                  .unused_blocks = IS_JOB_WHOLE_TOPO(c->job)};
    nvl72block_request request = {.min_nodes = c->eval->min_nodes,
                                  .max_nodes = c->eval->min_nodes,
                                  .segment_size = c->request.segment_size};
    nvl72block_answer* answer;

    nvl72_case_count_drained(c);
    refusal.kept_nodes = _count_kept(c) + blocked;
    bit_copybits(c->candidates, free_nodes);
    answer = nvl72block_refuse(c->topology, &request, &c->state, &refusal);
    _tell(c, answer, false);
    nvl72block_answer_free(answer);
}

/* What of the job's nodes it can get now: in any block, and where its blocks must be its own in
 * those. Returns how many are left out for jobs that keep them. */
static uint32_t _find_free(const nvl72_case_t* c, bitstr_t* in_any_block, bitstr_t* usable) {
    uint32_t blocked;

    bit_and(in_any_block, avail_node_bitmap);
    if (_is_alone(c->job))
        bit_and(in_any_block, idle_node_bitmap);
    else /* Slurm counts what is left of nodes in part use */
        nvl72_take_out_unshared(in_any_block);
    blocked = nvl72_take_out_blocked(in_any_block);
    bit_copybits(usable, in_any_block);
    if (IS_JOB_WHOLE_TOPO(c->job)) nvl72_take_out_blocks_in_use(c->topology, usable);
    return blocked;
}

/* What the job is offered are whole nodes, so that suggestions may count on those in no use only.
 */
static void _tell_what_is_free(nvl72_case_t* c) {
    bitstr_t *in_any_block = bit_copy(c->eval->node_map), *usable = bit_copy(in_any_block);
    uint32_t blocked = _find_free(c, in_any_block, usable);

    _tell_shortage(c, NVL72BLOCK_NOT_ENOUGH_FREE, usable, blocked);
    if (current.told.text[0]) {
        bit_and(c->candidates, idle_node_bitmap);
        nvl72_case_take_offers(c, in_any_block);
        _add_suggestions(c, in_any_block);
    }
    FREE_NULL_BITMAP(usable);
    FREE_NULL_BITMAP(in_any_block);
}

/* What the sentence that a job is owed still lacks: whether it would start in blocks in use. */
static void _tell_what_is_owed(nvl72_case_t* c) {
    bitstr_t *in_any_block = bit_copy(c->eval->node_map), *unused = bit_copy(in_any_block);

    (void)_find_free(c, in_any_block, unused);
    bit_copybits(c->candidates, in_any_block);
    nvl72_case_take_offers(c, in_any_block);
    if (owed.suggests) nvl72_suggest_blocks_in_use(c, owed.told.text, NVL72_LINE);
    nvl72_comment_refuse(c->job, &owed.told);
    owed.job_id = 0;
    FREE_NULL_BITMAP(unused);
    FREE_NULL_BITMAP(in_any_block);
}

/* Whether Slurm asks about more than unused blocks, as far as the job's partition tells. */
static bool _is_more_free(const job_record_t* job, const nvl72block_topology* topology) {
    bitstr_t *all, *unused;
    bool found;

    if (!topology || !job->part_ptr || !job->part_ptr->node_bitmap) return false;
    all = nvl72_free_nodes(job);
    unused = bit_copy(all);
    nvl72_take_out_blocks_in_use(topology, unused);
    found = !bit_equal(all, unused);
    FREE_NULL_BITMAP(unused);
    FREE_NULL_BITMAP(all);
    return found;
}

static void _owe_or_refuse(job_record_t* job, const nvl72block_topology* topology) {
    if (!nvl72_may_share_blocks(job) || !_is_more_free(job, topology)) {
        nvl72_comment_refuse(job, &current.told);
        return;
    }
    if (owed.job_id != job->job_id) owed.since = nvl72_seconds();
    owed.job_id = job->job_id;
    owed.suggests = current.suggests;
    owed.told = current.told;
}

/* Slurm has not asked. */
static void _settle_what_is_owed(void) {
    job_record_t* job = owed.job_id ? find_job_record(owed.job_id) : NULL;

    owed.job_id = 0;
    if (job && IS_JOB_PENDING(job)) nvl72_comment_refuse(job, &owed.told);
}

/*
 * Slurm tests whether a job could run on more nodes after it was refused a start now. If it comes
 * without that, there were too few free nodes to ask a topology plugin at all, or the job waits for
 * something else. Only what is free now is told.
 */
static void _tell_without_question(nvl72_context_t* context, topology_eval_t* eval) {
    nvl72block_topology* topology = nvl72_context_topology(context);
    job_record_t* job = eval->job_ptr;
    nvl72_case_t c;

    if (topology && (owed.job_id == job->job_id)) {
        nvl72_case_open(&c, topology, context->options, eval);
        _tell_what_is_owed(&c);
        nvl72_case_close(&c);
    } else if (topology && ((asked_job != job->job_id) || (nvl72_seconds() > asked_at + 1))) {
        nvl72_case_open(&c, topology, context->options, eval);
        _tell_what_is_free(&c);
        nvl72_case_close(&c);
        /* A job that has blocks for itself is asked about without those in use afterwards. */
        if (!current.told.text[0] && !IS_JOB_WHOLE_TOPO(job)) _tell_segments_only(eval);
        if (current.told.text[0] || !IS_JOB_WHOLE_TOPO(job))
            nvl72_comment_refuse(job, &current.told);
    }
    nvl72block_topology_release(topology);
}

/*
 * Backfill's first test of a job that has whole nodes. Where that is not of free nodes, too few of
 * these were left for a test of a start now.
 */
static void _begin_behind(nvl72_context_t* context, topology_eval_t* eval) {
    nvl72block_topology* topology;
    bitstr_t* free_nodes;
    nvl72_case_t c;

    _forget_sentence();
    current.offered = nvl72_judge_offer(eval);
    current.behind = true;
    current.told_about = current.offered == NVL72_FREE_NOW;
    if (current.told_about || !_is_worth_a_sentence(eval)) return;
    topology = nvl72_context_topology(context);
    if (!topology) return;
    free_nodes = nvl72_free_nodes(eval->job_ptr);
    nvl72_case_open(&c, topology, context->options, eval);
    _tell_shortage(&c, NVL72BLOCK_KEPT_FOR_OTHERS, free_nodes, 0);
    nvl72_case_close(&c);
    FREE_NULL_BITMAP(free_nodes);
    nvl72block_topology_release(topology);
    nvl72_comment_refuse(eval->job_ptr, &current.told);
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

/*
 * Only backfill tests the components of a heterogeneous job, for starts now and later alike, and
 * the later ones only if the first can start. What they were told when they were submitted, before
 * they had the number of their job, would not change any more. Their own numbers are consecutive.
 */
static void _silence_components(uint32_t het_job_id) {
    job_record_t* job = find_job_record(het_job_id);

    for (uint32_t next = het_job_id; job && (job->het_job_id == het_job_id);
         job = find_job_record(++next))
        if (IS_JOB_PENDING(job)) nvl72_comment_remove(job);
}

/* ---- The steps of an evaluation ----------------------------------------------------------------
 */

static bool _explains(const nvl72_context_t* context) {
    return context && !context->silent &&
           nvl72block_options_have(context->options, "Nvl72Explain=on");
}

static void _begin_backfill_test(nvl72_context_t* context, topology_eval_t* eval) {
    job_record_t* job = eval->job_ptr;

    nvl72_receipt_settle();
    nvl72_comment_expire(job);
    if (nvl72_is_first_backfill_test() && _explains(context) && nvl72_comment_may_change(job) &&
        nvl72_has_whole_nodes(job) && !IS_JOB_WHOLE_TOPO(job) && nvl72_waits_for_nodes_only(job))
        _begin_behind(context, eval);
}

static void _begin_start(nvl72_context_t* context, topology_eval_t* eval) {
    job_record_t* job = eval->job_ptr;

    nvl72_receipt_settle();
    if (!_explains(context)) {
        owed.job_id = 0;
        nvl72_comment_remove(job);
        return;
    }
    if (!nvl72_comment_may_change(job)) return;
    _forget_sentence();
    current.offered = nvl72_judge_offer(eval);
    if (IS_JOB_WHOLE_TOPO(job) && _is_offered_blocks_in_use(context, eval))
        current.offered = NVL72_HYPOTHETICAL;
    if (current.offered == NVL72_HYPOTHETICAL) {
        if (_is_worth_a_sentence(eval)) _tell_without_question(context, eval);
        return;
    }
    current.told_about = true;
    asked_job = job->job_id;
    asked_at = nvl72_seconds();
}

extern void nvl72_explain_begin(nvl72_context_t* context, topology_eval_t* eval) {
    job_record_t* job = eval->job_ptr;

    current.told_about = current.behind = false;
    current.kept[0] = '\0';
    if (!job->job_id) return;
    if ((owed.job_id != job->job_id) || (nvl72_seconds() > owed.since + 1)) _settle_what_is_owed();
    if (job->het_job_id)
        _silence_components(job->het_job_id);
    else if (IS_JOB_PENDING(job) && (job->bit_flags & BACKFILL_TEST))
        _begin_backfill_test(context, eval);
    else if (nvl72_is_for_a_start(job))
        _begin_start(context, eval);
}

/* The same question without blocked nodes, where there are some; NULL for none. The job does not
 * fit on fewer nodes either. */
static nvl72block_answer* _without_blocked(nvl72_case_t* c) {
    if (c->gave_up || !nvl72_take_out_blocked(c->candidates)) return NULL;
    return nvl72block_place(c->topology, &c->request, &c->state, NULL);
}

/* Of two passes the one that could use any GRES tells what the job lacks, else the last. */
extern void nvl72_explain_refusal(nvl72_case_t* c) {
    bool limited = c->job->gres_list_req && c->eval->first_pass;
    nvl72block_answer* own;

    if (!nvl72_explain_awaits(c->eval) || (current.told.text[0] && limited)) return;
    own = _without_blocked(c);
    _tell(c, (own && !nvl72block_answer_placed(own)) ? own : c->answer,
          current.behind && !c->gave_up);
    nvl72block_answer_free(own);
    /* Whether all that is offered is free now is known at the end, for those that matter here. */
    if (!c->gave_up && !nvl72block_answer_permanent(c->answer)) _add_suggestions(c, NULL);
}

extern void nvl72_explain_wait(const nvl72_case_t* c) {
    nvl72block_refusal why = nvl72_waits_for_fewer_blocks(c);
    nvl72block_answer* refusal;

    if (!nvl72_explain_awaits(c->eval)) return;
    refusal = nvl72block_refuse(c->topology, &c->request, &c->state, &why);
    _tell(c, refusal, false);
    nvl72block_answer_free(refusal);
}

extern bool nvl72_explain_awaits_start(const topology_eval_t* eval) {
    return current.told_about && !current.behind && nvl72_comment_is_ours(eval->job_ptr);
}

extern void nvl72_explain_kept(const char* kept) {
    snprintf(current.kept, sizeof(current.kept), "%s", kept);
}

extern void nvl72_explain_end(const topology_eval_t* eval, const nvl72block_topology* topology,
                              int rc) {
    job_record_t* job = eval->job_ptr;

    if (!current.told_about) return;
    current.told_about = false;
    if (current.behind && !rc) return; /* backfill starts it by another evaluation, if it does */
    if (!rc && (owed.job_id == job->job_id)) owed.job_id = 0;
    if (!rc && job->best_switch) {
        if (nvl72_comment_is_ours(job) && nvl72_is_of_now(eval, current.offered))
            nvl72_receipt_give(job, topology, eval->node_map, current.kept);
    } else if (_is_worth_a_sentence(eval) && (!xstrcmp(job->system_comment, current.told.text) ||
                                              nvl72_is_of_now(eval, current.offered))) {
        _owe_or_refuse(job, topology);
    }
    if (_is_worth_a_sentence(eval) && !job->system_comment) {
        _forget_sentence();
        _tell_segments_only(eval);
        nvl72_comment_refuse(job, &current.told);
    }
}
