/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes that are deleted and created while slurmctld runs, of which 24.11 does not tell a topology
 * plugin: a created node gets the index of a deleted one, and would stand in its block. So the
 * nodes that can be deleted are known by name, and a node that comes back returns to its block.
 */
#include "cliques/cliques.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/run_in_daemon.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

typedef struct {
    char* name;
    uint32_t block;
    uint32_t index; /* NVL72BLOCK_NO_NODE: it is gone */
} nvl72_deletable_t;

struct nvl72_deletables {
    pthread_mutex_t lock;
    uint64_t seen_changes; /* nvl72_feature_changes() when they were looked at */
    uint32_t count;
    nvl72_deletable_t* node;
};

extern void nvl72_deletable_note(nvl72_context_t* context) {
    nvl72_deletables_t* known;
    node_record_t* node;

    if (!running_in_slurmctld() || nvl72_cliques_rule(context)) return;
    known = xmalloc(sizeof(*known));
    known->node = xcalloc(node_record_count, sizeof(*known->node));
    for (int i = 0; (node = next_node(&i)); i++) {
        uint32_t block = nvl72block_topology_block_of(context->topology, i);

        if (!IS_NODE_DYNAMIC_NORM(node) || (block == NVL72BLOCK_NO_BLOCK)) continue;
        known->node[known->count++] =
            (nvl72_deletable_t){.name = xstrdup(node->name), .block = block, .index = i};
    }
    slurm_mutex_init(&known->lock);
    if (known->count) {
        nvl72_features_forget();
        context->deletable = known;
    } else {
        nvl72_deletable_free(known);
    }
}

extern void nvl72_deletable_free(nvl72_deletables_t* known) {
    if (!known) return;
    for (uint32_t i = 0; i < known->count; i++) xfree(known->node[i].name);
    slurm_mutex_destroy(&known->lock);
    xfree(known->node);
    xfree(known);
}

static bool _is_there(const nvl72_deletable_t* node) {
    const node_record_t* record = node_record_table_ptr[node->index];

    return record && !xstrcmp(record->name, node->name);
}

static void _put(nvl72_context_t* context, uint32_t index, uint32_t block) {
    nvl72block_topology* topology = nvl72_context_topology(context);
    nvl72block_error problem;
    nvl72block_topology* moved = nvl72block_topology_move(topology, index, block, &problem);

    if (moved)
        nvl72_context_replace(context, moved);
    else
        error("%s: blocks cannot be updated: %s", plugin_type, problem.message);
    nvl72block_topology_release(topology);
}

static void _let_leave(nvl72_context_t* context, nvl72_deletable_t* node) {
    if ((node->index == NVL72BLOCK_NO_NODE) || _is_there(node)) return;
    debug("%s was deleted and leaves its block", node->name);
    _put(context, node->index, NVL72BLOCK_NO_BLOCK);
    node->index = NVL72BLOCK_NO_NODE;
}

static void _let_return(nvl72_context_t* context, nvl72_deletable_t* node) {
    const node_record_t* record;

    if (node->index != NVL72BLOCK_NO_NODE) return;
    record = find_node_record2(node->name);
    if (!record || xstrcmp(record->name, node->name)) return; /* another one's host name */
    debug("%s is back in its block", node->name);
    _put(context, record->index, node->block);
    node->index = record->index;
}

extern void nvl72_deletable_refresh(nvl72_context_t* context) {
    nvl72_deletables_t* known = context->deletable;
    uint64_t changes;

    if (!known) return;
    slurm_mutex_lock(&known->lock);
    changes = nvl72_feature_changes();
    if (changes != known->seen_changes) {
        known->seen_changes = changes;
        /* All leave first: one may return to where another has been. */
        for (uint32_t i = 0; i < known->count; i++) _let_leave(context, &known->node[i]);
        for (uint32_t i = 0; i < known->count; i++) _let_return(context, &known->node[i]);
    }
    slurm_mutex_unlock(&known->lock);
}
