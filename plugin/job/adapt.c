/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a layout that failed changes of the question to the engine: fewer candidates, another node
 * count, or what each candidate can really give.
 */
#include "job/job.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/xmalloc.h"

/* Takes useless nodes out of the candidates; false when the job must have one. */
static bool _drop_bad(nvl72_case_t* c, bitstr_t* bad) {
    bitstr_t* required = c->job->details->req_node_bitmap;

    if (required && bit_overlap_any(required, bad)) return false;
    bit_and_not(c->candidates, bad);
    return true;
}

/* The step doubles, so that few questions reach far; the last few counts are all tried. */
static uint32_t _next_step(nvl72_case_t* c, uint32_t left) {
    uint32_t step = (c->step && (left > 4)) ? c->step : 1;

    c->step = 2 * step;
    return step;
}

/* Questions for one count between, and for the known one after it: with and without --switches, and
 * once with weights. */
#define NVL72_TO_TRY_FEWER 5

static bool _can_try_fewer(const nvl72_case_t* c) {
    return c->questions + NVL72_TO_TRY_FEWER <= NVL72_QUESTIONS;
}

extern bool nvl72_fewer_may_do(const nvl72_case_t* c) {
    return c->too_few && (c->request.min_nodes > c->too_few + 1) && _can_try_fewer(c);
}

/*
 * Between too few nodes and enough, counts are tried by halves. What a count there lacks is no
 * reason to leave out nodes with which the larger one does.
 */
static bool _tries_fewer(nvl72_case_t* c, nvl72_layout_t layout) {
    if (layout == NVL72_FEWER_MAY_DO)
        c->enough = c->request.min_nodes;
    else
        c->too_few = nvl72_count_nodes(nvl72block_answer_nodes(c->answer));
    if (c->enough <= c->too_few) {
        c->enough = 0;
        return false;
    }
    c->request.min_nodes =
        _can_try_fewer(c) ? c->too_few + MAX((c->enough - c->too_few) / 2, 1) : c->enough;
    return true;
}

/* More nodes than the engine took where CPUs and GPUs decide how many, fewer in a range. */
static bool _change_count(nvl72_case_t* c) {
    uint32_t taken = nvl72_count_nodes(nvl72block_answer_nodes(c->answer));
    nvl72block_request* request = &c->request;
    uint32_t step; /* its own variable: MIN() evaluates an argument twice */

    if (request->sized_by_totals) {
        uint32_t most = MIN(request->max_nodes, (uint32_t)bit_set_count(c->candidates));

        if (taken >= most) return false;
        step = _next_step(c, most - taken);
        request->min_nodes = MIN(taken + step, most);
        return true;
    }
    if (taken <= request->min_nodes) return false;
    step = _next_step(c, taken - request->min_nodes);
    request->max_nodes = taken - MIN(step, taken - request->min_nodes);
    return true;
}

extern bool nvl72_searches_range(const nvl72_case_t* c) {
    return c->as_slurm && !c->request.sized_by_totals &&
           (c->eval->max_nodes > c->request.min_nodes);
}

/* false when all chosen nodes are required, or others are the same. */
static bool _drop_weakest(nvl72_case_t* c) {
    nvl72block_view nodes =
        nvl72_searches_range(c) ? c->state.usable : nvl72block_answer_nodes(c->answer);
    nvl72block_candidate* chosen;
    uint32_t weakest, count = 0;

    if (nvl72_candidates_are_alike(c)) return false;
    chosen = xcalloc(nvl72_count_nodes(nodes) + 1, sizeof(*chosen));
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        chosen[count++] = nvl72_candidate(c, i);
    weakest = nvl72block_weakest(chosen, count, NULL);
    xfree(chosen);
    if (weakest == NVL72BLOCK_NO_NODE) return false;
    bit_clear(c->candidates, weakest);
    if (nvl72_searches_range(c)) {
        c->request.max_nodes = c->eval->max_nodes;
        c->step = 0;
    }
    return true;
}

extern int nvl72_adapt(nvl72_case_t* c, nvl72_layout_t layout, const nvl72_findings_t* findings) {
    bool known = c->examined;
    int rc;

    c->adapted = true;
    if (_tries_fewer(c, layout)) return SLURM_SUCCESS;
    if (layout == NVL72_GRES_INDIVISIBLE)
        return nvl72_give_up_for(c, NVL72BLOCK_GRES_DO_NOT_DIVIDE, NVL72_E_NEVER);
    if (findings->mixed && !c->as_slurm && !c->least_gpus) {
        c->least_gpus = true;
        c->examined = known = false;
    }
    rc = nvl72_case_examine(c);
    if (rc) return rc;
    if (layout == NVL72_BAD_NODES) {
        if (_drop_bad(c, findings->bad)) return SLURM_SUCCESS;
        return nvl72_give_up_for(c, NVL72BLOCK_REQUIRED_NOT_SUITABLE, NVL72_E_REQUIRED_BUSY);
    }
    if (!known || _change_count(c) || _drop_weakest(c)) return SLURM_SUCCESS;
    return nvl72_give_up_for(c,
                             (layout == NVL72_SHORT_OF_CPUS) ? NVL72BLOCK_LAYOUT_LACKS_CPUS
                                                             : NVL72BLOCK_LAYOUT_LACKS_GRES,
                             NVL72_E_RESOURCES);
}
