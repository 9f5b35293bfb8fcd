/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Chooses the nodes among which a job is placed, so that its other nodes and components find room,
 * no job is preempted for nothing, and nodes that Slurm turned down come last. passes.c places it.
 */
#include "comment/comment.h"
#include "decision/passes.h"
#include "demand/demand.h"
#include "slurm/clock.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/log.h"

#define NVL72_TRIES_ALONE 8 /* of a job that has its base blocks for itself */

/* With nodes that the job must have in this question. */
static int _run_passes_with(const nvl72_asked_t* asked, bitstr_t* required) {
    job_details_t* details = asked->eval->job_ptr->details;
    bitstr_t* others = details->req_node_bitmap;
    int rc;

    details->req_node_bitmap = required;
    rc = nvl72_run_passes(asked);
    details->req_node_bitmap = others;
    return rc;
}

/* Whether nodes of jobs to preempt can be offered after a refusal. */
static bool _may_preempt(const topology_eval_t* eval) {
    bitstr_t* nodes = nvl72_nodes_to_preempt(eval);
    bitstr_t* usable;
    bool may;

    if (!nodes) return false;
    usable = nvl72_ever_usable(eval);
    bit_and(nodes, usable);
    bit_and(nodes, avail_node_bitmap);
    nvl72_leave_suitable(eval->job_ptr, nodes);
    may = !bit_super_set(nodes, eval->node_map);
    FREE_NULL_BITMAP(usable);
    FREE_NULL_BITMAP(nodes);
    return may;
}

/* The refusal with which Slurm goes on to end jobs for this one. It does not hold the job after
 * NVL72_E_WAITS; but then it ends none, if it has not begun to. */
static int _until_more_is_preempted(const topology_eval_t* eval) {
    return nvl72_is_of_now(eval, nvl72_judge_offer(eval)) ? NVL72_E_NO_FIT : NVL72_E_WAITS;
}

/* As few nodes as a feature's may have to lie in a smaller block than all nodes of the job: then
 * Slurm's own way takes them in one of the size for all. */
static int _leave_room_in_one_block(const nvl72_asked_t* asked, uint32_t all) {
    topology_eval_t* eval = asked->eval;
    nvl72_offers_t offers;
    nvl72_case_t c;
    int rc;

    if (!nvl72_keep_room_for_others(asked->topology, eval, all, true)) return NVL72_E_NO_FIT;
    nvl72_open_asked(&c, asked);
    offers = nvl72_keep_offers(&c);
    rc = nvl72_leave_to_slurm(eval);
    if (rc) nvl72_put_back_offers(&c, &offers);
    nvl72_offers_free(&offers);
    nvl72_case_close(&c);
    return rc;
}

/* The nodes of a feature come first: where there is room for the job's other nodes, or else
 * anywhere, unless nodes that were turned down or jobs to preempt may give them room; and with
 * those that the job names, or else without. */
static int _leave_room_for_others(const nvl72_asked_t* asked, uint32_t all) {
    topology_eval_t* eval = asked->eval;
    bitstr_t* candidates = bit_copy(eval->node_map);
    bool fewer = nvl72_keep_room_for_others(asked->topology, eval, all, false);
    bitstr_t* named = nvl72_named_of_feature(eval);
    int rc = named ? _run_passes_with(asked, named) : SLURM_ERROR;

    if (rc && fewer) rc = nvl72_run_passes(asked);
    if (rc && fewer) {
        bit_copybits(eval->node_map, candidates);
        rc = _leave_room_in_one_block(asked, all);
    }
    if (rc) bit_copybits(eval->node_map, candidates);
    if (rc && _may_preempt(eval))
        rc = _until_more_is_preempted(eval);
    else if (rc && !asked->avoids)
        rc = nvl72_run_passes(asked);
    FREE_NULL_BITMAP(named);
    FREE_NULL_BITMAP(candidates);
    return rc;
}

/* Beside the other components of its heterogeneous job, if these need nodes of it; or else
 * anywhere. */
static int _leave_room_for_components(const nvl72_asked_t* asked) {
    topology_eval_t* eval = asked->eval;
    bitstr_t* theirs = nvl72_nodes_of_components(asked->context, asked->topology, eval);
    bitstr_t* candidates;
    int rc;

    if (!theirs) return nvl72_run_passes(asked);
    candidates = bit_copy(eval->node_map);
    bit_and_not(eval->node_map, theirs);
    rc = nvl72_run_passes(asked);
    if (rc) {
        bit_copybits(eval->node_map, candidates);
        rc = nvl72_run_passes(asked);
    }
    FREE_NULL_BITMAP(candidates);
    FREE_NULL_BITMAP(theirs);
    return rc;
}

/*
 * --distribution=arbitrary: the hostfile names the nodes and the tasks of each. The engine judges
 * whether the nodes keep the rules of blocks, then Slurm's own way gives each node its tasks' CPUs.
 */
static int _judge_hostfile(const nvl72_asked_t* asked) {
    uint64_t started = nvl72_microseconds();
    nvl72_case_t c;
    int rc;

    if (!NVL72_HAS_ARBITRARY) {
        info("%pJ: block topology cannot distribute tasks arbitrarily", asked->eval->job_ptr);
        return NVL72_E_NOT_SUPPORTED;
    }
    nvl72_open_asked(&c, asked);
    rc = nvl72_ask(&c);
    if (rc == SLURM_SUCCESS) {
        nvl72_show_chosen(&c);
        nvl72_job_info_record(c.job, c.answer, c.request.segment_size);
    }
    nvl72_log_decision(&c, rc, started, "nodes of the hostfile");
    if (rc && !c.within) nvl72_explain_refusal(&c);
    nvl72_note_verdict(asked->verdict, &c, rc);
    nvl72_case_close(&c);
    return rc ? rc : nvl72_leave_to_slurm(asked->eval);
}

/* Before any question to the engine. */
static int _refuse(const nvl72_asked_t* asked, const nvl72block_refusal* why, int rc) {
    nvl72_case_t c;

    nvl72_open_asked(&c, asked);
    c.request.min_nodes = MAX(c.request.min_nodes, c.job->details->min_nodes);
    (void)nvl72_give_up(&c, why, rc);
    nvl72_log_decision(&c, rc, nvl72_microseconds(), "before any question");
    nvl72_explain_refusal(&c);
    nvl72_note_verdict(asked->verdict, &c, rc);
    nvl72_case_close(&c);
    return rc;
}

static int _place_in_blocks(const nvl72_asked_t* asked) {
    nvl72block_refusal why;
    uint32_t all;
    int rc = nvl72_prepare(asked->topology, asked->eval, &why);

    if (rc) return _refuse(asked, &why, rc);
    if (asked->eval->job_ptr->details->arbitrary_tpn) return _judge_hostfile(asked);
    all = nvl72_nodes_around_a_feature(asked->eval);
    if (all) return _leave_room_for_others(asked, all);
    return _leave_room_for_components(asked);
}

/* Takes blocks out of `others` until the engine's answer, before any layout, leaves no job in its
 * blocks. */
static void _leave_blocks_alone(const nvl72_asked_t* asked, bitstr_t* to_preempt,
                                bitstr_t* others) {
    topology_eval_t* eval = asked->eval;
    bool in_use = true;

    for (uint32_t i = 0; in_use && (i < NVL72_TRIES_ALONE); i++) {
        bitstr_t* chosen;

        bit_copybits(eval->node_map, others);
        chosen = nvl72_fits_best(asked->context, asked->topology, eval);
        in_use = chosen &&
                 nvl72_take_out_blocks_left_in_use(asked->topology, chosen, to_preempt, others);
        FREE_NULL_BITMAP(chosen);
    }
}

/* Where no block can be had alone: Slurm may ask whether the job could ever run, and holds one for
 * good that is refused then. It does not start it now, so nodes come first of which no job would
 * be preempted for nothing. */
static int _place_beside_others(const nvl72_asked_t* asked, bitstr_t* candidates,
                                bitstr_t* to_preempt) {
    topology_eval_t* eval = asked->eval;
    int rc;

    bit_and_not(eval->node_map, to_preempt);
    rc = _place_in_blocks(asked);
    if (!rc) return rc;
    bit_copybits(eval->node_map, candidates);
    return _place_in_blocks(asked);
}

/*
 * Slurm preempts the jobs on the nodes that it is given for a job with --exclusive=topo, but starts
 * it only where no other is left in their base blocks: so blocks come first in which none is, and
 * others only when Slurm has tried to preempt every job.
 */
static int _place_in_blocks_alone(const nvl72_asked_t* asked, bitstr_t* to_preempt) {
    topology_eval_t* eval = asked->eval;
    bitstr_t *candidates = bit_copy(eval->node_map), *others = bit_copy(eval->node_map), *chosen;
    int rc;

    _leave_blocks_alone(asked, to_preempt, others);
    bit_copybits(eval->node_map, others);
    rc = _place_in_blocks(asked);
    chosen = bit_copy(eval->node_map);
    if (rc || nvl72_take_out_blocks_left_in_use(asked->topology, chosen, to_preempt, others)) {
        bit_copybits(eval->node_map, candidates);
        if (_may_preempt(eval))
            rc = _until_more_is_preempted(eval);
        else if (rc)
            rc = _place_beside_others(asked, candidates, to_preempt);
        else
            bit_copybits(eval->node_map, chosen);
    }
    FREE_NULL_BITMAP(candidates);
    FREE_NULL_BITMAP(others);
    FREE_NULL_BITMAP(chosen);
    return rc;
}

static int _place(const nvl72_asked_t* asked) {
    const job_record_t* job = asked->eval->job_ptr;
    bool alone = IS_JOB_WHOLE_TOPO(job) && !(job->bit_flags & BACKFILL_TEST);
    bitstr_t* to_preempt = alone ? nvl72_nodes_to_preempt(asked->eval) : NULL;
    int rc = to_preempt ? _place_in_blocks_alone(asked, to_preempt) : _place_in_blocks(asked);

    FREE_NULL_BITMAP(to_preempt);
    return rc;
}

static int _answer(const nvl72_asked_t* asked) {
    topology_eval_t* eval = asked->eval;
    bool inside = nvl72block_topology_touches(asked->topology, nvl72_view(eval->node_map));
    int rc;

    *asked->verdict = (nvl72_verdict_t){0};
    nvl72_job_info_start(eval->job_ptr);
    eval->job_ptr->best_switch = true;
    nvl72_note_offer(eval);
    /* A request without a number comes from callers that may not hold the job lock. */
    if (asked->context && eval->job_ptr->job_id)
        nvl72_demand_refresh(asked->context->demand, asked->topology);
    if (asked->topology && (inside || eval->job_ptr->details->segment_size))
        rc = _place(asked);
    else
        rc = nvl72_leave_to_slurm(eval); /* candidates in no block are none of our business */
    if (rc) NVL72_END_RETRIES(eval);
    return rc;
}

extern int nvl72_answer(nvl72_context_t* context, nvl72block_topology* topology,
                        topology_eval_t* eval, nvl72_verdict_t* verdict) {
    return _answer(&(nvl72_asked_t){
        .context = context, .topology = topology, .eval = eval, .verdict = verdict});
}

/* Nodes that Slurm has turned down for the job are given once more only where no others fit: then
 * with all their CPUs, if it can have them. */
static int _answer_elsewhere(nvl72_asked_t* asked) {
    topology_eval_t* eval = asked->eval;
    bitstr_t* candidates = nvl72_is_turned_down(eval) ? bit_copy(eval->node_map) : NULL;
    int rc = SLURM_ERROR;

    asked->avoids = true;
    for (int wide = 1; candidates && rc && (wide >= 0); wide--) {
        bit_copybits(eval->node_map, candidates);
        nvl72_avoid_turned_down(eval, wide);
        rc = _answer(asked);
    }
    asked->avoids = false;
    if (candidates && rc) {
        nvl72_forget_turned_down(eval->job_ptr);
        bit_copybits(eval->node_map, candidates);
        asked->keeps_cpus = true;
        rc = _answer(asked);
        asked->keeps_cpus = false;
        if (rc) bit_copybits(eval->node_map, candidates);
    }
    FREE_NULL_BITMAP(candidates);
    if (rc) rc = _answer(asked);
    /* Nodes of a feature alone are none that Slurm starts a job on. */
    if (!rc && !asked->verdict->waits && eval->job_ptr->best_switch &&
        !nvl72_nodes_around_a_feature(eval))
        nvl72_remember_given(eval);
    return rc;
}

static int _evaluate(nvl72_context_t* context, topology_eval_t* eval) {
    nvl72block_topology* topology;
    nvl72_verdict_t verdict;
    int rc, refused;

    if (nvl72_starts_in_another_partition(eval)) {
        NVL72_END_RETRIES(eval);
        return NVL72_E_NO_FIT;
    }
    nvl72_cliques_refresh(context);
    topology = nvl72_context_topology(context);
    nvl72_explain_begin(context, eval);
    rc = refused = _answer_elsewhere(&(nvl72_asked_t){
        .context = context, .topology = topology, .eval = eval, .verdict = &verdict});
    if (refused) rc = nvl72_outlast(context, topology, eval, &verdict, refused);
    if (refused && !rc) verdict.waits = refused;
    if (!rc && !verdict.waits) nvl72_note_partition(eval->job_ptr);
    nvl72_explain_end(eval, topology, rc ? rc : verdict.waits);
    nvl72block_topology_release(topology);
    return rc;
}

/* That a partition gives whole nodes Slurm notes in a job when it starts it, but not in a forecast
 * (node_scheduler.c). */
extern int nvl72_evaluate(nvl72_context_t* context, topology_eval_t* eval) {
    job_details_t* details = eval->job_ptr->details;
    uint8_t noted = details->whole_node;
    int rc;

    if (nvl72_has_whole_nodes(eval->job_ptr)) details->whole_node |= WHOLE_NODE_REQUIRED;
    rc = _evaluate(context, eval);
    details->whole_node = noted;
    return rc;
}
