/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job asks for and what the nodes offer it, in the engine's words.
 */
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/job_record.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/interfaces/gres.h"

/* The minimum that Slurm makes for a job without -N: of the nodes that are named, not by
 * -C 'feature*2', and of --ntasks-per-node. */
static uint32_t _least_without_count(const nvl72_case_t* c) {
    const job_details_t* details = c->job->details;
    bool by_name = details->req_nodes && details->req_node_bitmap;
    uint32_t named = by_name ? bit_set_count(details->req_node_bitmap) : 0;
    uint32_t by_tasks =
        details->ntasks_per_node ? ROUNDUP(details->num_tasks, details->ntasks_per_node) : 0;

    return MAX(MAX(named, by_tasks), 1);
}

/* --spread-job without -N: Slurm puts one task on each node, so that the tasks are the maximum. */
static bool _spreads_its_tasks(const nvl72_case_t* c) {
    const job_details_t* details = c->job->details;

    return (c->job->bit_flags & SPREAD_JOB) && (details->min_nodes <= _least_without_count(c)) &&
           (details->max_nodes == MIN(details->num_tasks, (uint32_t)active_node_record_count));
}

/*
 * Whether the job asks for as many nodes as fit. Slurm likes the maximum of `-Nmin-max`, and tells
 * so; but also, in forecasts, a maximum that it made from the number of tasks, and the maximum of a
 * reservation, which wants no more than it needs. A component of a heterogeneous job must not take
 * the nodes that the others need.
 */
static bool _is_range(const nvl72_case_t* c) {
    const topology_eval_t* eval = c->eval;

    if ((eval->req_nodes <= eval->min_nodes) || !c->job->job_id || NVL72_IMPLICIT_MAX(c->job) ||
        c->job->het_job_id || (c->job->bit_flags & USE_MIN_NODES))
        return false;
    return !_spreads_its_tasks(c); /* blocks come first, as in stock */
}

static int _has_tasks_of_its_own(void* x, void* key) {
    const gres_state_t* gres = x;
    const gres_job_state_t* wanted = gres->gres_data;

    return (gres->plugin_id == gres_get_gpu_plugin_id()) && wanted->ntasks_per_gres &&
           (wanted->ntasks_per_gres != NO_VAL16);
}

/* With --ntasks-per-gpu a node without any of the job's GPUs has no task, so that the job has no
 * more nodes than GPUs. Whole nodes have theirs, however few are asked for. */
static uint32_t _most_nodes(const nvl72_case_t* c) {
    uint32_t most = MAX(c->eval->max_nodes, 1);

    if (!c->request.gpus || nvl72_has_whole_nodes(c->job) ||
        !list_find_first(c->job->gres_list_req, _has_tasks_of_its_own, NULL))
        return most;
    return MIN(most, nvl72_total_gpus(c->job));
}

/* Without -N a job has no maximum of its own, and a partition's can leave the one count of its
 * named nodes. */
static bool _names_no_maximum(const nvl72_case_t* c) {
    const job_details_t* details = c->job->details;

    return c->job->job_id && !details->max_nodes && !details->ntasks_per_node;
}

/* Though one count may be left. */
static bool _leaves_count_open(const nvl72_case_t* c) {
    return NVL72_IMPLICIT_MAX(c->job) || _names_no_maximum(c) ||
           ((c->job->bit_flags & JOB_NTASKS_SET) && _spreads_its_tasks(c));
}

/*
 * The node count. Slurm states a minimum, a maximum and what it would like. In a range the engine
 * takes as many as fit, unless the job's GPUs are a total that fewer nodes hold. Where the user
 * named no count (or only the tasks) CPUs and GPUs decide, between the two; also where the tasks
 * leave only one count, so that such a job may lie in larger blocks, as with a count still open.
 * For --ntasks-per-node Slurm raises the minimum, even above the maximum: then the job has what it
 * asked for.
 */
static void _set_counts(nvl72_case_t* c) {
    nvl72block_request* request = &c->request;
    bool open;

    request->max_nodes = _most_nodes(c);
    request->min_nodes = MIN(MAX(c->eval->min_nodes, 1), request->max_nodes);
    open = (request->max_nodes > request->min_nodes) ||
           ((request->max_nodes > 1) && _leaves_count_open(c));
    request->sized_by_totals = open && (request->gpus || !_is_range(c));
    c->least_nodes = request->min_nodes;
}

/* GPUs per node were already asked of each node; only a total over the job is left to weigh. The
 * engine knows one. */
static void _set_gpus(nvl72_case_t* c) {
    avail_res_t** offer = c->eval->avail_res_array;
    uint64_t gpus = nvl72_total_gpus(c->job);

    if (!gpus) return;
    c->scarcest = nvl72_scarcest_total(c, &gpus);
    c->request.gpus = gpus;
    c->gpus = xcalloc(node_record_count, sizeof(*c->gpus));
    for (int i = nvl72_next_node(c->state.usable, 0); i >= 0;
         i = nvl72_next_node(c->state.usable, i + 1))
        c->gpus[i] = c->scarcest ? nvl72_offered_gpus(c, i) : offer[i]->avail_gpus;
    c->state.gpus = c->gpus;
}

extern bool nvl72_fills_sockets(const nvl72_case_t* c) {
    uint32_t wish = c->job->details->task_dist & SLURM_DIST_NODESOCKMASK;

    switch (wish) {
        case SLURM_DIST_BLOCK_BLOCK:
        case SLURM_DIST_CYCLIC_BLOCK:
        case SLURM_DIST_PLANE:
            return true;
        case SLURM_DIST_ARBITRARY:
        case SLURM_DIST_BLOCK:
        case SLURM_DIST_CYCLIC:
        case SLURM_DIST_UNKNOWN:
            if (slurm_conf.select_type_param & NVL72_FILLS_SOCKETS) return true;
            break;
        default:
            break;
    }
    return !(c->eval->cr_type & (NVL72_BY_CORE | NVL72_BY_SOCKET));
}

extern bool nvl72_is_required(const nvl72_case_t* c, uint32_t node) {
    bitstr_t* required = c->job->details->req_node_bitmap;

    return required && bit_test(required, node);
}

extern nvl72block_candidate nvl72_candidate(const nvl72_case_t* c, uint32_t node) {
    const avail_res_t* offer = c->eval->avail_res_array[node];

    return (nvl72block_candidate){.node = node,
                                  .gpus = offer->avail_gpus,
                                  .cpus = offer->avail_cpus,
                                  .required = nvl72_is_required(c, node)};
}

extern int nvl72_give_up(nvl72_case_t* c, const nvl72block_refusal* why, int rc) {
    nvl72block_answer_free(c->answer);
    c->answer = nvl72block_refuse(c->topology, &c->request, &c->state, why);
    c->gave_up = true;
    return rc;
}

extern int nvl72_give_up_for(nvl72_case_t* c, nvl72block_reason reason, int rc) {
    return nvl72_give_up(c, &(nvl72block_refusal){.reason = reason}, rc);
}

extern void nvl72_case_count_drained(nvl72_case_t* c) {
    if (!avail_node_bitmap) return;
    c->drained = nvl72_drained(c->job);
    c->state.drained = nvl72_view(c->drained);
}

/* Adds the candidates that are idle by the time that is asked about. */
static void _add_idle_then(const nvl72_case_t* c) {
    bitstr_t* busy;
    nvl72block_view nodes;

    if (nvl72_has_whole_nodes(c->job)) {
        bit_or(c->idle, c->candidates);
        return;
    }
    busy = bit_copy(c->candidates);
    bit_and_not(busy, c->idle);
    nodes = nvl72_view(busy);
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        if (nvl72_offers_all_cores(c->eval, i)) bit_set(c->idle, i);
    FREE_NULL_BITMAP(busy);
}

/*
 * Slots are kept among the nodes that are idle, whether this job may have them or not, and among
 * those that are idle when it starts. A forecast and the start that it foretells ask alike, so that
 * both name the same nodes: avail_node_bitmap lacks other nodes in each of them.
 */
static void _set_idle(nvl72_case_t* c) {
    if (!nvl72block_options_have(c->request.options, "Nvl72Policy=demand") || !idle_node_bitmap ||
        !avail_node_bitmap)
        return;
    c->idle = bit_copy(idle_node_bitmap);
    nvl72_take_out_drained(c->idle);
    _add_idle_then(c);
    c->state.idle = nvl72_view(c->idle);
}

extern void nvl72_case_open(nvl72_case_t* c, nvl72block_topology* topology,
                            const nvl72_options_t* options, topology_eval_t* eval) {
    job_record_t* job = eval->job_ptr;

    *c = (nvl72_case_t){
        .eval = eval,
        .job = job,
        .topology = topology,
        .candidates = bit_copy(eval->node_map),
        .request =
            {
                .segment_size = job->details->segment_size,
                .spread_segments = NVL72_SPREAD(job),
                .consolidate_segments = NVL72_CONSOLIDATE(job),
                .exclusive = IS_JOB_WHOLE_TOPO(job),
                .required = nvl72_view(job->details->req_node_bitmap),
                .options = options,
            },
    };
    c->state.usable = nvl72_view(c->candidates);
    _set_idle(c);
    _set_gpus(c);
    _set_counts(c);
    c->state.excluded = nvl72_view(job->details->exc_node_bitmap);
}

extern void nvl72_case_close(nvl72_case_t* c) {
    nvl72block_answer_free(c->answer);
    FREE_NULL_BITMAP(c->candidates);
    FREE_NULL_BITMAP(c->drained);
    FREE_NULL_BITMAP(c->idle);
    xfree(c->weight);
    xfree(c->cpus);
    xfree(c->gpus);
}
