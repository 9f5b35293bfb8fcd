/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Places a job: asks the engine where, lays the job out there, and asks again with what the layout
 * has taught. The engine's refusal is final, so a job that cannot run costs one question; how many
 * any job may cost is bounded by NVL72_QUESTIONS.
 */
#include <time.h>

#include "plugin.h"
#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/log.h"
#include "src/common/read_config.h"
#include "src/plugins/topology/common/common_topo.h"
#include "src/slurmctld/slurmctld.h"

/*
 * Nodes that are too large for the job, whatever the place; false when it must have one of them. A
 * whole node with more CPUs than the job may have at all is too much. Nodes without CPUs for the
 * job are no candidates: cons_tres has taken them out, so the others need not be looked at.
 */
static bool _drop_too_large(topology_eval_t* eval) {
    const job_details_t* details = eval->job_ptr->details;
    nvl72block_view nodes = nvl72_view(eval->node_map);

    if (!(details->whole_node & WHOLE_NODE_REQUIRED) || (details->max_cpus == NO_VAL)) return true;
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1)) {
        if (eval->avail_res_array[i]->avail_cpus <= details->max_cpus) continue;
        if (details->req_node_bitmap && bit_test(details->req_node_bitmap, i)) return false;
        bit_clear(eval->node_map, i);
    }
    return true;
}

/*
 * Backfill starts a job that has its blocks for itself only where all nodes of those are in
 * service: in another block it tries again and again, although a complete one may be idle.
 */
static void _drop_incomplete_blocks(const nvl72block_topology* topology, topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    bitstr_t* incomplete;

    if (!IS_JOB_WHOLE_TOPO(job) || !(job->bit_flags & BACKFILL_TEST)) return;
    incomplete = bit_copy(avail_node_bitmap);
    bit_not(incomplete);
    nvl72block_topology_complete(topology, nvl72_words(incomplete), bit_size(incomplete));
    bit_and_not(eval->node_map, incomplete);
    FREE_NULL_BITMAP(incomplete);
}

/* More nodes than tasks are no use, unless the tasks per node are fixed. */
static bool _clip_max_nodes(topology_eval_t* eval) {
    const job_details_t* details = eval->job_ptr->details;

    if (!details->num_tasks || details->ntasks_per_node || (eval->max_nodes <= details->num_tasks))
        return false;
    eval->max_nodes = MIN(eval->max_nodes, MAX(details->num_tasks, eval->min_nodes));
    return true;
}

extern int nvl72_give_up(nvl72_case_t* c, const char* why, int rc) {
    c->why = why;
    return rc;
}

/* ---- After a layout that failed ----------------------------------------------------------------
 */

/* Takes useless nodes out of the candidates; false when the job must have one. */
static bool _drop_bad(nvl72_case_t* c, bitstr_t* bad) {
    bitstr_t* required = c->job->details->req_node_bitmap;

    if (required && bit_overlap_any(required, bad)) return false;
    bit_and_not(c->candidates, bad);
    return true;
}

/* The step doubles, so that few questions reach far. */
static uint32_t _next_step(nvl72_case_t* c) {
    uint32_t step = c->step ? c->step : 1;

    c->step = 2 * step;
    return step;
}

/* More nodes than the engine took where CPUs and GPUs decide how many, fewer in a range. */
static bool _change_count(nvl72_case_t* c) {
    uint32_t taken = nvl72_count_nodes(nvl72block_answer_nodes(c->answer));
    nvl72block_request* request = &c->request;

    if (request->sized_by_capacity) {
        if (taken >= request->max_nodes) return false;
        request->min_nodes = MIN(taken + _next_step(c), request->max_nodes);
        return true;
    }
    if (taken <= request->min_nodes) return false;
    request->max_nodes = taken - MIN(_next_step(c), taken - request->min_nodes);
    return true;
}

/* The chosen node with the least to offer goes; false when all are required. */
static bool _drop_weakest(nvl72_case_t* c) {
    bitstr_t* required = c->job->details->req_node_bitmap;
    nvl72block_view nodes = nvl72block_answer_nodes(c->answer);
    int weakest = -1;

    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1)) {
        avail_res_t* offer = c->eval->avail_res_array[i];
        avail_res_t* least = weakest < 0 ? NULL : c->eval->avail_res_array[weakest];

        if (required && bit_test(required, i)) continue;
        if (!least || (offer->avail_gpus < least->avail_gpus) ||
            ((offer->avail_gpus == least->avail_gpus) && (offer->avail_cpus < least->avail_cpus)))
            weakest = i;
    }
    if (weakest < 0) return false;
    bit_clear(c->candidates, weakest);
    return true;
}

/* Changes the question after a layout that failed; an error when there is nothing to change. */
static int _adapt(nvl72_case_t* c, nvl72_layout_t layout, const nvl72_findings_t* findings) {
    bool known = c->examined;
    int rc;

    if (layout == NVL72_GRES_INDIVISIBLE)
        return nvl72_give_up(c, "the job's GRES cannot be divided evenly among its segments",
                             NVL72_E_NEVER);
    rc = nvl72_case_examine(c);
    if (rc) return rc;
    if (layout == NVL72_BAD_NODES) {
        if (_drop_bad(c, findings->bad)) return SLURM_SUCCESS;
        return nvl72_give_up(c, "a node required by name lacks cores or GRES for the job",
                             NVL72_E_REQUIRED_BUSY);
    }
    if (!known || _change_count(c) || _drop_weakest(c)) return SLURM_SUCCESS;
    return nvl72_give_up(c,
                         (layout == NVL72_SHORT_OF_CPUS)
                             ? "the nodes that the rules allow have too few CPUs for the job"
                             : "the nodes that the rules allow have too few GRES for the job",
                         NVL72_E_RESOURCES);
}

static int _attempt(nvl72_case_t* c) {
    int rc = c->request.sized_by_capacity ? nvl72_case_examine(c) : SLURM_SUCCESS;

    while (rc == SLURM_SUCCESS) {
        nvl72_findings_t findings = {0};
        nvl72_layout_t layout;

        rc = nvl72_ask(c);
        if (rc) break;
        layout = nvl72_lay_out(c, &findings);
        if (layout == NVL72_LAID_OUT) break;
        c->adapted = true;
        rc = _adapt(c, layout, &findings);
        FREE_NULL_BITMAP(findings.bad);
    }
    return rc;
}

/* ---- Passes ------------------------------------------------------------------------------------
 */

static uint64_t _microseconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return ((uint64_t)now.tv_sec * 1000000) + (now.tv_nsec / 1000);
}

/* One line per decision of a pass. */
static void _log_decision(nvl72_case_t* c, int rc, uint64_t started) {
    const char* pass = c->eval->first_pass ? "first" : "second";
    uint64_t took = _microseconds() - started;

    if (!(slurm_conf.debug_flags & DEBUG_FLAG_SELECT_TYPE)) return;
    if (rc == SLURM_SUCCESS) {
        info(
            "%pJ: %u nodes in %zu base blocks, %zu whole blocks broken, %s; %s pass, %u questions, "
            "%" PRIu64 " us",
            c->job, nvl72_count_nodes(nvl72block_answer_nodes(c->answer)),
            nvl72block_answer_block_count(c->answer), nvl72block_answer_broken_count(c->answer),
            nvl72block_answer_proven(c->answer) ? "proven best" : "search limit reached", pass,
            c->questions, took);
    } else {
        const char* why = c->why ? c->why : nvl72block_answer_sentence(c->answer);

        info("%pJ: %s; %s pass, %u questions, %" PRIu64 " us", c->job,
             why[0] ? why : slurm_strerror(rc), pass, c->questions, took);
    }
}

/*
 * One attempt with the candidates in the node map, which becomes the chosen nodes. `again`: one
 * with other GPUs, near the cores or far from them, could end differently.
 */
static int _place(nvl72_site_t* site, nvl72block_topology* topology, topology_eval_t* eval,
                  bool* again) {
    uint64_t started = _microseconds();
    nvl72_case_t c;
    int rc;

    nvl72_case_open(&c, topology, &site->options, eval);
    nvl72_hres_reset(c.job);
    nvl72_hres_limit(&c);
    rc = _attempt(&c);
    *again = c.job->gres_list_req && (c.adapted || c.examined);
    if (rc == SLURM_SUCCESS) nvl72_job_info_record(c.job, c.answer, c.request.segment_size);
    _log_decision(&c, rc, started);
    nvl72_case_close(&c);
    return rc;
}

/*
 * Twice at most: GRES jobs first with GPUs near the cores only, then with any; all jobs first on no
 * more nodes than tasks. A job that gets whole nodes has all cores, the far ones too: so first with
 * any. But with --ntasks-per-core Slurm can offer it fewer CPUs then.
 */
static int _place_twice(nvl72_site_t* site, nvl72block_topology* topology, topology_eval_t* eval) {
    bitstr_t* candidates = bit_copy(eval->node_map);
    uint32_t max_nodes = eval->max_nodes;
    bool clipped = _clip_max_nodes(eval);
    bool whole = nvl72_has_whole_nodes(eval->job_ptr);
    bool again;
    int rc;

    eval->first_pass = !whole;
    rc = _place(site, topology, eval, &again);
    if (rc && (rc != NVL72_E_NEVER) && (clipped || again)) {
        bit_copybits(eval->node_map, candidates);
        eval->first_pass = whole;
        eval->max_nodes = max_nodes;
        rc = _place(site, topology, eval, &again);
    }
    FREE_NULL_BITMAP(candidates);
    return rc;
}

/* The candidates become nodes where all that the job may have would lie; false if there are none.
 */
static bool _keep_to_a_place_for_all(nvl72_site_t* site, nvl72block_topology* topology,
                                     topology_eval_t* eval) {
    uint32_t min_nodes = eval->min_nodes;
    nvl72_case_t c;
    bool found;

    eval->min_nodes = eval->max_nodes;
    nvl72_case_open(&c, topology, &site->options, eval);
    found = nvl72_ask(&c) == SLURM_SUCCESS;
    if (found) nvl72_show_chosen(&c);
    nvl72_case_close(&c);
    eval->min_nodes = min_nodes;
    return found;
}

/* The nodes of a feature come first. Wherever they fit best there may be no room around them for
 * the job's other nodes, which Slurm asks for later. */
static int _place_those_of_a_feature(nvl72_site_t* site, nvl72block_topology* topology,
                                     topology_eval_t* eval) {
    bitstr_t* candidates = bit_copy(eval->node_map);
    bool fewer = _keep_to_a_place_for_all(site, topology, eval);
    int rc = _place_twice(site, topology, eval);

    if (rc && fewer) {
        bit_copybits(eval->node_map, candidates);
        rc = _place_twice(site, topology, eval);
    }
    FREE_NULL_BITMAP(candidates);
    return rc;
}

/* Slurm's usual ways, which know no blocks, among the nodes of the node map. */
static int _place_without_blocks(topology_eval_t* eval) {
    eval->eval_nodes = NULL;
    eval->trump_others = false;
    return common_topo_choose_nodes(eval);
}

/*
 * --distribution=arbitrary: the hostfile names the nodes and the tasks of each. The engine judges
 * whether the nodes keep the rules of blocks, then Slurm's own way gives each node its tasks' CPUs.
 */
static int _place_arbitrary(nvl72_site_t* site, nvl72block_topology* topology,
                            topology_eval_t* eval) {
    uint64_t started = _microseconds();
    nvl72_case_t c;
    int rc;

    if (!NVL72_HAS_ARBITRARY) {
        info("%pJ: block topology cannot distribute tasks arbitrarily", eval->job_ptr);
        return NVL72_E_NOT_SUPPORTED;
    }
    nvl72_case_open(&c, topology, &site->options, eval);
    rc = nvl72_ask(&c);
    if (rc == SLURM_SUCCESS) {
        nvl72_show_chosen(&c);
        nvl72_job_info_record(c.job, c.answer, c.request.segment_size);
    }
    _log_decision(&c, rc, started);
    nvl72_case_close(&c);
    return rc ? rc : _place_without_blocks(eval);
}

/* A partition's or QOS's limit can lie below the nodes that the job must have; a forecast asks all
 * the same. A minimum that Slurm raised above the user's maximum is no such case. */
static bool _limit_is_too_low(const topology_eval_t* eval) {
    const job_details_t* details = eval->job_ptr->details;
    uint32_t least = details->min_nodes;

    if (details->max_nodes && (details->max_nodes != NO_VAL))
        least = MIN(least, details->max_nodes);
    return eval->job_ptr->job_id && (eval->max_nodes < least);
}

/*
 * More tasks than the nodes may have by --ntasks-per-node. Where nodes are shared Slurm then finds
 * places for the nodes, but not for the tasks, at each attempt.
 */
static bool _has_too_many_tasks(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    const job_details_t* details = job->details;
    uint64_t most = (uint64_t)eval->max_nodes * details->ntasks_per_node;
    bool plane = (details->task_dist & SLURM_DIST_STATE_BASE) == SLURM_DIST_PLANE;

    return NVL72_COUNTS_ALL_TASKS && details->ntasks_per_node && (details->num_tasks > most) &&
           (job->bit_flags & JOB_NTASKS_SET) && !nvl72_has_whole_nodes(job) && !plane &&
           !details->overcommit;
}

static int _place_inside(nvl72_site_t* site, nvl72block_topology* topology, topology_eval_t* eval) {
    if (_limit_is_too_low(eval)) {
        log_flag(SELECT_TYPE, "%pJ needs %u nodes, but at most %u are allowed here", eval->job_ptr,
                 eval->job_ptr->details->min_nodes, eval->max_nodes);
        return SLURM_ERROR;
    }
    if (_has_too_many_tasks(eval)) {
        log_flag(SELECT_TYPE, "%pJ has %u tasks, too many for %u nodes with %u tasks each",
                 eval->job_ptr, eval->job_ptr->details->num_tasks, eval->max_nodes,
                 eval->job_ptr->details->ntasks_per_node);
        return SLURM_ERROR;
    }
    if (!_drop_too_large(eval)) return NVL72_E_REQUIRED_BUSY;
    _drop_incomplete_blocks(topology, eval);
    if (bit_ffs(eval->node_map) < 0) return NVL72_E_NO_NODES;
    if (eval->job_ptr->details->arbitrary_tpn) return _place_arbitrary(site, topology, eval);
    if (nvl72_is_asked_for_a_feature(eval)) return _place_those_of_a_feature(site, topology, eval);
    return _place_twice(site, topology, eval);
}

extern int nvl72_evaluate(nvl72_site_t* site, topology_eval_t* eval) {
    nvl72block_topology* topology;
    bool inside;
    int rc;

    nvl72_cliques_refresh(site);
    topology = nvl72_site_topology(site);
    inside = nvl72block_topology_touches(topology, nvl72_view(eval->node_map));
    nvl72_job_info_start(eval->job_ptr);
    eval->job_ptr->best_switch = true;
    if (topology && (inside || eval->job_ptr->details->segment_size))
        rc = _place_inside(site, topology, eval);
    else
        rc = _place_without_blocks(eval); /* candidates in no block are none of our business */
    if (rc) NVL72_END_RETRIES(eval);
    nvl72block_topology_release(topology);
    return rc;
}
