/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Places a job: asks the engine where, lays the job out there, and asks again without the nodes
 * that proved useless. The engine's refusal is final, so a job that cannot run costs one question.
 */
#include "plugin.h"
#include "src/common/job_record.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/plugins/topology/common/common_topo.h"

/* Nodes that may be laid out for one job: generous for any real one, and a bound for all. */
#define NVL72_BUDGET(candidates) (16 * (candidates) + 256)

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

/* More nodes than tasks are no use, unless the tasks a node are fixed. */
static bool _clip_max_nodes(topology_eval_t* eval) {
    const job_details_t* details = eval->job_ptr->details;

    if (!details->num_tasks || details->ntasks_per_node || (eval->max_nodes <= details->num_tasks))
        return false;
    eval->max_nodes = MAX(details->num_tasks, eval->min_nodes);
    return true;
}

static int _refusal_code(nvl72block_reason reason) {
    switch (reason) {
        case NVL72BLOCK_REQUIRED_NOT_USABLE:
            return NVL72_E_REQUIRED_BUSY;
        case NVL72BLOCK_REQUIRED_NOT_IN_BLOCK:
        case NVL72BLOCK_REQUIRED_DO_NOT_FIT:
            return NVL72_E_REQUIRED_MISPLACED;
        case NVL72BLOCK_NO_BLOCK_FITS:
        case NVL72BLOCK_TOO_MANY_BASE_BLOCKS:
            return NVL72_E_NO_FIT;
        case NVL72BLOCK_SEGMENTS_DO_NOT_FIT:
            return NVL72_E_SEGMENTS;
        case NVL72BLOCK_NOT_ENOUGH_CAPACITY:
            return NVL72_E_RESOURCES;
        case NVL72BLOCK_BAD_REQUEST:
        case NVL72BLOCK_NOT_ENOUGH_NODES:
            break;
    }
    return SLURM_ERROR;
}

/* One question to the engine; the answer stays in the case. */
static int _question(nvl72_case_t* c) {
    nvl72block_error problem;

    nvl72block_answer_free(c->answer);
    c->answer = nvl72block_place(c->topology, &c->request, &c->state, &problem);
    if (!c->answer) {
        error("%pJ cannot be placed: %s", c->job, problem.message);
        return SLURM_ERROR;
    }
    if (nvl72block_answer_placed(c->answer)) return SLURM_SUCCESS;
    if (nvl72block_answer_permanent(c->answer)) return NVL72_E_NEVER;
    return _refusal_code(nvl72block_answer_reason(c->answer));
}

/* The best place for so many base blocks. Weights and CPUs of all candidates are read only if they
 * turn out to matter there. */
static int _best_place(nvl72_case_t* c, uint32_t max_base_blocks) {
    int rc;

    c->request.max_base_blocks = max_base_blocks;
    rc = _question(c);
    if (!rc && !c->weighed && !nvl72_case_is_lightest(c)) {
        nvl72_case_weigh(c);
        if (c->weight) rc = _question(c);
    }
    if (rc || c->cpus || nvl72_case_holds_cpus(c)) return rc;
    nvl72_case_count_cpus(c);
    return _question(c);
}

static bool _has_waited(job_record_t* job) {
    time_t now = time(NULL);

    if (!job->wait4switch_start) job->wait4switch_start = now;
    return (now - job->wait4switch_start) >= (time_t)job->wait4switch;
}

/*
 * --switches=N@time: at most N base blocks, else wait up to the time, then anywhere. Core does not
 * start a job whose best_switch is false; it asks again in each scheduling pass.
 */
static int _ask(nvl72_case_t* c) {
    job_record_t* job = c->job;
    bool waited;
    int rc;

    if (!job->req_switch) {
        job->best_switch = true;
        return _best_place(c, 0);
    }
    waited = _has_waited(job);
    rc = _best_place(c, job->req_switch);
    job->best_switch = true;
    if (rc == SLURM_SUCCESS) return rc;
    rc = _best_place(c, 0);
    if (rc == SLURM_SUCCESS) {
        job->best_switch = waited;
        log_flag(SELECT_TYPE, "%pJ uses %zu base blocks, wants at most %u, %s", job,
                 nvl72block_answer_block_count(c->answer), job->req_switch,
                 waited ? "has waited for them" : "waits for them");
    }
    return rc;
}

/* Takes useless nodes out of the candidates; false when the job must have one. */
static bool _drop_bad(nvl72_case_t* c, bitstr_t* bad) {
    const bitstr_t* required = c->job->details->req_node_bitmap;

    if (required && bit_overlap_any(c->job->details->req_node_bitmap, bad)) return false;
    bit_and_not(c->candidates, bad);
    return true;
}

/* One more node than the engine took, where CPUs and GPUs decide how many. */
static bool _want_more(nvl72_case_t* c) {
    uint32_t taken = nvl72_count_nodes(nvl72block_answer_nodes(c->answer));

    if (!c->request.sized_by_capacity || (taken >= c->request.max_nodes)) return false;
    c->request.min_nodes = taken + 1;
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

static int _give_up(nvl72_case_t* c, const char* why, int rc) {
    c->why = why;
    return rc;
}

static int _adapt_cpus(nvl72_case_t* c, const nvl72_findings_t* findings) {
    bool weighed = c->cpus != NULL;

    nvl72_case_count_cpus(c);
    if (!weighed || findings->learned || _want_more(c)) return SLURM_SUCCESS;
    return _give_up(c, "the nodes that the rules allow have too few CPUs for the job",
                    NVL72_E_RESOURCES);
}

/* Changes the question after a layout that failed; an error when there is nothing to change. */
static int _adapt(nvl72_case_t* c, nvl72_layout_t layout, const nvl72_findings_t* findings) {
    switch (layout) {
        case NVL72_BAD_NODES:
            if (_drop_bad(c, findings->bad)) return SLURM_SUCCESS;
            return _give_up(c, "a node required by name lacks cores or GRES for the job",
                            NVL72_E_REQUIRED_BUSY);
        case NVL72_SHORT_OF_CPUS:
            return _adapt_cpus(c, findings);
        case NVL72_SHORT_OF_GRES:
            if (_want_more(c) || _drop_weakest(c)) return SLURM_SUCCESS;
            return _give_up(c, "the nodes that the rules allow have too few GRES for the job",
                            NVL72_E_RESOURCES);
        case NVL72_GRES_INDIVISIBLE:
            return _give_up(c, "the job's GRES do not divide by its segments", NVL72_E_NEVER);
        case NVL72_LAID_OUT:
            break;
    }
    return SLURM_ERROR;
}

static int _attempt(nvl72_case_t* c) {
    uint32_t budget = NVL72_BUDGET(bit_set_count(c->candidates));

    while (true) {
        nvl72_findings_t findings = {0};
        nvl72_layout_t layout;
        int rc = _ask(c);

        if (rc) return rc;
        layout = nvl72_lay_out(c, &findings);
        if (layout == NVL72_LAID_OUT) return SLURM_SUCCESS;
        c->adapted = true;
        rc = _adapt(c, layout, &findings);
        FREE_NULL_BITMAP(findings.bad);
        if (rc) return rc;
        if (findings.nodes >= budget)
            return _give_up(c, "too many nodes proved useless while the job was laid out",
                            NVL72_E_RESOURCES);
        budget -= findings.nodes;
    }
}

static void _log_refusal(nvl72_case_t* c, int rc) {
    const char* why = c->why ? c->why : nvl72block_answer_sentence(c->answer);

    log_flag(SELECT_TYPE, "%pJ: %s", c->job, why[0] ? why : slurm_strerror(rc));
}

/*
 * One attempt with the candidates in the node map, which becomes the chosen nodes. `again`: a
 * second one, with GPUs far from the cores or without the clipped node count, could end
 * differently.
 */
static int _place(nvl72_site_t* site, nvl72block_topology* topology, topology_eval_t* eval,
                  bool clipped, bool* again) {
    nvl72_case_t c;
    int rc;

    nvl72_case_open(&c, topology, &site->options, eval);
    nvl72_hres_reset(c.job);
    nvl72_hres_limit(&c);
    rc = _attempt(&c);
    *again = rc && (rc != NVL72_E_NEVER) && eval->first_pass &&
             (clipped || (c.job->gres_list_req && c.adapted));
    if (rc == SLURM_SUCCESS)
        nvl72_job_info_record(c.job, c.answer, c.request.segment_size);
    else if (!*again)
        _log_refusal(&c, rc);
    nvl72_case_close(&c);
    return rc;
}

/* Twice at most: GRES jobs first with GPUs near the cores only, then with any. */
static int _place_twice(nvl72_site_t* site, nvl72block_topology* topology, topology_eval_t* eval) {
    bitstr_t* candidates = bit_copy(eval->node_map);
    uint32_t max_nodes = eval->max_nodes;
    bool clipped = _clip_max_nodes(eval);
    bool again;
    int rc;

    eval->first_pass = true;
    rc = _place(site, topology, eval, clipped, &again);
    if (again) {
        bit_copybits(eval->node_map, candidates);
        eval->first_pass = false;
        eval->max_nodes = max_nodes;
        rc = _place(site, topology, eval, clipped, &again);
    }
    FREE_NULL_BITMAP(candidates);
    return rc;
}

/* Candidates that lie in no block at all are none of our business: Slurm's usual ways serve them.
 */
static int _place_outside(topology_eval_t* eval) {
    eval->job_ptr->best_switch = true;
    eval->eval_nodes = NULL;
    eval->trump_others = false;
    return common_topo_choose_nodes(eval);
}

static int _place_inside(nvl72_site_t* site, nvl72block_topology* topology, topology_eval_t* eval) {
    if (eval->job_ptr->details->arbitrary_tpn) {
        info("%pJ: block topology cannot distribute tasks arbitrarily", eval->job_ptr);
        return NVL72_E_NOT_SUPPORTED;
    }
    if (!_drop_too_large(eval)) return NVL72_E_REQUIRED_BUSY;
    if (bit_ffs(eval->node_map) < 0) return NVL72_E_NO_NODES;
    return _place_twice(site, topology, eval);
}

extern int nvl72_evaluate(nvl72_site_t* site, topology_eval_t* eval) {
    nvl72block_topology* topology;
    bool inside;
    int rc;

    if (site && site->retired) nvl72_site_drop_retired(site);
    nvl72_cliques_refresh(site);
    topology = nvl72_site_topology(site);
    inside = nvl72block_topology_touches(topology, nvl72_view(eval->node_map));
    nvl72_job_info_start(eval->job_ptr);
    if (topology && (inside || eval->job_ptr->details->segment_size))
        rc = _place_inside(site, topology, eval);
    else
        rc = _place_outside(eval);
    if (rc) NVL72_END_RETRIES(eval);
    nvl72block_topology_release(topology);
    return rc;
}
