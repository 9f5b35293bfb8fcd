/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hierarchical resources (25.11 and later): amounts that belong to a place in the topology.
 */
#include <string.h>

#include "plugin.h"
#include "src/common/node_conf.h"
#include "src/slurmctld/licenses.h"

extern void nvl72_hres_reset(job_record_t* job) {
    hres_select_t* hres = job->hres_select;

    if (hres)
        memcpy(hres->avail_hres, hres->avail_hres_orig,
               hres->layers_cnt * sizeof(*hres->avail_hres));
}

/* The nodes of a base block that the resource can serve; required ones are counted first. */
static void _limit_block(nvl72_case_t* c, uint32_t block, bitstr_t* members) {
    hres_select_t* hres = c->job->hres_select;
    bitstr_t* required = c->job->details->req_node_bitmap;
    int first = bit_ffs(members);
    uint32_t room;

    if ((first < 0) || !hres->hres_per_node) return;
    room = hres_get_capacity(hres, c->eval->avail_res_array[first]->hres_leaf_idx) /
           hres->hres_per_node;
    if (required) room -= MIN(room, (uint32_t)bit_overlap(members, required));
    for (int i = 0; next_node_bitmap(members, &i); i++) {
        if (required && bit_test(required, i)) continue;
        if (room)
            room--;
        else
            bit_clear(c->candidates, i);
    }
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
        _limit_block(c, block, members);
    }
    FREE_NULL_BITMAP(members);
}
