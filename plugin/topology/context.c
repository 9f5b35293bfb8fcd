/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One configured topology and what belongs to it: what Slurm hands to the entry points as their
 * plugin context. Topology requests read it from several threads at once while the
 * scheduler places jobs, so the engine's immutable topology is shared by reference and replaced as
 * a whole. Not every thread that reads it holds a lock of Slurm's: see nvl72_own_get_bitmap().
 */
#include "cliques/cliques.h"
#include "demand/demand.h"
#include "slurm/facts.h"
#include "slurm/planted.h"
#include "topology/topology.h"

#include "src/common/macros.h"
#include "src/common/xmalloc.h"

nvl72_context_t* nvl72_only_context = NULL;

extern nvl72_context_t* nvl72_context_create(nvl72block_topology* topology,
                                             nvl72_options_t* options) {
    nvl72_context_t* context = xmalloc(sizeof(*context));

    slurm_rwlock_init(&context->lock);
    slurm_mutex_init(&context->records_lock);
    context->topology = topology;
    context->options = options;
    return context;
}

extern void nvl72_context_destroy(nvl72_context_t* context) {
    if (!context) return;
    nvl72_watch_destroy(context->watch);
    nvl72_configured_free(context->configured);
    nvl72_deletable_free(context->deletable);
    nvl72_demand_destroy(context->demand);
    nvl72_records_destroy(context->records);
    nvl72block_topology_release(context->topology);
    nvl72block_options_free(context->options);
    slurm_rwlock_destroy(&context->lock);
    slurm_mutex_destroy(&context->records_lock);
    xfree(context);
}

extern nvl72block_topology* nvl72_context_topology(nvl72_context_t* context) {
    nvl72block_topology* topology;

    if (!context) return NULL;
    slurm_rwlock_rdlock(&context->lock);
    topology = nvl72block_topology_retain(context->topology);
    slurm_rwlock_unlock(&context->lock);
    return topology;
}

extern void nvl72_context_replace(nvl72_context_t* context, nvl72block_topology* topology) {
    nvl72block_topology* old;

    slurm_mutex_lock(&context->records_lock);
    slurm_rwlock_wrlock(&context->lock);
    old = context->topology;
    context->topology = topology;
    slurm_rwlock_unlock(&context->lock);
    nvl72_records_destroy(context->records);
    context->records = NULL;
    slurm_mutex_unlock(&context->records_lock);
    nvl72block_topology_release(old);
}

extern nvl72_records_t* nvl72_context_lock_records(nvl72_context_t* context) {
    if (!context) return NULL;
    if (nvl72_planted("lock"))
        (void)usleep(NVL72_PLANTED_PAUSE);
    else
        slurm_mutex_lock(&context->records_lock);
    if (!context->records) context->records = nvl72_records_create(nvl72_context_topology(context));
    return context->records;
}

extern void nvl72_context_release_records(nvl72_context_t* context) {
    if (!nvl72_planted("lock")) slurm_mutex_unlock(&context->records_lock);
}
