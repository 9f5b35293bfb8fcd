/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What came with 26.05: task order by block, and the way of one-node jobs.
 */
#include "slurm/entries.h"
#include "topology/topology.h"

#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/plugins/topology/common/common_topo.h"

/* One entry per node of the bitmap; the upper bits say the block, nodes in none have 0. */
extern int nvl72_own_get_rank(bitstr_t* node_bitmap, uint32_t** ranks, uint32_t* count,
                              void* plugin_ctx) {
    nvl72block_topology* topology;

    *ranks = NULL;
    *count = 0;
    if (!node_bitmap || (bit_ffs(node_bitmap) < 0)) return SLURM_SUCCESS;
    topology = nvl72_context_topology(plugin_ctx);
    *ranks = xcalloc(bit_set_count(node_bitmap), sizeof(**ranks));
    for (int i = 0; next_node_bitmap(node_bitmap, &i); i++) {
        uint32_t block = nvl72block_topology_block_of(topology, i);

        if (block != NVL72BLOCK_NO_BLOCK) (*ranks)[*count] = block << TOPO_RANK_ID_SHIFT;
        (*count)++;
    }
    nvl72block_topology_release(topology);
    return SLURM_SUCCESS;
}

/* The shortcut takes the first node that will do; we want the one that breaks the least. */
extern bool nvl72_own_allow_one_node(void* plugin_ctx) {
    return false;
}

extern int nvl72_own_eval_node(topology_eval_t* eval, int node) {
    return common_test_node(eval, node);
}
