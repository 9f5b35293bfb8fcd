/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hierarchical resources (25.11 and later): amounts that belong to a place in the topology.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/slurmctld/licenses.h"

extern void nvl72_hres_reset(job_record_t* job) {
    hres_select_t* hres = job->hres_select;

    if (hres)
        memcpy(hres->avail_hres, hres->avail_hres_orig,
               hres->layers_cnt * sizeof(*hres->avail_hres));
}

/* A node that the resource could serve, and what speaks for it. */
typedef struct {
    uint64_t weight;
    uint32_t gpus;
    uint32_t cpus;
    int node;
} nvl72_served_t;

/* Lightest first, then with most GPUs and most CPUs for the job, then in the order of the table. */
static int _compare(const void* x, const void* y) {
    const nvl72_served_t* a = x;
    const nvl72_served_t* b = y;

    if (a->weight != b->weight) return (a->weight < b->weight) ? -1 : 1;
    if (a->gpus != b->gpus) return (a->gpus > b->gpus) ? -1 : 1;
    if (a->cpus != b->cpus) return (a->cpus > b->cpus) ? -1 : 1;
    return a->node - b->node;
}

/* The nodes of a base block that the job need not have, best first. */
static uint32_t _sort_free(const nvl72_case_t* c, bitstr_t* members, nvl72_served_t* served) {
    bitstr_t* required = c->job->details->req_node_bitmap;
    const node_record_t* record;
    uint32_t count = 0;

    for (int i = 0; (record = next_node_bitmap(members, &i)); i++) {
        const avail_res_t* offer = c->eval->avail_res_array[i];

        if (required && bit_test(required, i)) continue;
        served[count++] = (nvl72_served_t){.weight = record->sched_weight,
                                           .gpus = offer->avail_gpus,
                                           .cpus = offer->avail_cpus,
                                           .node = i};
    }
    qsort(served, count, sizeof(*served), _compare);
    return count;
}

/* The nodes of a base block that the resource can serve; required ones are counted first. */
static void _limit_block(nvl72_case_t* c, bitstr_t* members) {
    hres_select_t* hres = c->job->hres_select;
    bitstr_t* required = c->job->details->req_node_bitmap;
    int first = bit_ffs(members);
    nvl72_served_t* served;
    uint32_t count;
    uint32_t room;

    if ((first < 0) || !hres->hres_per_node) return;
    room = hres_get_capacity(hres, c->eval->avail_res_array[first]->hres_leaf_idx) /
           hres->hres_per_node;
    if (room >= (uint32_t)bit_set_count(members)) return;
    if (required) room -= MIN(room, (uint32_t)bit_overlap(members, required));
    served = xcalloc(bit_set_count(members), sizeof(*served));
    count = _sort_free(c, members, served);
    for (uint32_t i = room; i < count; i++) bit_clear(c->candidates, served[i].node);
    xfree(served);
}

extern void nvl72_hres_limit(nvl72_case_t* c) {
    hres_select_t* hres = c->job->hres_select;
    bitstr_t* members;

    /* A resource that another topology lays out is checked node by node later. */
    if (!hres || !c->job->part_ptr || (hres->topology_idx != c->job->part_ptr->topology_idx))
        return;
    members = bit_alloc(node_record_count);
    for (uint32_t block = 0; block < nvl72block_topology_block_count(c->topology); block++) {
        bit_clear_all(members);
        nvl72block_topology_members(c->topology, block, block + 1, nvl72_words(members),
                                    node_record_count);
        bit_and(members, c->candidates);
        _limit_block(c, members);
    }
    FREE_NULL_BITMAP(members);
}
