/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes that a job cannot have because of other jobs: on them, or in their blocks
 * (--exclusive=topo). Slurm offers them where it only tests whether a job could run: sentences must
 * not count them.
 */
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"

extern uint32_t nvl72_take_out_blocked(bitstr_t* nodes) {
    nvl72block_view all = nvl72_view(nodes);
    uint32_t taken = 0;

    for (int i = nvl72_next_node(all, 0); i >= 0; i = nvl72_next_node(all, i + 1)) {
        if (!node_record_table_ptr[i] || !IS_NODE_BLOCKED(node_record_table_ptr[i])) continue;
        bit_clear(nodes, i);
        taken++;
    }
    return taken;
}

extern void nvl72_take_out_unshared(bitstr_t* nodes) {
    nvl72block_view all = nvl72_view(nodes);

    for (int i = nvl72_next_node(all, 0); i >= 0; i = nvl72_next_node(all, i + 1))
        if (!node_record_table_ptr[i] || node_record_table_ptr[i]->no_share_job_cnt)
            bit_clear(nodes, i);
}

extern void nvl72_take_out_blocks_in_use(const nvl72block_topology* topology, bitstr_t* nodes) {
    bool* in_use = xcalloc(nvl72block_topology_block_count(topology) + 1, sizeof(*in_use));
    nvl72block_view all = nvl72_view(nodes);
    node_record_t* node;

    for (int i = 0; (node = next_node(&i)); i++) {
        uint32_t block = nvl72block_topology_block_of(topology, i);

        if ((block != NVL72BLOCK_NO_BLOCK) && (node->run_job_cnt || node->comp_job_cnt))
            in_use[block] = true;
    }
    for (int i = nvl72_next_node(all, 0); i >= 0; i = nvl72_next_node(all, i + 1)) {
        uint32_t block = nvl72block_topology_block_of(topology, i);

        if ((block != NVL72BLOCK_NO_BLOCK) && in_use[block]) bit_clear(nodes, i);
    }
    xfree(in_use);
}

extern bool nvl72_take_out_blocks_left_in_use(const nvl72block_topology* topology, bitstr_t* chosen,
                                              bitstr_t* in_use, bitstr_t* nodes) {
    bitstr_t* left = bit_copy(chosen);
    bool found;

    nvl72block_topology_complete(topology, nvl72_words(left), bit_size(left));
    bit_and_not(left, chosen);
    bit_and(left, in_use);
    found = bit_ffs(left) >= 0;
    nvl72block_topology_complete(topology, nvl72_words(left), bit_size(left));
    bit_and_not(nodes, left);
    FREE_NULL_BITMAP(left);
    return found;
}
