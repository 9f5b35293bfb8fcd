/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What each candidate can really give a job. Slurm's offer of a node is an upper bound: how many of
 * its CPUs and GPUs a job with GRES gets (DefCpuPerGPU, GPUs bound to cores, tasks per GPU ...) is
 * known only when Slurm's helper selects cores there. Like nodes give the same, so that one of them
 * is tried for all.
 */
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/interfaces/gres.h"
#include "src/plugins/topology/common/eval_nodes.h"
#include "src/plugins/topology/common/gres_sched.h"

/* Kinds of nodes that are remembered at once; what is forgotten is only tried again. */
#define NVL72_KINDS 256

typedef struct {
    uint64_t key; /* 0: nothing is known */
    uint32_t cpus;
    uint32_t gpus;
} nvl72_kind_t;

/* Mixes a number into a key (the finaliser of MurmurHash3). */
static uint64_t _mix(uint64_t key, uint64_t number) {
    key = (key ^ number) * UINT64_C(0xff51afd7ed558ccd);
    key = (key ^ (key >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return key ^ (key >> 33);
}

static int _mix_gres(void* x, void* argument) {
    const sock_gres_t* gres = x;
    uint64_t* key = argument;

    *key = _mix(*key, (uintptr_t)gres->gres_state_job);
    *key = _mix(*key, gres->cnt_any_sock);
    *key = _mix(*key, gres->total_cnt);
    *key = _mix(*key, gres->max_node_gres);
    for (int s = 0; gres->cnt_by_sock && (s < gres->sock_cnt); s++)
        *key = _mix(*key, gres->cnt_by_sock[s]);
    return SLURM_SUCCESS;
}

/* Nodes of the same configuration with the same free CPUs, cores and GRES have the same key. That
 * others share it is as good as impossible, and would mislead the engine, not the layout. */
static uint64_t _key(const nvl72_case_t* c, uint32_t node) {
    const avail_res_t* offer = c->eval->avail_res_array[node];
    bitstr_t* cores = c->eval->avail_core ? c->eval->avail_core[node] : NULL;
    nvl72block_view words = nvl72_view(cores);
    uint64_t key = _mix(1, (uintptr_t)node_record_table_ptr[node]->config_ptr);

    key = _mix(key, offer->avail_cpus | ((uint64_t)offer->avail_gpus << 16));
    for (size_t i = 0; i < (words.bits + 63) / 64; i++) key = _mix(key, words.words[i]);
    if (offer->sock_gres_list) (void)list_for_each(offer->sock_gres_list, _mix_gres, &key);
    return key ? key : 1;
}

extern bool nvl72_candidates_are_alike(const nvl72_case_t* c) {
    uint64_t first = 0;

    for (int i = nvl72_next_node(c->state.usable, 0); i >= 0;
         i = nvl72_next_node(c->state.usable, i + 1)) {
        uint64_t key = _key(c, i);

        if (first && (key != first)) return false;
        first = key;
    }
    return true;
}

/* Selects the node's cores for the job, reads what that gives, and puts all back. */
static void _try_node(const nvl72_case_t* c, uint32_t node, nvl72_kind_t* kind) {
    nvl72_kept_t kept;

    nvl72_keep(c, node, &kept);
    nvl72_select_cores(c, node, c->least_nodes);
    kind->cpus = nvl72_cpus_of_node(c, node, c->eval->avail_cpus);
    if (c->request.gpus)
        kind->gpus = c->least_gpus ? nvl72_least_gpus(c, node) : nvl72_offered_gpus(c, node);
    nvl72_put_back(c, &kept);
    nvl72_kept_free(&kept);
}

/* For a job without GRES selecting cores is as cheap as telling nodes apart. */
static nvl72_kind_t _kind_of(const nvl72_case_t* c, nvl72_kind_t* kinds, uint32_t node) {
    nvl72_kind_t* kind = kinds;

    if (c->job->gres_list_req) {
        uint64_t key = _key(c, node);

        kind = &kinds[key % NVL72_KINDS];
        if (kind->key == key) return *kind;
        kind->key = key;
    }
    _try_node(c, node, kind);
    return *kind;
}

extern void nvl72_case_lay_out_as_slurm(nvl72_case_t* c) {
    c->as_slurm = c->examined = true;
    if (!c->cpus) c->cpus = xcalloc(node_record_count, sizeof(*c->cpus));
    c->state.cpus = c->cpus;
    c->request.cpus =
        (nvl72_may_exceed_limits(c) || nvl72_counts_more_than_offered(c->eval, c->state.usable))
            ? 0
            : nvl72_least_cpus(c);
    for (int i = nvl72_next_node(c->state.usable, 0); i >= 0;
         i = nvl72_next_node(c->state.usable, i + 1))
        c->cpus[i] = nvl72_cpus_of_node(c, i, c->eval->avail_res_array[i]->avail_cpus);
}

extern int nvl72_case_examine(nvl72_case_t* c) {
    nvl72_kind_t* kinds;
    bool possible = true;

    if (c->examined) return SLURM_SUCCESS;
    c->examined = true;
    kinds = xcalloc(NVL72_KINDS, sizeof(*kinds));
    if (!c->cpus) c->cpus = xcalloc(node_record_count, sizeof(*c->cpus));
    c->state.cpus = c->cpus;
    c->request.cpus = nvl72_least_cpus(c);
    c->eval->gres_per_job = gres_sched_init(c->job->gres_list_req);
    for (int i = nvl72_next_node(c->state.usable, 0); i >= 0;
         i = nvl72_next_node(c->state.usable, i + 1)) {
        nvl72_kind_t kind = _kind_of(c, kinds, i);

        c->cpus[i] = kind.cpus;
        if (c->gpus) c->gpus[i] = kind.gpus;
        if (kind.cpus) continue;
        if (nvl72_is_required(c, i)) possible = false;
        bit_clear(c->candidates, i);
    }
    xfree(kinds);
    if (possible) return SLURM_SUCCESS;
    return nvl72_give_up_for(c, NVL72BLOCK_REQUIRED_NOT_SUITABLE, NVL72_E_REQUIRED_BUSY);
}
