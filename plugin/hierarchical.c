/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hierarchical resources (25.11 and later): amounts that belong to a place, often a rack. A place
 * serves no more nodes of a job than its amount allows, whatever blocks the topology has.
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

/* A candidate, and what speaks for it in its place. */
typedef struct {
    uint64_t weight;
    int node;
    uint16_t place;
    uint16_t gpus;
    uint16_t cpus;
    bool required;
} nvl72_served_t;

/* By place: required nodes first, then the lightest, then those with most GPUs and CPUs for the
 * job, then in the order of the table. */
static int _compare(const void* x, const void* y) {
    const nvl72_served_t* a = x;
    const nvl72_served_t* b = y;

    if (a->place != b->place) return (a->place < b->place) ? -1 : 1;
    if (a->required != b->required) return a->required ? -1 : 1;
    if (a->weight != b->weight) return (a->weight < b->weight) ? -1 : 1;
    if (a->gpus != b->gpus) return (a->gpus > b->gpus) ? -1 : 1;
    if (a->cpus != b->cpus) return (a->cpus > b->cpus) ? -1 : 1;
    return a->node - b->node;
}

static uint32_t _sort_candidates(const nvl72_case_t* c, nvl72_served_t* served) {
    bitstr_t* required = c->job->details->req_node_bitmap;
    const node_record_t* record;
    uint32_t count = 0;

    for (int i = 0; (record = next_node_bitmap(c->candidates, &i)); i++) {
        const avail_res_t* offer = c->eval->avail_res_array[i];

        served[count++] = (nvl72_served_t){.weight = record->sched_weight,
                                           .node = i,
                                           .place = offer->hres_leaf_idx,
                                           .gpus = offer->avail_gpus,
                                           .cpus = offer->avail_cpus,
                                           .required = required && bit_test(required, i)};
    }
    qsort(served, count, sizeof(*served), _compare);
    return count;
}

static uint32_t _room(hres_select_t* hres, uint16_t place) {
    return (place < hres->leaf_cnt) ? hres_get_capacity(hres, place) / hres->hres_per_node : 0;
}

extern void nvl72_hres_limit(nvl72_case_t* c) {
    hres_select_t* hres = c->job->hres_select;
    nvl72_served_t* served;
    uint32_t room = 0;
    uint32_t count;

    if (!hres || !hres->hres_per_node) return;
    served = xcalloc(bit_set_count(c->candidates) + 1, sizeof(*served));
    count = _sort_candidates(c, served);
    for (uint32_t i = 0; i < count; i++) {
        if (!i || (served[i].place != served[i - 1].place)) room = _room(hres, served[i].place);
        if (room)
            room--;
        else if (!served[i].required)
            bit_clear(c->candidates, served[i].node);
    }
    xfree(served);
}
