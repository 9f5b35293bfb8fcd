/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm 26.05 has changed; release_24_11.h says what each name means.
 */
#include "slurm/release_25_11.h"

#undef NVL72_ENTRIES
#undef NVL72_IMPLICIT_MAX
#undef NVL72_COUNTS_ALL_TASKS
#undef NVL72_HAS_ARBITRARY
#undef NVL72_E_NOT_SUPPORTED
#undef NVL72_E_REQUIRED_BUSY
#undef NVL72_E_REQUIRED_MISPLACED
#undef NVL72_E_NO_FIT
#undef NVL72_E_SEGMENTS
#undef NVL72_E_RESOURCES
#undef NVL72_E_NO_NODES
#undef NVL72_END_RETRIES
#undef NVL72_HAS_ONE_NODE
#undef NVL72_TAKE_ONE_NODE

#define NVL72_IMPLICIT_MAX(job) (((job)->bit_flags & JOB_IMPLICIT_MAX_NODES) != 0)

#define NVL72_COUNTS_ALL_TASKS false

#define NVL72_HAS_ARBITRARY 0

#define NVL72_E_NOT_SUPPORTED ESLURM_NOT_SUPPORTED
#define NVL72_E_REQUIRED_BUSY ESLURM_TOPO_REQ_NODES_NOT_AVAIL
#define NVL72_E_REQUIRED_MISPLACED ESLURM_TOPO_REQ_NODES_NO_MATCH_TOPO
#define NVL72_E_NO_FIT ESLURM_TOPO_NO_FIT
#define NVL72_E_SEGMENTS ESLURM_TOPO_SEGMENT_NO_FIT
#define NVL72_E_RESOURCES ESLURM_TOPO_INSUFFICIENT_RESOURCES
#define NVL72_E_NO_NODES ESLURM_TOPO_EMPTY_NODE_MAP
#define NVL72_END_RETRIES(eval) ((eval)->eval_action = EVAL_ACTION_BREAK)

#define NVL72_ENTRIES(ENTRY)   \
    NVL72_ENTRIES_24_11(ENTRY) \
    NVL72_ENTRIES_25_05(ENTRY) NVL72_ENTRIES_25_11(ENTRY) NVL72_ENTRIES_26_05(ENTRY)
#define NVL72_ENTRIES_26_05(ENTRY)                                                                \
    ENTRY(bool, allow_one_node, topology_p_allow_one_node, (void* plugin_ctx), (plugin_ctx))      \
    ENTRY(int, eval_node, topology_p_eval_node, (topology_eval_t * eval, int node), (eval, node)) \
    ENTRY(int, get_rank, topology_p_get_rank,                                                     \
          (bitstr_t * node_bitmap, uint32_t * *ranks, uint32_t * count, void* plugin_ctx),        \
          (node_bitmap, ranks, count, plugin_ctx))

#define NVL72_HAS_ONE_NODE 1

#define NVL72_TAKE_ONE_NODE(eval, node) common_test_node(eval, node)
