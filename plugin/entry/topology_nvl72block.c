/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Start, end, and the entry points that are a few lines each.
 */
#include "decision/decision.h"
#include "entry/entry.h"
#include "shadow/shadow.h"
#include "slurm/entries.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/plugins/topology/common/common_topo.h"

/* Runs once per context, so more than once with a topology.yaml of several topologies. */
extern int init(void) {
    if (!nvl72_bitmaps_fit()) {
        error("%s was built for another bitmap layout", plugin_type);
        return SLURM_ERROR;
    }
    verbose("version %s for Slurm %s is loaded", NVL72BLOCK_VERSION, NVL72BLOCK_SLURM_VERSION);
    if (nvl72_is_in_shadow()) {
        const nvl72_entries_t* entries = nvl72_shadow_entries();

        if (!entries) return SLURM_ERROR;
        nvl72_put_in_force(entries);
    }
    return SLURM_SUCCESS;
}

/* What is known of jobs and nodes. */
static void _forget(void) {
    nvl72_drained_forget();
    nvl72_forget_all_turned_down();
}

extern int fini(void) {
    nvl72_context_destroy(nvl72_only_context);
    nvl72_only_context = NULL;
    _forget();
    return SLURM_SUCCESS;
}

/* A backup slurmctld that has control again has tables of its own of the jobs and nodes. */
extern int nvl72_own_build_config(NVL72_TCTX) {
    _forget();
    return nvl72_context_build(NVL72_PASS_TCTX);
}

extern int nvl72_own_eval_nodes(topology_eval_t* eval) {
    return nvl72_evaluate(NVL72_CONTEXT_OF_EVAL(eval), eval);
}

/*
 * What hostlist functions call: block{...} the one, blockwith{...} the other. Of Slurm's callers of
 * these functions some hold no node lock: `scontrol reboot` resolves its nodes before it locks, and
 * a trigger's nodes are resolved under the configuration and job locks alone (24.11 to 26.05). So
 * neither reads the nodes' features, or anything else that Slurm guards by its node lock, and
 * neither hands out memory that a change of the topology frees. They answer for the topology in
 * force, which nvl72_own_eval_nodes() and nvl72_own_get() keep up to date: their callers hold the
 * node lock.
 */
extern int nvl72_own_whole_topo(bitstr_t* node_mask NVL72_AND_CTX) {
    nvl72block_topology* topology = nvl72_context_topology(NVL72_CONTEXT_OF_CTX);

    nvl72block_topology_complete(topology, nvl72_words(node_mask), bit_size(node_mask));
    nvl72block_topology_release(topology);
    return SLURM_SUCCESS;
}

/*
 * Slurm does not free what it is given here, and there is no telling when it has read it. Its only
 * caller adds the nodes to a bitmap of its own at once, before the thread can ask for another
 * block. Hence a copy that is the thread's own and lasts until then.
 */
extern bitstr_t* nvl72_own_get_bitmap(char* name NVL72_AND_CTX) {
    nvl72_context_t* context = NVL72_CONTEXT_OF_CTX;
    nvl72_records_t* records = nvl72_context_lock_records(context);
    const nvl72_record_t* record;
    bitstr_t* bitmap = NULL;
    size_t nodes;

    if (!records) return NULL;
    record = nvl72_records_find(records, name);
    nodes = nvl72block_topology_node_count(records->topology);
    if (record) bitmap = nvl72_thread_bitmap(nodes);
    if (bitmap)
        nvl72block_topology_members(records->topology, record->first, record->last,
                                    nvl72_words(bitmap), nodes);
    nvl72_context_release_records(context);
    return bitmap;
}

extern int nvl72_own_split_hostlist(hostlist_t* hl, hostlist_t*** lists, int* count,
                                    uint16_t tree_width NVL72_AND_CTX) {
    return common_topo_split_hostlist_treewidth(hl, lists, count, tree_width);
}

extern int nvl72_own_get(topology_data_t type, void* data NVL72_AND_CTX) {
    nvl72_context_t* context = NVL72_CONTEXT_OF_CTX;
    nvl72block_topology* topology;

    switch (type) {
        case TOPO_DATA_TOPOLOGY_PTR: {
            dynamic_plugin_data_t* topoinfo = xmalloc(sizeof(*topoinfo));

            nvl72_cliques_refresh(context);
            topoinfo->data = nvl72_topoinfo_create(context);
            topoinfo->plugin_id = plugin_id;
            *(dynamic_plugin_data_t**)data = topoinfo;
            return SLURM_SUCCESS;
        }
        case TOPO_DATA_REC_CNT:
            topology = nvl72_context_topology(context);
            *(int*)data = nvl72block_topology_block_count(topology);
            nvl72block_topology_release(topology);
            return SLURM_SUCCESS;
        case TOPO_DATA_EXCLUSIVE_TOPO:
            *(int*)data = 1;
            return SLURM_SUCCESS;
        default:
            error("%s: cannot answer question %d", plugin_type, type);
            return SLURM_ERROR;
    }
}

extern uint32_t nvl72_own_get_fragmentation(bitstr_t* node_mask NVL72_AND_CTX) {
    nvl72_context_t* context = NVL72_CONTEXT_OF_CTX;
    nvl72block_topology* topology = nvl72_context_topology(context);
    uint32_t score;

    if (!topology) return 0;
    score = nvl72block_fragmentation(topology, context->options, nvl72_view(node_mask));
    nvl72block_topology_release(topology);
    return score;
}
