/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Places a job in passes. A pass asks the engine for nodes, lays the job out on them, and asks
 * again with what the layout has taught. The engine's refusal ends it, so a job that cannot run
 * costs one question; how many any job may cost is bounded by NVL72_QUESTIONS.
 */
#include "comment/comment.h"
#include "decision/decision.h"
#include "demand/demand.h"
#include "job/job.h"
#include "slurm/clock.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/log.h"
#include "src/common/read_config.h"

/* Where the pass may take a job's GPUs and other GRES. */
static const char* _reach(const nvl72_case_t* c) {
    if (!c->job->gres_list_req || c->job->details->arbitrary_tpn) return "";
    return c->eval->first_pass ? " with GRES near the cores" : " with any GRES";
}

/* What the placement left of the slots that policy demand counted: for the log and the receipt. */
static void _tell_kept(const nvl72_case_t* c) {
    bool logged = slurm_conf.debug_flags & DEBUG_FLAG_SELECT_TYPE;
    char kept[512]; /* eight sizes take less */

    if (!logged && !nvl72_explain_awaits_start(c->eval)) return;
    nvl72block_demand_kept(c->request.demand, c->topology, c->state.idle,
                           nvl72block_answer_nodes(c->answer), kept, sizeof(kept));
    if (logged && kept[0]) info("%pJ: keeps room for %s", c->job, kept);
    nvl72_explain_kept(kept);
}

/* One line per pass, whose name is `pass`. */
static void _log_decision(nvl72_case_t* c, int rc, uint64_t started, const char* pass) {
    uint64_t took = nvl72_microseconds() - started;

    if (!(slurm_conf.debug_flags & DEBUG_FLAG_SELECT_TYPE)) return;
    if (rc == SLURM_SUCCESS) {
        info(
            "%pJ: %u nodes in %zu base blocks, %zu whole blocks broken, %s; %s%s, %u questions, "
            "%" PRIu64 " us",
            c->job, nvl72_count_nodes(nvl72block_answer_nodes(c->answer)),
            nvl72block_answer_block_count(c->answer), nvl72block_answer_broken_count(c->answer),
            nvl72block_answer_proven(c->answer) ? "proven best" : "search limit reached", pass,
            _reach(c), c->questions, took);
    } else {
        const char* why = nvl72block_answer_sentence(c->answer);

        info("%pJ: %s; %s%s, %u questions, %" PRIu64 " us", c->job,
             why[0] ? why : slurm_strerror(rc), pass, _reach(c), c->questions, took);
    }
}

/* What Slurm asks. */
typedef struct {
    nvl72_context_t* context;
    nvl72block_topology* topology;
    topology_eval_t* eval;
    nvl72_verdict_t* verdict;
    bool keeps_cpus; /* nodes keep all their CPUs: with fewer the job did not start */
    bool avoids;     /* nodes that Slurm turned down are not among the candidates */
} nvl72_asked_t;

/* What the passes of a job share. */
typedef struct {
    const nvl72_asked_t* asked;
    bitstr_t* candidates;
    bool spares;       /* nodes with fewer CPUs or GPUs than the job wants of each are left out */
    bool spared;       /* some were */
    bool lacks_memory; /* nodes have it for some of their sockets only: others' jobs may have the
                          rest */
    bool any_memory;   /* nodes in use count without it */
    bool share_cpus;   /* the job's tasks need no CPUs of their own */
    bool all_gpus;     /* GPUs count for which a node has too few CPUs for DefCpuPerGPU */
    bool keeps_cpus;   /* nodes keep all their CPUs, more than the job's minimum */
    uint32_t within;   /* base blocks, or not at all; 0: any number */
    bool adapted;      /* a layout failed */
    bool sized_up;     /* what nodes can give the job was found by trying one of each kind */
    bool as_slurm;     /* nodes are laid out by Slurm's own algorithms */
    bool again; /* a pass with other GRES, near the cores or far from them, could end differently */
    /* Where GRES near the cores need several base blocks, any GRES in one are tried. */
    bool gathers;
    uint32_t apart; /* the nodes of such a pass, which ended before their layout; 0: it did not */
} nvl72_passes_t;

#define NVL72_TRIES_ALONE 8 /* of a job that has its base blocks for itself */

/* Which nodes are drained is in their records, and only the numbers of a refusal need it. */
static void _open(nvl72_case_t* c, const nvl72_asked_t* asked) {
    nvl72_case_open(c, asked->topology, asked->context->options, asked->eval);
    c->request.demand = nvl72_demand_in_force(asked->context->demand);
    if (nvl72_explain_awaits(asked->eval) || (slurm_conf.debug_flags & DEBUG_FLAG_SELECT_TYPE))
        nvl72_case_count_drained(c);
}

/* The search, or the questions, ended before all was tried. */
static bool _is_unproven_refusal(const nvl72block_answer* answer) {
    return answer && !nvl72block_answer_placed(answer) &&
           (!nvl72block_answer_proven(answer) ||
            (nvl72block_answer_reason(answer) == NVL72BLOCK_LAYOUTS_FAILED));
}

/* Of several passes the last one counts, but a fault of any. */
static void _note(nvl72_verdict_t* verdict, nvl72_case_t* c, int rc) {
    verdict->failed |= c->failed;
    verdict->unsure = rc && (c->failed || _is_unproven_refusal(c->answer));
    snprintf(verdict->why, sizeof(verdict->why), "%s",
             rc ? nvl72block_answer_sentence(c->answer) : "");
}

static uint32_t _most_sockets(nvl72block_view nodes) {
    uint32_t most = 1;

    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        most = MAX(most, node_record_table_ptr[i]->tot_sockets);
    return most;
}

/* Whether a job that wants no more nodes than it needs, and lies in several base blocks, could lie
 * in one with GRES of all sockets of a node. */
static bool _may_lie_in_one(const nvl72_case_t* c) {
    const nvl72block_request* request = &c->request;
    nvl72block_view nodes = nvl72block_answer_nodes(c->answer);
    uint32_t most = nvl72block_topology_planning_size(c->topology);

    if ((nvl72block_answer_block_count(c->answer) < 2) || (request->min_nodes > most) ||
        (!request->sized_by_totals && (request->min_nodes != request->max_nodes)))
        return false;
    return nvl72_count_nodes(nodes) <= most * _most_sockets(nodes);
}

static int _ask_until_laid_out(nvl72_passes_t* passes, nvl72_case_t* c) {
    int rc = c->request.sized_by_totals ? nvl72_case_examine(c) : SLURM_SUCCESS;

    while (rc == SLURM_SUCCESS) {
        nvl72_findings_t findings = {0};
        nvl72_layout_t layout;

        rc = nvl72_ask(c);
        if (rc) break;
        if (passes->gathers && _may_lie_in_one(c)) {
            passes->apart = nvl72_count_nodes(nvl72block_answer_nodes(c->answer));
            break;
        }
        layout = nvl72_lay_out(c, &findings);
        if (layout == NVL72_LAID_OUT) break;
        rc = nvl72_adapt(c, layout, &findings);
        FREE_NULL_BITMAP(findings.bad);
    }
    return rc;
}

/* The node map has the candidates and becomes the chosen nodes. */
static int _run_pass(nvl72_passes_t* passes, const char* pass) {
    uint64_t started = nvl72_microseconds();
    nvl72_case_t c;
    int rc;

    _open(&c, passes->asked);
    if (passes->spares) c.spared = &passes->spared;
    c.lacks_memory = &passes->lacks_memory;
    c.any_memory = passes->any_memory;
    c.share_cpus = passes->share_cpus;
    c.all_gpus = passes->all_gpus;
    c.keeps_cpus = passes->keeps_cpus;
    c.within = passes->within;
    if (passes->as_slurm) nvl72_case_lay_out_as_slurm(&c);
    nvl72_hres_reset(c.job);
    nvl72_hres_limit(&c);
    passes->apart = 0;
    rc = _ask_until_laid_out(passes, &c);
    passes->again = c.job->gres_list_req && (c.adapted || c.examined);
    passes->adapted |= c.adapted;
    passes->sized_up |= c.examined;
    if (rc == SLURM_SUCCESS) nvl72_job_info_record(c.job, c.answer, c.request.segment_size);
    _log_decision(&c, rc, started, pass);
    if (!rc)
        c.job->best_switch ? _tell_kept(&c) : nvl72_explain_wait(&c);
    else if (!c.within && !c.as_slurm)
        nvl72_explain_refusal(&c);
    if (!rc || !c.as_slurm) _note(passes->asked->verdict, &c, rc);
    nvl72_case_close(&c);
    return rc;
}

/* More nodes than tasks are no use, unless the tasks per node are fixed. */
static bool _clip_max_nodes(topology_eval_t* eval) {
    const job_details_t* details = eval->job_ptr->details;

    if (!details->num_tasks || details->ntasks_per_node || (eval->max_nodes <= details->num_tasks))
        return false;
    eval->max_nodes = MIN(eval->max_nodes, MAX(details->num_tasks, eval->min_nodes));
    return true;
}

/*
 * GRES near the cores can take more nodes than any GRES, and so more base blocks than one: such a
 * job goes into one with any, if that takes no more nodes.
 */
static int _run_near(nvl72_passes_t* passes) {
    topology_eval_t* eval = passes->asked->eval;
    const job_record_t* job = eval->job_ptr;
    uint32_t max_nodes = eval->max_nodes;
    int rc;

    passes->gathers = job->gres_list_req && !job->req_switch && !nvl72_has_whole_nodes(job);
    rc = _run_pass(passes, "first pass");
    passes->gathers = false;
    if (!passes->apart) return rc;
    eval->max_nodes = passes->apart;
    eval->first_pass = false;
    passes->within = 1;
    bit_copybits(eval->node_map, passes->candidates);
    rc = _run_pass(passes, "pass in one base block");
    passes->within = 0;
    eval->max_nodes = max_nodes;
    if (!rc) return rc;
    eval->first_pass = true;
    bit_copybits(eval->node_map, passes->candidates);
    return _run_pass(passes, "first pass");
}

/*
 * Two at most: GRES jobs first with GPUs near the cores only, then with any; all jobs first on no
 * more nodes than tasks. A job that gets whole nodes has all cores, the far ones too: so first with
 * any. But with --ntasks-per-core Slurm can offer it fewer CPUs then. Slurm's `first_pass` means
 * near the cores.
 */
static int _run_both(nvl72_passes_t* passes) {
    topology_eval_t* eval = passes->asked->eval;
    uint32_t max_nodes = eval->max_nodes;
    bool clipped = _clip_max_nodes(eval);
    bool whole = nvl72_has_whole_nodes(eval->job_ptr);
    int rc;

    eval->first_pass = !whole;
    rc = _run_near(passes);
    if (rc && ((rc != NVL72_E_NEVER) || passes->within) && (clipped || passes->again)) {
        bit_copybits(eval->node_map, passes->candidates);
        eval->first_pass = whole;
        eval->max_nodes = max_nodes;
        rc = _run_pass(passes, "second pass");
    }
    eval->max_nodes = max_nodes;
    return rc;
}

/* GRES near the cores can take more nodes than any GRES, and then more base blocks than --switches
 * wants: so first in as few, with either. */
static int _run_within_switches(nvl72_passes_t* passes) {
    const job_record_t* job = passes->asked->eval->job_ptr;
    int rc;

    bit_copybits(passes->asked->eval->node_map, passes->candidates);
    passes->within = job->gres_list_req ? job->req_switch : 0;
    rc = _run_both(passes);
    if (!rc || !passes->within) return rc;
    passes->within = 0;
    bit_copybits(passes->asked->eval->node_map, passes->candidates);
    return _run_both(passes);
}

/* A job with more tasks than CPUs for them, which with --overcommit Slurm does not refuse.
 * `refused` is the code of its refusal. */
static int _keep_in_queue(nvl72_passes_t* passes, int refused) {
    topology_eval_t* eval = passes->asked->eval;
    int rc;

    bit_copybits(eval->node_map, passes->candidates);
    if (!nvl72_waits_for_cpus_of_tasks(eval)) return refused;
    passes->share_cpus = true;
    rc = _run_both(passes);
    if (!rc) passes->asked->verdict->waits = refused;
    return rc;
}

/* Where topology/block, or all of Slurm's plugins, keep more of a node's CPUs for a job. */
static bool _may_keep_cpus(const job_record_t* job) {
    uint16_t tasks = job->details->ntasks_per_tres;

    return job->details->segment_size || (job->gres_list_req && tasks && (tasks != NO_VAL16));
}

/* What the other passes said of a refusal holds. */
static int _run_as_slurm(nvl72_passes_t* passes, int refused) {
    int rc;

    passes->as_slurm = true;
    rc = _run_within_switches(passes);
    passes->as_slurm = false;
    return rc ? refused : SLURM_SUCCESS;
}

/*
 * Slurm's own plugins start jobs for which the numbers of nodes look too small, so these are used
 * where there are no others: nodes with fewer CPUs than --mincpus, or GPUs than --gpus-per-socket,
 * name; GPUs without the CPUs of DefCpuPerGPU; whatever Slurm's own algorithms find, on nodes that
 * are chosen by what Slurm offers of them; and, as topology/block does with --segment, all CPUs of
 * nodes for a job whose minimum is that of one task, though --ntasks-per-gpu makes more.
 */
static int _run_passes(const nvl72_asked_t* asked) {
    topology_eval_t* eval = asked->eval;
    nvl72_passes_t passes = {.asked = asked,
                             .candidates = bit_copy(eval->node_map),
                             .spares = true,
                             .keeps_cpus = asked->keeps_cpus};
    int rc = _run_within_switches(&passes);

    /* Of one node that is spared Slurm may start the job on more CPUs than we count there. */
    if (rc && passes.spared && nvl72_takes_one_node(eval)) rc = _run_as_slurm(&passes, rc);
    if (rc && passes.spared) {
        passes.spares = false;
        rc = _run_within_switches(&passes);
    }
    if (rc && nvl72_default_cpus_exceed_node(eval)) {
        passes.all_gpus = true;
        rc = _run_within_switches(&passes);
        passes.all_gpus = false;
    }
    if (rc && (rc != NVL72_E_NEVER) && (passes.adapted || passes.sized_up))
        rc = _run_as_slurm(&passes, rc);
    if (rc && (passes.adapted || passes.sized_up) && _may_keep_cpus(eval->job_ptr)) {
        passes.keeps_cpus = true;
        rc = _run_within_switches(&passes);
        passes.keeps_cpus = false;
    }
    /* Slurm asks with the cores in use first, and then with free ones. */
    if (rc && passes.lacks_memory && nvl72_may_share_cores(eval->job_ptr)) {
        passes.any_memory = true;
        rc = _run_within_switches(&passes);
        passes.any_memory = false;
    }
    if (rc) rc = _keep_in_queue(&passes, rc);
    if (rc) bit_copybits(eval->node_map, passes.candidates);
    asked->verdict->lacks_memory = rc && passes.lacks_memory;
    FREE_NULL_BITMAP(passes.candidates);
    return rc;
}

/* ---- Jobs that are placed in another way -------------------------------------------------------
 */

/* With nodes that the job must have in this question. */
static int _run_passes_with(const nvl72_asked_t* asked, bitstr_t* required) {
    job_details_t* details = asked->eval->job_ptr->details;
    bitstr_t* others = details->req_node_bitmap;
    int rc;

    details->req_node_bitmap = required;
    rc = _run_passes(asked);
    details->req_node_bitmap = others;
    return rc;
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
    _open(&c, asked);
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

    if (rc && fewer) rc = _run_passes(asked);
    if (rc && fewer) {
        bit_copybits(eval->node_map, candidates);
        rc = _leave_room_in_one_block(asked, all);
    }
    if (rc) bit_copybits(eval->node_map, candidates);
    if (rc && nvl72_may_preempt(eval))
        rc = _until_more_is_preempted(eval);
    else if (rc && !asked->avoids)
        rc = _run_passes(asked);
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

    if (!theirs) return _run_passes(asked);
    candidates = bit_copy(eval->node_map);
    bit_and_not(eval->node_map, theirs);
    rc = _run_passes(asked);
    if (rc) {
        bit_copybits(eval->node_map, candidates);
        rc = _run_passes(asked);
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
    _open(&c, asked);
    rc = nvl72_ask(&c);
    if (rc == SLURM_SUCCESS) {
        nvl72_show_chosen(&c);
        nvl72_job_info_record(c.job, c.answer, c.request.segment_size);
    }
    _log_decision(&c, rc, started, "nodes of the hostfile");
    if (rc && !c.within) nvl72_explain_refusal(&c);
    _note(asked->verdict, &c, rc);
    nvl72_case_close(&c);
    return rc ? rc : nvl72_leave_to_slurm(asked->eval);
}

/* ---- Every job ---------------------------------------------------------------------------------
 */

/* Before any question to the engine. */
static int _refuse(const nvl72_asked_t* asked, const nvl72block_refusal* why, int rc) {
    nvl72_case_t c;

    _open(&c, asked);
    c.request.min_nodes = MAX(c.request.min_nodes, c.job->details->min_nodes);
    (void)nvl72_give_up(&c, why, rc);
    _log_decision(&c, rc, nvl72_microseconds(), "before any question");
    nvl72_explain_refusal(&c);
    _note(asked->verdict, &c, rc);
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
        bitstr_t* chosen = bit_alloc(bit_size(others));
        nvl72_case_t c;

        bit_copybits(eval->node_map, others);
        _open(&c, asked);
        in_use = nvl72_ask(&c) == SLURM_SUCCESS;
        if (in_use) {
            nvl72_add_nodes(chosen, nvl72block_answer_nodes(c.answer));
            in_use = nvl72_take_out_blocks_left_in_use(asked->topology, chosen, to_preempt, others);
        }
        nvl72_case_close(&c);
        FREE_NULL_BITMAP(chosen);
    }
    eval->job_ptr->best_switch = true;
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
        if (nvl72_may_preempt(eval))
            rc = _until_more_is_preempted(eval);
        else if (rc)
            rc = _place_in_blocks(asked);
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
