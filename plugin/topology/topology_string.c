/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A node's Topology= string as the configuration has it (25.11 and later), to return to when a
 * node that was told another one is powered down.
 */
#include "slurm/entries.h"
#include "topology/topology.h"

#include "src/common/xstring.h"

extern void nvl72_own_get_topology_str(node_record_t* node, char** text, topology_ctx_t* tctx) {
    nvl72block_topology* topology = nvl72_context_topology(NVL72_CONTEXT_OF_TCTX);
    uint32_t block = nvl72block_topology_block_of(topology, node->index);

    if (block != NVL72BLOCK_NO_BLOCK)
        xstrfmtcat(*text, "%s%s:%s", *text ? "," : "", tctx->name,
                   nvl72block_topology_block_name(topology, block));
    nvl72block_topology_release(topology);
}
