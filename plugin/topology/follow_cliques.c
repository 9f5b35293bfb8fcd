/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Keeps a topology up to date with the nodes' NVLink cliques: each decision asks whether features
 * have changed, and puts into force what follows from the change.
 */
#include "cliques/cliques.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/run_in_daemon.h"

/* The topology in force afterwards, with a reference for the caller. */
static nvl72block_topology* _put_into_force(nvl72_context_t* context) {
    nvl72block_topology* topology = nvl72_context_topology(context);
    nvl72block_error problem = {0};
    nvl72block_topology* changed =
        nvl72block_topology_follow(topology, context->watch->cliques, &problem);

    if (problem.code) error("%s: cliques cannot be updated: %s", plugin_type, problem.message);
    if (!changed) return topology;
    nvl72block_topology_release(topology);
    nvl72_context_replace(context, nvl72block_topology_retain(changed));
    return changed;
}

extern void nvl72_cliques_watch(nvl72_context_t* context) {
    nvl72block_topology* topology;

    if (!running_in_slurmctld() || !config_list ||
        nvl72block_options_have(context->options, "Nvl72Clique=off"))
        return;
    nvl72_features_forget();
    context->watch = nvl72_watch_create(context->options);
    if (!context->watch) return;
    topology = _put_into_force(context);
    nvl72_watch_report_first(context->watch, context->options, topology);
    nvl72block_topology_release(topology);
}

extern void nvl72_cliques_refresh(nvl72_context_t* context) {
    nvl72_watch_t* watch = context ? context->watch : NULL;
    nvl72block_topology* topology;

    if (context) nvl72_deletable_refresh(context);
    if (!watch) return;
    slurm_mutex_lock(&watch->lock);
    if (nvl72_watch_renew(watch, context->options)) {
        watch->unreported = true;
        nvl72block_topology_release(_put_into_force(context));
    }
    if (watch->unreported) {
        topology = nvl72_context_topology(context);
        nvl72_watch_report(watch, topology);
        nvl72block_topology_release(topology);
    }
    slurm_mutex_unlock(&watch->lock);
}

extern bool nvl72_cliques_rule(const nvl72_context_t* context) {
    return nvl72block_options_have(context->options, "Nvl72Clique=derive");
}
