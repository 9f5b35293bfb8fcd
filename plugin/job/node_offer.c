/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm's helpers change of a node's offer when they give its cores and GRES to a job: kept
 * before, put back when the job goes elsewhere. Only jobs with GRES have more than the numbers of
 * CPUs changed.
 */
#include <string.h>

#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/interfaces/gres.h"
#include "src/plugins/topology/common/eval_nodes.h"
#include "src/slurmctld/slurmctld.h"

void (*nvl72_own_offer)(topology_eval_t* eval, uint32_t node);

/* The counts of one GRES of the node, in all and by socket. */
struct nvl72_kept_gres {
    sock_gres_t* gres;
    uint64_t total;
    uint64_t total_before_filter;
    uint64_t* by_socket; /* NULL where Slurm has none */
};

static int _keep_gres(void* x, void* argument) {
    sock_gres_t* gres = x;
    nvl72_kept_t* kept = argument;
    struct nvl72_kept_gres* slot = &kept->gres[kept->gres_count++];

    slot->gres = gres;
    slot->total = gres->total_cnt;
    slot->total_before_filter = gres->total_cnt_before_filter;
    if (gres->cnt_by_sock) {
        slot->by_socket = xcalloc(gres->sock_cnt, sizeof(*slot->by_socket));
        for (int s = 0; s < gres->sock_cnt; s++) slot->by_socket[s] = gres->cnt_by_sock[s];
    }
    return SLURM_SUCCESS;
}

static void _keep_cores_per_sock(const avail_res_t* offer, nvl72_kept_t* kept) {
    size_t size = offer->sock_cnt * sizeof(*kept->cores_per_sock);

    if (!offer->avail_cores_per_sock) return;
    kept->cores_per_sock = xmalloc(size + 1);
    memcpy(kept->cores_per_sock, offer->avail_cores_per_sock, size);
}

/* Slurm has replaced the array, if it selected cores. */
static void _put_back_cores_per_sock(avail_res_t* offer, const nvl72_kept_t* kept) {
    if (kept->cores_per_sock)
        memcpy(offer->avail_cores_per_sock, kept->cores_per_sock,
               offer->sock_cnt * sizeof(*kept->cores_per_sock));
    else
        xfree(offer->avail_cores_per_sock);
}

extern void nvl72_keep(const nvl72_case_t* c, uint32_t node, nvl72_kept_t* kept) {
    const avail_res_t* offer;

    if (nvl72_own_offer) nvl72_own_offer(c->eval, node);
    offer = c->eval->avail_res_array[node];
    *kept = (nvl72_kept_t){.node = node, .cpus = offer->avail_cpus, .least_cpus = offer->min_cpus};
    if (!c->job->gres_list_req) return;
    _keep_cores_per_sock(offer, kept);
    if (c->eval->avail_core && c->eval->avail_core[node])
        kept->cores = bit_copy(c->eval->avail_core[node]);
    if (!offer->sock_gres_list) return;
    kept->gres = xcalloc(list_count(offer->sock_gres_list) + 1, sizeof(*kept->gres));
    (void)list_for_each(offer->sock_gres_list, _keep_gres, kept);
}

extern void nvl72_put_back(const nvl72_case_t* c, const nvl72_kept_t* kept) {
    avail_res_t* offer = c->eval->avail_res_array[kept->node];

    offer->avail_cpus = kept->cpus;
    offer->min_cpus = kept->least_cpus;
    if (c->job->gres_list_req) _put_back_cores_per_sock(offer, kept);
    if (kept->cores) bit_copybits(c->eval->avail_core[kept->node], kept->cores);
    for (uint32_t i = 0; i < kept->gres_count; i++) {
        const struct nvl72_kept_gres* slot = &kept->gres[i];

        slot->gres->total_cnt = slot->total;
        slot->gres->total_cnt_before_filter = slot->total_before_filter;
        for (int s = 0; slot->by_socket && (s < slot->gres->sock_cnt); s++)
            slot->gres->cnt_by_sock[s] = slot->by_socket[s];
    }
}

extern void nvl72_kept_free(nvl72_kept_t* kept) {
    for (uint32_t i = 0; i < kept->gres_count; i++) xfree(kept->gres[i].by_socket);
    xfree(kept->gres);
    xfree(kept->cores_per_sock);
    FREE_NULL_BITMAP(kept->cores);
}

extern nvl72_offers_t nvl72_keep_offers(const nvl72_case_t* c) {
    nvl72block_view nodes = nvl72_view(c->candidates);
    nvl72_offers_t offers = {.kept = xcalloc(nvl72_count_nodes(nodes) + 1, sizeof(*offers.kept))};

    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        if (c->eval->avail_res_array[i]) nvl72_keep(c, i, &offers.kept[offers.count++]);
    return offers;
}

extern void nvl72_put_back_offers(const nvl72_case_t* c, const nvl72_offers_t* offers) {
    for (uint32_t i = 0; i < offers->count; i++) nvl72_put_back(c, &offers->kept[i]);
}

extern void nvl72_offers_free(nvl72_offers_t* offers) {
    for (uint32_t i = 0; i < offers->count; i++) nvl72_kept_free(&offers->kept[i]);
    xfree(offers->kept);
}

/*
 * Whether so many CPUs are enough for all tasks that a node may get: each of the others has one at
 * least. Then Slurm counts all threads of the cores, as for GPUs with --cpus-per-gpu, although with
 * --ntasks-per-core a task uses only some.
 */
static bool _hold_all_tasks(const nvl72_case_t* c, uint32_t node, uint32_t cpus) {
    const job_details_t* details = c->job->details;
    uint64_t others = c->least_nodes - 1;
    uint64_t tasks = (details->num_tasks > others) ? details->num_tasks - others : 1;

    return (c->job->bit_flags & JOB_NTASKS_SET) && (details->num_tasks != NO_VAL) &&
           (tasks * nvl72_cpus_a_task(c->job) <= cpus) &&
           (c->eval->avail_res_array[node]->gres_min_cpus <= cpus);
}

extern uint32_t nvl72_cores_selected_on(const nvl72_case_t* c, uint32_t node, int socket) {
    const avail_res_t* offer = c->eval->avail_res_array[node];
    uint32_t free = nvl72_cores_on_socket(c, node, socket);

    return offer->avail_cores_per_sock ? MIN(free, offer->avail_cores_per_sock[socket]) : free;
}

static uint32_t _cores_selected(const nvl72_case_t* c, uint32_t node) {
    uint32_t cores = 0;

    for (int s = 0; s < node_record_table_ptr[node]->tot_sockets; s++)
        cores += nvl72_cores_selected_on(c, node, s);
    return cores;
}

extern uint32_t nvl72_threads_selected(const nvl72_case_t* c, uint32_t node) {
    return _cores_selected(c, node) * node_record_table_ptr[node]->tpc;
}

extern uint32_t nvl72_task_cpus_selected(const nvl72_case_t* c, uint32_t node) {
    return _cores_selected(c, node) * job_mgr_determine_cpus_per_core(c->job->details, node);
}

/* The CPUs of --ntasks-per-node, which counts as --mincpus, tasks will use. */
extern uint32_t nvl72_least_on_threads(const nvl72_case_t* c, uint32_t node) {
    const job_details_t* details = c->job->details;
    uint32_t most = nvl72_threads_selected(c, node);

    if (details->ntasks_per_node && !nvl72_has_whole_nodes(c->job) && !nvl72_fills_sockets(c))
        most = nvl72_task_cpus_selected(c, node);
    return MIN(details->pn_min_cpus, most);
}

extern uint32_t nvl72_cpus_selected(const nvl72_case_t* c, uint32_t node) {
    uint32_t cores = _cores_selected(c, node);
    uint32_t threads = node_record_table_ptr[node]->tpc;
    /* With --ntasks-per-core a task uses the threads of its core that the CPUs of its GPUs need. */
    uint32_t each = MIN(threads, job_mgr_determine_cpus_per_core(c->job->details, node) *
                                     nvl72_named_cpus_of_task(c->job));

    if (nvl72_has_whole_nodes(c->job) || _hold_all_tasks(c, node, cores * each)) each = threads;
    return MAX(cores * each, nvl72_least_on_threads(c, node));
}

extern uint32_t nvl72_cpus_on_cores(const nvl72_case_t* c, uint32_t node) {
    uint32_t cpus = nvl72_cpus_selected(c, node);

    return (cpus && c->job->details->overcommit) ? UINT32_MAX : cpus;
}

/* Whether the cores that are selected hold fewer CPUs than --mincpus, or too few GPUs are free for
 * their sockets. Slurm offers such nodes, and can then fail to start the job on them. */
static bool _is_second_best(const nvl72_case_t* c, uint32_t node) {
    return (MAX(c->eval->avail_cpus, nvl72_least_on_threads(c, node)) <
            c->job->details->pn_min_cpus) ||
           nvl72_lacks_gres_of_sockets(c, node);
}

/*
 * Slurm holds a job for which a node counts more CPUs than the job can use on its cores, unless it
 * overcommits: then the cores that there are do. A whole node is counted at the end only, as in
 * Slurm's own algorithms. It gives the job all of its CPUs, however few DefCpuPerGPU names for the
 * job's GPUs there.
 */
extern void nvl72_select_cores(const nvl72_case_t* c, uint32_t node, uint32_t nodes) {
    topology_eval_t* eval = c->eval;
    avail_res_t* offer = eval->avail_res_array[node];
    uint16_t all = offer->avail_cpus;
    bool whole = nvl72_has_whole_nodes(c->job);
    nvl72_memory_t memory;
    uint32_t most;

    nvl72_memory_note(c, node, &memory);
    eval_nodes_select_cores(eval, node, nodes);
    most = nvl72_cpus_in_memory(c, node, &memory);
    if (whole && eval->avail_cpus && c->job->gres_list_req)
        eval->avail_cpus = offer->avail_cpus =
            MIN(all, nvl72_cpus_of_whole_node(c->job, node, all));
    eval->avail_cpus = MIN(eval->avail_cpus, most);
    offer->avail_cpus = MIN(offer->avail_cpus, most);
    if (!eval->avail_cpus || !c->job->gres_list_req || !eval->avail_core[node]) return;
    if (!whole) eval->avail_cpus = MIN(eval->avail_cpus, nvl72_cpus_on_cores(c, node));
    if (!c->spared) {
        most = nvl72_cpus_with_gres_of_sockets(c, node);
        eval->avail_cpus = MIN(eval->avail_cpus, most);
        offer->avail_cpus = MIN(offer->avail_cpus, most);
    } else if (_is_second_best(c, node)) {
        eval->avail_cpus = 0;
        *c->spared = true;
    } else if (nvl72_limit_bound_tasks(c, node)) {
        *c->spared = true;
    }
}

/* Slurm's count before it looked for CPUs; 0 where it did not look. */
static uint64_t _free_gres(const sock_gres_t* gres) {
    return MAX(gres->total_cnt, gres->total_cnt_before_filter);
}

/* GPUs of a total, in all of a node's kinds. */
typedef struct {
    bool all;         /* also those for which the node has not the CPUs that are named for them */
    const void* only; /* the total; NULL: any */
    uint64_t count;
} nvl72_gpus_t;

static int _add_job_gpus(void* x, void* argument) {
    const sock_gres_t* gres = x;
    const gres_job_state_t* wanted;
    nvl72_gpus_t* gpus = argument;

    if (!gres->gres_state_job || (gres->gres_state_job->plugin_id != gres_get_gpu_plugin_id()) ||
        (gpus->only && (gres->gres_state_job != gpus->only)))
        return SLURM_SUCCESS;
    wanted = gres->gres_state_job->gres_data;
    if (wanted->gres_per_job) gpus->count += gpus->all ? _free_gres(gres) : gres->total_cnt;
    return SLURM_SUCCESS;
}

extern uint32_t nvl72_offered_gpus(const nvl72_case_t* c, uint32_t node) {
    list_t* offers = c->eval->avail_res_array[node]->sock_gres_list;
    nvl72_gpus_t gpus = {.all = c->all_gpus, .only = c->scarcest};

    if (offers) (void)list_for_each(offers, _add_job_gpus, &gpus);
    return MIN(gpus.count, UINT32_MAX);
}

static int _lacks_free_gres(void* x, void* key) {
    const sock_gres_t* gres = x;
    const gres_job_state_t* wanted = gres->gres_state_job ? gres->gres_state_job->gres_data : NULL;

    return wanted && (_free_gres(gres) < wanted->gres_per_job);
}

extern bool nvl72_gpus_are_free(const nvl72_case_t* c) {
    int node = nvl72_next_node(nvl72block_answer_nodes(c->answer), 0);
    list_t* offers = c->eval->avail_res_array[node]->sock_gres_list;

    return offers && !list_find_first(offers, _lacks_free_gres, NULL);
}

static int _limit_tasks(void* x, void* argument) {
    const sock_gres_t* gres = x;
    const gres_job_state_t* wanted;
    uint32_t* most = argument;

    if (!gres->gres_state_job) return SLURM_SUCCESS;
    wanted = gres->gres_state_job->gres_data;
    if (wanted->gres_per_task) *most = MIN(*most, gres->total_cnt / wanted->gres_per_task);
    return SLURM_SUCCESS;
}

extern uint32_t nvl72_tasks_with_gres(const avail_res_t* offer) {
    uint32_t most = UINT32_MAX;

    if (offer->sock_gres_list) (void)list_for_each(offer->sock_gres_list, _limit_tasks, &most);
    return most;
}
