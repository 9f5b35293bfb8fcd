/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What depends on a node's position: its address (SLURM_TOPOLOGY_ADDR) and its rank in the node
 * table.
 */
#include "cliques/cliques.h"
#include "slurm/entries.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/xstring.h"
#include "src/plugins/topology/common/common_topo.h"

extern int nvl72_own_get_node_addr(char* node_name, char** address, char** pattern NVL72_AND_CTX) {
    node_record_t* node = find_node_record(node_name);
    nvl72block_topology* topology;
    const char* block;

    if (!node) return SLURM_ERROR;
    topology = nvl72_context_topology(NVL72_CONTEXT_OF_CTX);
    block = nvl72block_topology_block_name(topology,
                                           nvl72block_topology_block_of(topology, node->index));
    if (block) {
        *address = xstrdup_printf("%s.%s", block, node_name);
        *pattern = xstrdup("block.node");
    }
    nvl72block_topology_release(topology);
    return block ? SLURM_SUCCESS : common_topo_get_node_addr(node_name, address, pattern);
}

/*
 * Runs before the node table has its final order: the topology that ranks the nodes is of no
 * further use. Nodes in no block keep rank 0 and come first, as under topology/block.
 */
extern bool nvl72_own_generate_node_ranking(NVL72_TCTX) {
    nvl72_source_t source = NVL72_SOURCE;
    nvl72_options_t* options;
    nvl72block_topology* topology;
    nvl72block_error problem;
    node_record_t* node;

    if (!xstrcasestr(slurm_conf.topology_param, "BlockAsNodeRank")) return NVL72_RANKED_BY_DEFAULT;
    /* What is wrong will be dealt with when the topology is built for use. */
    source.quiet = true;
    nvl72_features_drop();
    options = nvl72_read_options(true);
    topology = nvl72_load(&source, options, &problem);
    nvl72block_options_free(options);
    if (!topology) return NVL72_RANKED_BY_DEFAULT;
    for (int i = 0; (node = next_node(&i)); i++) {
        uint32_t block = nvl72block_topology_block_of(topology, i);

        if (block != NVL72BLOCK_NO_BLOCK) node->node_rank = block + 1;
    }
    nvl72block_topology_release(topology);
    return true;
}
