/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A number over all that an evaluation may change, for the lab's builds (NVL72_SHADOW_WATCH): it
 * must be the same after our half has answered, or Slurm's half would decide on what ours left.
 */
#include "shadow/shadow.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/interfaces/gres.h"
#include "src/plugins/topology/common/gres_sched.h"

/* FNV-1a. */
static uint64_t _add(uint64_t sum, const void* from, size_t size) {
    const uint8_t* bytes = from;

    for (size_t i = 0; from && (i < size); i++) sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static uint64_t _add_bits(uint64_t sum, bitstr_t* bits) {
    nvl72block_view view = nvl72_view(bits);

    return _add(sum, view.words, (view.bits + 63) / 64 * sizeof(*view.words));
}

static int _add_sock_gres(void* x, void* sum) {
    const sock_gres_t* gres = x;

    *(uint64_t*)sum = _add(*(uint64_t*)sum, gres, sizeof(*gres));
    *(uint64_t*)sum =
        _add(*(uint64_t*)sum, gres->cnt_by_sock, gres->sock_cnt * sizeof(*gres->cnt_by_sock));
    return 0;
}

static int _add_wish(void* x, void* sum) {
    const gres_state_t* wish = x;

    *(uint64_t*)sum = _add(*(uint64_t*)sum, wish, sizeof(*wish));
    *(uint64_t*)sum = _add(*(uint64_t*)sum, wish->gres_data, sizeof(gres_job_state_t));
    return 0;
}

static uint64_t _add_node(uint64_t sum, const topology_eval_t* eval, int node) {
    const avail_res_t* offer = eval->avail_res_array ? eval->avail_res_array[node] : NULL;

    if (eval->avail_core) sum = _add_bits(sum, eval->avail_core[node]);
    if (!offer) return sum;
    sum = _add(sum, offer, sizeof(*offer));
    sum = _add(sum, offer->avail_cores_per_sock,
               offer->sock_cnt * sizeof(*offer->avail_cores_per_sock));
    if (offer->sock_gres_list) (void)list_for_each(offer->sock_gres_list, _add_sock_gres, &sum);
    return sum;
}

extern uint64_t nvl72_fingerprint(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    nvl72block_view nodes = nvl72_view(eval->node_map);
    uint64_t sum = _add(UINT64_C(0xcbf29ce484222325), eval, sizeof(*eval));

    sum = _add(sum, job, sizeof(*job));
    sum = _add(sum, job->details, sizeof(*job->details));
    if (job->gres_list_req) (void)list_for_each(job->gres_list_req, _add_wish, &sum);
    sum = _add_bits(sum, eval->node_map);
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        sum = _add_node(sum, eval, i);
    return sum;
}
