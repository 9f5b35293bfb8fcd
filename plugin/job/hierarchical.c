/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hierarchical resources (25.11 and later): amounts that belong to a leaf of a hierarchy, often a
 * rack. A leaf serves no more nodes of a job than its amount allows, whatever blocks the topology
 * has.
 */
#include <string.h>

#include "job/job.h"

#include "src/common/bitstring.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/slurmctld/licenses.h"

extern void nvl72_hres_reset(job_record_t* job) {
    hres_select_t* hres = job->hres_select;

    if (hres)
        memcpy(hres->avail_hres, hres->avail_hres_orig,
               hres->layers_cnt * sizeof(*hres->avail_hres));
}

extern void nvl72_hres_copy(job_record_t* job, void* (*copy)(const void* from, size_t size)) {
    hres_select_t* hres = copy(job->hres_select, sizeof(*hres));

    job->hres_select = hres;
    if (hres)
        hres->avail_hres = copy(hres->avail_hres, hres->layers_cnt * sizeof(*hres->avail_hres));
}

/* Nodes that each leaf can serve. */
static uint32_t* _room_of_leaves(hres_select_t* hres) {
    uint32_t* room = xcalloc(hres->leaf_cnt + 1, sizeof(*room));

    for (int leaf = 0; leaf < hres->leaf_cnt; leaf++)
        room[leaf] = hres_get_capacity(hres, leaf) / hres->hres_per_node;
    return room;
}

static uint32_t _list_candidates(const nvl72_case_t* c, nvl72block_candidate* list) {
    const node_record_t* record;
    uint32_t count = 0;

    for (int i = 0; (record = next_node_bitmap(c->candidates, &i)); i++) {
        list[count] = nvl72_candidate(c, i);
        list[count].group = c->eval->avail_res_array[i]->hres_leaf_idx;
        list[count++].weight = record->sched_weight;
    }
    return count;
}

extern void nvl72_hres_limit(nvl72_case_t* c) {
    hres_select_t* hres = c->job->hres_select;
    nvl72block_candidate* list;
    uint32_t *room, *surplus;
    size_t found;

    if (!hres || !hres->hres_per_node) return;
    list = xcalloc(bit_set_count(c->candidates) + 1, sizeof(*list));
    surplus = xcalloc(bit_set_count(c->candidates) + 1, sizeof(*surplus));
    room = _room_of_leaves(hres);
    found =
        nvl72block_surplus(list, _list_candidates(c, list), room, hres->leaf_cnt, surplus, NULL);
    for (size_t i = 0; i < found; i++) bit_clear(c->candidates, surplus[i]);
    xfree(room);
    xfree(surplus);
    xfree(list);
}
