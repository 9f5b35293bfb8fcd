/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which GPUs Slurm will allocate on a node, of those that it offers there. It decides that last, by
 * the sockets on which the job's cores then are. A node that has too few GPUs on or for these
 * sockets is offered all the same, and the job gets fewer than it asked for, GPUs that others have,
 * or an error at each attempt to start it.
 */
#include <stdlib.h>

#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/interfaces/gres.h"
#include "src/slurmctld/slurmctld.h"

extern uint32_t nvl72_cores_on_socket(const nvl72_case_t* c, uint32_t node, int socket) {
    uint32_t cores = node_record_table_ptr[node]->cores;

    if (!c->eval->avail_core || !c->eval->avail_core[node]) return cores;
    return bit_set_count_range(c->eval->avail_core[node], socket * cores, (socket + 1) * cores);
}

static uint32_t _ceiling(uint64_t number, uint32_t divisor) {
    return MIN((number + divisor - 1) / divisor, UINT32_MAX);
}

/* The user's tasks on each node, if they are shared out evenly. */
static uint32_t _tasks_per_node(const nvl72_case_t* c) {
    const job_details_t* details = c->job->details;

    if (details->ntasks_per_node) return details->ntasks_per_node;
    return (c->job->bit_flags & JOB_NTASKS_SET)
               ? _ceiling(details->num_tasks, MAX(c->least_nodes, 1))
               : 1;
}

static int _compare_cores(const void* left, const void* right) {
    uint32_t l = *(const uint32_t*)left, r = *(const uint32_t*)right;

    return (l < r) - (l > r);
}

/* Cores of so many sockets of a node, those with the most. */
static uint32_t _most_cores_on(const nvl72_case_t* c, uint32_t node, uint32_t sockets) {
    uint32_t all = node_record_table_ptr[node]->tot_sockets, sum = 0;
    uint32_t* cores = xcalloc(all + 1, sizeof(*cores));

    for (uint32_t s = 0; s < all; s++) cores[s] = nvl72_cores_on_socket(c, node, s);
    qsort(cores, all, sizeof(*cores), _compare_cores);
    for (uint32_t s = 0; s < MIN(all, sockets); s++) sum += cores[s];
    xfree(cores);
    return sum;
}

/* On which so many cores lie, if they are as close together as they can. */
static uint32_t _least_sockets(const nvl72_case_t* c, uint32_t node, uint32_t cores) {
    uint32_t all = node_record_table_ptr[node]->tot_sockets, sockets = 1;

    while ((sockets < all) && (_most_cores_on(c, node, sockets) < cores)) sockets++;
    return sockets;
}

/* Whether the job gets whole sockets, as few as have its cores (_block_sync_core_bitmap()). */
static bool _fills_whole_sockets(const nvl72_case_t* c) {
    return (c->eval->cr_type & NVL72_BY_SOCKET) && nvl72_fills_sockets(c);
}

/* Sockets that the job uses at most: tasks, and the CPUs of GPUs, go round them. Where one is to be
 * filled after the other, Slurm all the same selects single cores for a job with GPUs from each in
 * turn. */
static uint32_t _most_sockets(const nvl72_case_t* c, uint32_t node) {
    const node_record_t* record = node_record_table_ptr[node];
    uint32_t per_core = MAX(job_mgr_determine_cpus_per_core(c->job->details, node), 1);
    uint32_t each = nvl72_cpus_a_task(c->job), tasks = _tasks_per_node(c);
    uint32_t of_gres = c->eval->avail_res_array[node]->gres_min_cpus / per_core;
    uint32_t cores = MAX(_ceiling((uint64_t)tasks * each, per_core), of_gres);

    if (_fills_whole_sockets(c)) return _least_sockets(c, node, cores);
    if ((each == 1) || nvl72_fills_sockets(c)) return cores;
    return MAX(tasks * _ceiling(each, per_core * record->cores), of_gres);
}

static uint32_t _sockets_used(const nvl72_case_t* c, uint32_t node) {
    uint32_t sockets = 0;

    for (int s = 0; s < node_record_table_ptr[node]->tot_sockets; s++)
        if (nvl72_cores_on_socket(c, node, s)) sockets++;
    if (!nvl72_has_whole_nodes(c->job)) sockets = MIN(sockets, _most_sockets(c, node));
    return MAX(sockets, 1);
}

/* ---- --gpus-per-socket ------------------------------------------------------------------------
 */

/* Sockets from which the job is given cores, and how many of those its GPUs may belong to. */
typedef struct {
    uint32_t used;
    uint32_t with_gres;
    uint32_t asked; /* --sockets-per-node; 0: not asked for */
} nvl72_sockets_t;

static int _lacks_gres_of_sockets(void* x, void* key) {
    const sock_gres_t* gres = x;
    const nvl72_sockets_t* sockets = key;
    const gres_job_state_t* wanted;
    uint64_t free;

    if (!gres->gres_state_job) return 0;
    wanted = gres->gres_state_job->gres_data;
    if (!wanted->gres_per_socket) return 0;
    /* With cores on fewer sockets the job has GPUs for these only. */
    if (sockets->asked > sockets->used) return 1;
    if (gres->total_cnt < wanted->gres_per_socket * sockets->with_gres) return 1;
    /* The total counts only those that the job's CPUs on the node are for. */
    free = MAX(gres->total_cnt, gres->cnt_any_sock);
    return gres->cnt_any_sock && (free < wanted->gres_per_socket * sockets->used);
}

/* GPUs of more sockets than --sockets-per-node are not in the offer where GPUs belong to sockets.
 */
extern bool nvl72_lacks_gres_of_sockets(const nvl72_case_t* c, uint32_t node) {
    const multi_core_data_t* wish = c->job->details->mc_ptr;
    nvl72_sockets_t sockets = {0};

    if (!c->eval->avail_res_array[node]->sock_gres_list) return false;
    sockets.used = _sockets_used(c, node);
    sockets.with_gres = wish ? MAX(MIN(sockets.used, wish->sockets_per_node), 1) : sockets.used;
    if (wish && (wish->sockets_per_node != NO_VAL16)) sockets.asked = wish->sockets_per_node;
    return list_find_first(c->eval->avail_res_array[node]->sock_gres_list, _lacks_gres_of_sockets,
                           &sockets);
}

/* CPUs on as many sockets as the node has GPUs for. */
typedef struct {
    const nvl72_case_t* c;
    uint32_t node;
    uint32_t most;
} nvl72_socket_cpus_t;

/* CPUs that lie on no more sockets than these. */
static uint32_t _cpus_on_sockets(const nvl72_case_t* c, uint32_t node, uint32_t sockets) {
    uint32_t per_core = MAX(job_mgr_determine_cpus_per_core(c->job->details, node), 1);
    uint32_t each = nvl72_cpus_a_task(c->job);

    if (_fills_whole_sockets(c)) return _most_cores_on(c, node, sockets) * per_core;
    return sockets * (((each == 1) || nvl72_fills_sockets(c)) ? per_core : each);
}

static int _limit_by_sockets(void* x, void* argument) {
    const sock_gres_t* gres = x;
    nvl72_socket_cpus_t* cpus = argument;
    const gres_job_state_t* wanted;

    if (!gres->gres_state_job || !gres->cnt_any_sock) return SLURM_SUCCESS;
    wanted = gres->gres_state_job->gres_data;
    if (wanted->gres_per_socket) {
        uint64_t sockets = MAX(gres->total_cnt, gres->cnt_any_sock) / wanted->gres_per_socket;
        uint32_t most = _cpus_on_sockets(cpus->c, cpus->node, MIN(sockets, UINT16_MAX));

        cpus->most = MIN(cpus->most, most);
    }
    return SLURM_SUCCESS;
}

extern uint32_t nvl72_cpus_with_gres_of_sockets(const nvl72_case_t* c, uint32_t node) {
    const avail_res_t* offer = c->eval->avail_res_array[node];
    nvl72_socket_cpus_t cpus = {.c = c, .node = node, .most = UINT32_MAX};

    if (!offer->sock_gres_list || nvl72_has_whole_nodes(c->job)) return UINT32_MAX;
    (void)list_for_each(offer->sock_gres_list, _limit_by_sockets, &cpus);
    return MAX(cpus.most, MAX(nvl72_cpus_a_task(c->job), offer->gres_min_cpus));
}

/* GPUs for which gres.conf names cores or types Slurm takes from those that are free; others it
 * only counts. */
static int _is_counted_beyond(void* x, void* key) {
    const sock_gres_t* gres = x;
    const gres_job_state_t* wanted;
    const gres_node_state_t* has;

    if (!gres->gres_state_job || !gres->gres_state_node || !gres->cnt_any_sock) return 0;
    wanted = gres->gres_state_job->gres_data;
    has = gres->gres_state_node->gres_data;
    return has->gres_cnt_alloc && !has->topo_cnt &&
           (MAX(gres->total_cnt, gres->cnt_any_sock) <
            wanted->gres_per_socket * *(const uint32_t*)key);
}

extern bool nvl72_takes_gres_of_others(const nvl72_case_t* c, uint32_t node, uint32_t cpus) {
    list_t* offers = c->eval->avail_res_array[node]->sock_gres_list;
    uint32_t per_core = MAX(job_mgr_determine_cpus_per_core(c->job->details, node), 1);
    uint32_t sockets = _least_sockets(c, node, _ceiling(cpus, per_core));

    return offers && list_find_first(offers, _is_counted_beyond, &sockets);
}

/* ---- --gpus-per-task with enforced binding -----------------------------------------------------
 */

static bool _belongs_to_cores(const sock_gres_t* gres) {
    return ((const gres_node_state_t*)gres->gres_state_node->gres_data)->topo_cnt != 0;
}

/* Cores of each socket that are selected, and of these the ones that tasks take. */
typedef struct {
    const nvl72_case_t* c;
    uint32_t node;
    uint32_t sockets;
    uint32_t* selected;
    uint32_t* taken;
    uint32_t tasks; /* that may lie on the node; UINT32_MAX: as many as Slurm offers */
} nvl72_bound_t;

/* As Slurm takes them: all CPUs of a task on one socket, as far as they fit, then a core of each
 * socket in turn (_cyclic_sync_core_bitmap()). */
static void _take_cores(nvl72_bound_t* bound, int64_t cpus) {
    int64_t per_core = MAX(job_mgr_determine_cpus_per_core(bound->c->job->details, bound->node), 1);
    int64_t each = bound->c->job->details->cpus_per_task;
    bool more = true;

    for (uint32_t s = 0; s < bound->sockets; s++) {
        int64_t whole = (each > 1) ? bound->selected[s] * per_core / each * each : 0;

        bound->taken[s] = _ceiling(MAX(MIN(whole, cpus), 0), per_core);
        cpus -= bound->taken[s] * per_core;
    }
    while (more && (cpus > 0)) {
        more = false;
        for (uint32_t s = 0; (s < bound->sockets) && (cpus > 0); s++) {
            if (bound->taken[s] >= bound->selected[s]) continue;
            bound->taken[s]++;
            cpus -= per_core;
            more = true;
        }
    }
}

/* With CR_Socket the job has all cores of a socket. */
static uint32_t _cores_had(const nvl72_bound_t* bound, uint32_t socket) {
    bool all = (bound->c->eval->cr_type & NVL72_BY_SOCKET) && bound->taken[socket];

    return all ? bound->selected[socket] : bound->taken[socket];
}

/* Tasks whose GPUs Slurm looks for on a socket, at most: it divides the CPUs that the job has on
 * the node by its tasks there (_build_tasks_per_node_sock()). */
static uint64_t _tasks_on_socket(const nvl72_bound_t* bound, uint32_t socket, uint32_t each) {
    uint32_t threads = node_record_table_ptr[bound->node]->tpc, per_core = threads;
    uint32_t cores = _cores_had(bound, socket), wish = bound->c->eval->mc_ptr->threads_per_core;

    if (wish) per_core = MIN(per_core, wish);
    if (each <= per_core) return (uint64_t)cores * (per_core / each);
    return _ceiling(cores, MAX(each / threads, 1));
}

/* Whether so many tasks, with so many CPUs, find their GPUs on the sockets of their cores. */
static bool _find_gres(nvl72_bound_t* bound, const sock_gres_t* gres, uint32_t tasks,
                       uint32_t cpus) {
    uint64_t each = ((const gres_job_state_t*)gres->gres_state_job->gres_data)->gres_per_task;
    uint64_t found = gres->cnt_any_sock;
    uint32_t cores = 0, per_task;

    _take_cores(bound, cpus);
    for (uint32_t s = 0; s < bound->sockets; s++) cores += _cores_had(bound, s);
    per_task = MAX(cores * node_record_table_ptr[bound->node]->tpc / tasks, 1);
    for (uint32_t s = 0; s < bound->sockets; s++)
        found += MIN(gres->cnt_by_sock[s], _tasks_on_socket(bound, s, per_task) * each);
    return found >= tasks * each;
}

static int _limit_bound_tasks(void* x, void* argument) {
    sock_gres_t* gres = x;
    nvl72_bound_t* bound = argument;
    const gres_job_state_t* wanted = gres->gres_state_job ? gres->gres_state_job->gres_data : NULL;
    uint32_t each = nvl72_cpus_a_task(bound->c->job), most, tasks;
    uint32_t least = bound->c->eval->avail_res_array[bound->node]->gres_min_cpus;

    if (!wanted || !wanted->gres_per_task || wanted->gres_per_node || wanted->gres_per_socket ||
        (gres->gres_state_job->plugin_id != gres_get_gpu_plugin_id()) || !gres->gres_state_node ||
        !gres->cnt_by_sock || !_belongs_to_cores(gres))
        return SLURM_SUCCESS;
    tasks = most = gres->total_cnt / wanted->gres_per_task;
    /* The least CPUs are those of the most tasks. */
    while (tasks && !_find_gres(bound, gres, tasks, MAX(tasks * each, (tasks == most) ? least : 0)))
        tasks--;
    if (tasks == most) return SLURM_SUCCESS;
    gres->total_cnt = tasks * wanted->gres_per_task;
    bound->tasks = MIN(bound->tasks, tasks);
    return SLURM_SUCCESS;
}

static nvl72_bound_t _bound(const nvl72_case_t* c, uint32_t node) {
    nvl72_bound_t bound = {.c = c, .node = node, .tasks = UINT32_MAX};

    bound.sockets = node_record_table_ptr[node]->tot_sockets;
    bound.selected = xcalloc(bound.sockets + 1, sizeof(*bound.selected));
    bound.taken = xcalloc(bound.sockets + 1, sizeof(*bound.taken));
    for (uint32_t s = 0; s < bound.sockets; s++)
        bound.selected[s] = nvl72_cores_selected_on(c, node, s);
    return bound;
}

/*
 * Slurm offers the GPUs of all sockets, and then puts the tasks where there are cores. With
 * enforced binding it looks for their GPUs on these sockets only.
 */
extern bool nvl72_limit_bound_tasks(const nvl72_case_t* c, uint32_t node) {
    topology_eval_t* eval = c->eval;
    avail_res_t* offer = eval->avail_res_array[node];
    uint32_t per_core = MAX(job_mgr_determine_cpus_per_core(c->job->details, node), 1), cpus;
    nvl72_bound_t bound;

    if (!eval->enforce_binding || !offer->sock_gres_list || c->job->details->overcommit ||
        nvl72_has_whole_nodes(c->job) || nvl72_fills_sockets(c) || eval->mc_ptr->ntasks_per_core ||
        eval->mc_ptr->ntasks_per_socket)
        return false;
    bound = _bound(c, node);
    (void)list_for_each(offer->sock_gres_list, _limit_bound_tasks, &bound);
    xfree(bound.selected);
    xfree(bound.taken);
    if (bound.tasks == UINT32_MAX) return false;
    cpus = bound.tasks * nvl72_cpus_a_task(c->job);
    if (cpus < c->job->details->pn_min_cpus) cpus = 0;
    eval->avail_cpus = MIN(eval->avail_cpus, cpus);
    offer->avail_cpus = MIN(offer->avail_cpus, cpus);
    offer->gres_min_cpus = MIN(offer->gres_min_cpus, _ceiling(cpus, per_core) * per_core);
    return true;
}

/* ---- --gpus: a total --------------------------------------------------------------------------
 */

static int _is_wanted(void* x, void* wanted) {
    const sock_gres_t* gres = x;

    return gres->gres_state_job == wanted;
}

/* Those of no socket, and of as many sockets as the job's CPUs there reach, if they are the
 * poorest. */
static uint64_t _least_gres(const nvl72_case_t* c, uint32_t node, const sock_gres_t* gres) {
    uint32_t per_core = MAX(job_mgr_determine_cpus_per_core(c->job->details, node), 1);
    uint32_t cores = _ceiling(c->eval->avail_res_array[node]->avail_cpus, per_core);
    uint32_t used = MIN(_sockets_used(c, node), MAX(cores, 1)), left_out = 0;
    uint64_t count = gres->cnt_any_sock, richest = 0;

    for (int s = 0; gres->cnt_by_sock && (s < gres->sock_cnt); s++) {
        if (!nvl72_cores_on_socket(c, node, s)) continue;
        count += gres->cnt_by_sock[s];
        richest = MAX(richest, gres->cnt_by_sock[s]);
        left_out++;
    }
    left_out -= MIN(left_out, used);
    return count - MIN(count - gres->cnt_any_sock, richest * left_out);
}

/* GPUs of nodes, sockets and tasks Slurm allocates as such, though it keeps their total, too. */
static int64_t _counted_in_all(const gres_state_t* gres) {
    const gres_job_state_t* wanted = gres->gres_data;
    bool otherwise = wanted->gres_per_node || wanted->gres_per_socket || wanted->gres_per_task;

    return otherwise ? 0 : wanted->gres_per_job;
}

/* Layouts limit what is offered of a node's GPUs to those that the job still needs. */
static int64_t _free_on_node(const sock_gres_t* gres) {
    const gres_node_state_t* has = gres->gres_state_node->gres_data;

    return has->gres_cnt_avail - (gres->use_total_gres ? 0 : has->gres_cnt_alloc);
}

/*
 * Slurm gives each node its share in their order, at least one GPU for each that follows. What the
 * sockets in use lack comes from others in the end, node by node; but that ends at the first node
 * whose GPUs belong to no cores.
 */
static int _falls_short(void* x, void* argument) {
    const gres_state_t* wanted = x;
    const nvl72_case_t* c = argument;
    nvl72block_view nodes = nvl72block_answer_nodes(c->answer);
    int64_t left = _counted_in_all(wanted);
    int64_t following = nvl72_count_nodes(nodes), spare = 0;
    bool bound = false, loose = false, none = false;

    if (!left) return 0;
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1)) {
        list_t* offers = c->eval->avail_res_array[i]->sock_gres_list;
        sock_gres_t* gres = offers ? list_find_first(offers, _is_wanted, (void*)wanted) : NULL;
        int64_t share = left - --following, given, free;

        if (!gres || !gres->gres_state_node) continue;
        free = _free_on_node(gres);
        if (_belongs_to_cores(gres)) {
            given = MIN(MIN(share, (int64_t)gres->total_cnt), (int64_t)_least_gres(c, i, gres));
            given = MAX(given, 1);
            if (!loose) spare += free - given;
            bound = true;
        } else {
            given = (share < 0) ? free : MIN(share, free);
            loose = true;
            none |= !given;
        }
        left -= given;
    }
    return bound && loose && ((left > spare) || none);
}

extern bool nvl72_gives_total_gres(const nvl72_case_t* c) {
    list_t* wanted = c->job->gres_list_req;

    return !wanted || nvl72_has_whole_nodes(c->job) ||
           !list_find_first(wanted, _falls_short, (void*)c);
}

/* The scarcest total so far. */
typedef struct {
    const nvl72_case_t* c;
    const gres_state_t* scarcest;
    uint64_t wanted, offered;
} nvl72_totals_t;

/* GPUs of that total which the candidates offer. */
static uint64_t _offered_of_total(const nvl72_case_t* c, const gres_state_t* total) {
    uint64_t offered = 0;

    for (int i = nvl72_next_node(c->state.usable, 0); i >= 0;
         i = nvl72_next_node(c->state.usable, i + 1)) {
        list_t* offers = c->eval->avail_res_array[i]->sock_gres_list;
        const sock_gres_t* gres = offers ? list_find_first(offers, _is_wanted, (void*)total) : NULL;

        if (gres) offered += gres->total_cnt;
    }
    return offered;
}

static int _compare_total(void* x, void* argument) {
    const gres_state_t* total = x;
    const gres_job_state_t* wanted = total->gres_data;
    nvl72_totals_t* totals = argument;
    uint64_t offered;

    if ((total->plugin_id != gres_get_gpu_plugin_id()) || !wanted->gres_per_job)
        return SLURM_SUCCESS;
    offered = _offered_of_total(totals->c, total);
    if (totals->scarcest && (wanted->gres_per_job * totals->offered <= totals->wanted * offered))
        return SLURM_SUCCESS;
    totals->scarcest = total;
    totals->wanted = wanted->gres_per_job;
    totals->offered = offered;
    return SLURM_SUCCESS;
}

static int _count_total(void* x, void* count) {
    const gres_state_t* gres = x;
    const gres_job_state_t* wanted = gres->gres_data;

    if ((gres->plugin_id == gres_get_gpu_plugin_id()) && wanted->gres_per_job) ++*(uint32_t*)count;
    return SLURM_SUCCESS;
}

extern const void* nvl72_scarcest_total(const nvl72_case_t* c, uint64_t* gpus) {
    nvl72_totals_t totals = {.c = c};
    uint32_t count = 0;

    (void)list_for_each(c->job->gres_list_req, _count_total, &count);
    if (count < 2) return NULL;
    /* A copy of an offer has the totals of the job's copy. */
    for (int i = nvl72_next_node(c->state.usable, 0); nvl72_own_offer && (i >= 0);
         i = nvl72_next_node(c->state.usable, i + 1))
        nvl72_own_offer(c->eval, i);
    (void)list_for_each(c->job->gres_list_req, _compare_total, &totals);
    if (!totals.offered) return NULL; /* nothing is known of the nodes' types */
    *gpus = totals.wanted;
    return totals.scarcest;
}

/* GPUs that a node gives surely, whichever nodes are chosen with it. */
typedef struct {
    const nvl72_case_t* c;
    uint32_t node;
    uint64_t count;
} nvl72_least_gpus_t;

static int _add_least_gpus(void* x, void* argument) {
    const sock_gres_t* gres = x;
    nvl72_least_gpus_t* least = argument;
    const gres_job_state_t* wanted;

    if (!gres->gres_state_job || !gres->gres_state_node ||
        (gres->gres_state_job->plugin_id != gres_get_gpu_plugin_id()) ||
        (least->c->scarcest && (gres->gres_state_job != least->c->scarcest)))
        return SLURM_SUCCESS;
    wanted = gres->gres_state_job->gres_data;
    if (!wanted->gres_per_job) return SLURM_SUCCESS;
    least->count +=
        _belongs_to_cores(gres) ? _least_gres(least->c, least->node, gres) : gres->total_cnt;
    return SLURM_SUCCESS;
}

extern uint32_t nvl72_least_gpus(const nvl72_case_t* c, uint32_t node) {
    list_t* offers = c->eval->avail_res_array[node]->sock_gres_list;
    nvl72_least_gpus_t least = {.c = c, .node = node};

    if (offers) (void)list_for_each(offers, _add_least_gpus, &least);
    return MIN(least.count, UINT32_MAX);
}
