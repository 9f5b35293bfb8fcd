/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads the NVLink cliques that the nodes' features name, and keeps them to notice changes.
 */
#include "cliques/cliques.h"

#include "slurm/facts.h"

#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"

static const char* _features(void* argument, uint32_t index) {
    const node_record_t* node = node_record_table_ptr[index];

    return node ? node->features : NULL;
}

/* The cliques of all nodes as their features are now. */
static nvl72block_cliques* _read(const nvl72_options_t* options, nvl72block_error* problem) {
    const char* prefix = nvl72block_options_value(options, "Nvl72CliquePrefix");

    return nvl72block_cliques_read(node_record_count, prefix, _features, NULL, problem);
}

extern nvl72block_topology* nvl72_cliques_follow(nvl72block_topology* topology,
                                                 const nvl72_options_t* options,
                                                 nvl72block_error* problem) {
    nvl72block_cliques* cliques = _read(options, problem);
    nvl72block_topology* changed = NULL;

    if (cliques) changed = nvl72block_topology_follow(topology, cliques, problem);
    nvl72block_topology_release(topology);
    nvl72block_cliques_free(cliques);
    return changed;
}

/* ---- What is kept to notice changes -------------------------------------------------------------
 */

/* NULL when they cannot be read; the error is logged. */
static nvl72block_cliques* _read_logged(const nvl72_options_t* options) {
    nvl72block_error problem;
    nvl72block_cliques* cliques = _read(options, &problem);

    if (!cliques) error("%s: cliques cannot be updated: %s", plugin_type, problem.message);
    return cliques;
}

extern nvl72_watch_t* nvl72_watch_create(const nvl72_options_t* options) {
    nvl72block_cliques* cliques = _read_logged(options);
    nvl72_watch_t* watch;

    if (!cliques) return NULL;
    watch = xmalloc(sizeof(*watch));
    slurm_mutex_init(&watch->lock);
    watch->cliques = cliques;
    return watch;
}

extern bool nvl72_watch_renew(nvl72_watch_t* watch, const nvl72_options_t* options) {
    uint64_t changes = nvl72_feature_changes();
    nvl72block_cliques* cliques;

    if (changes == watch->seen_changes) return false;
    cliques = _read_logged(options);
    if (!cliques) return false;
    watch->seen_changes = changes;
    if (nvl72block_cliques_same(cliques, watch->cliques)) {
        nvl72block_cliques_free(cliques);
        return false;
    }
    nvl72block_cliques_free(watch->cliques);
    watch->cliques = cliques;
    return true;
}

extern void nvl72_watch_destroy(nvl72_watch_t* watch) {
    if (!watch) return;
    nvl72block_cliques_free(watch->cliques);
    slurm_mutex_destroy(&watch->lock);
    xfree(watch);
}
