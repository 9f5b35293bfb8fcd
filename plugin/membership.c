/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes that come, move and go (25.05 and later): a node's Topology= string. The same update twice
 * changes nothing, and a block that no file names is made when its first node arrives.
 */
#include "plugin.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/node_features.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

extern int topology_p_add_rm_node(node_record_t* node, char* unit, topology_ctx_t* tctx);
extern int topology_p_destroy_config(topology_ctx_t* tctx);

static char* _nodes_of(const nvl72block_topology* topology, uint32_t block) {
    bitstr_t* members = bit_alloc(node_record_count);
    char* nodes;

    nvl72block_topology_members(topology, block, block + 1, nvl72_words(members),
                                node_record_count);
    nodes = bitmap2node_name(members);
    FREE_NULL_BITMAP(members);
    return nodes;
}

/* `scontrol show topoconf` reads the configuration, not us. */
static void _tell_configuration(topology_ctx_t* tctx, const nvl72block_topology* topology,
                                uint32_t block) {
    nvl72_source_t source = NVL72_SOURCE;
    char* nodes;

    if (!source.yaml || (block == NVL72BLOCK_NO_BLOCK)) return;
    nodes = _nodes_of(topology, block);
    nvl72_yaml_update(&source, block, nodes);
    xfree(nodes);
}

/* A topology that has the block `unit`; takes over the reference to the one given. */
static nvl72block_topology* _with_unit(nvl72block_topology* topology, const char* unit,
                                       topology_ctx_t* tctx, nvl72block_error* problem) {
    nvl72_source_t source = NVL72_SOURCE;
    nvl72block_topology* larger;

    if (!unit || (nvl72block_topology_find_block(topology, unit) != NVL72BLOCK_NO_BLOCK))
        return topology;
    larger = nvl72block_topology_add_block(topology, unit, problem);
    nvl72block_topology_release(topology);
    if (larger) {
        info("%s: new block %s", plugin_type, unit);
        nvl72_yaml_add_block(&source, unit);
    }
    return larger;
}

static int _move(nvl72_site_t* site, nvl72block_topology* topology, node_record_t* node,
                 uint32_t block, topology_ctx_t* tctx) {
    uint32_t before = nvl72block_topology_block_of(topology, node->index);
    nvl72block_topology* moved;
    nvl72block_error problem;

    moved = nvl72block_topology_move(topology, node->index, block, &problem);
    if (!moved) {
        error("%s: cannot move %s: %s", plugin_type, node->name, problem.message);
        return SLURM_ERROR;
    }
    debug(
        "%s: %s is now in %s", plugin_type, node->name,
        (block == NVL72BLOCK_NO_BLOCK) ? "no block" : nvl72block_topology_block_name(moved, block));
    _tell_configuration(tctx, moved, before);
    _tell_configuration(tctx, moved, block);
    nvl72_site_replace(site, moved);
    return SLURM_SUCCESS;
}

/* Where blocks come from the cliques a node's Topology= string has no say. At start an error would
 * end slurmctld, so only a user who asks for it now is told so. */
static int _refuse_move(nvl72block_topology* topology, const node_record_t* node,
                        const char* unit) {
    uint32_t block = nvl72block_topology_block_of(topology, node->index);
    const char* name = nvl72block_topology_block_name(topology, block);
    int rc = SLURM_SUCCESS;

    if (unit && xstrcmp(unit, name)) {
        error(
            "%s: %s stays in %s: with Nvl72Clique=derive its features say where it is, not "
            "Topology=%s",
            plugin_type, node->name, name ? name : "no block", unit);
        if (avail_feature_list) rc = SLURM_ERROR;
    }
    nvl72block_topology_release(topology);
    return rc;
}

/* Slurm holds the node write lock, so there is one change at a time. */
extern int topology_p_add_rm_node(node_record_t* node, char* unit, topology_ctx_t* tctx) {
    nvl72_site_t* site = NVL72_SITE_OF_TCTX;
    nvl72block_topology* topology = nvl72_site_topology(site);
    nvl72block_error problem;
    uint32_t block;
    int rc = SLURM_SUCCESS;

    if (!topology) return unit ? SLURM_ERROR : SLURM_SUCCESS;
    if (nvl72_cliques_rule(site)) return _refuse_move(topology, node, unit);
    topology = _with_unit(topology, unit, tctx, &problem);
    if (!topology) {
        error("%s: no block %s for %s: %s", plugin_type, unit, node->name, problem.message);
        return SLURM_ERROR;
    }
    block = nvl72block_topology_find_block(topology, unit);
    if (block != nvl72block_topology_block_of(topology, node->index))
        rc = _move(site, topology, node, block, tctx);
    nvl72block_topology_release(topology);
    return rc;
}

extern int topology_p_destroy_config(topology_ctx_t* tctx) {
    nvl72_site_destroy(NVL72_SITE_OF_TCTX);
    NVL72_SET_SITE(NULL);
    return SLURM_SUCCESS;
}
