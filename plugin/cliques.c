/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Follows the NVLink cliques that the nodes' features name: each decision asks whether features
 * have changed, and reads all of them when they have.
 */
#include <time.h>

#include "plugin.h"
#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/run_in_daemon.h"
#include "src/common/xmalloc.h"

/* Findings that are logged one by one, and how often all of this may be logged. */
#define NVL72_MOST_FINDINGS 20
#define NVL72_MOST_REPORTS 4
#define NVL72_REPORT_PERIOD 60

struct nvl72_watch {
    pthread_mutex_t lock;
    nvl72block_cliques* cliques;
    uint64_t seen_changes; /* nvl72_feature_changes() when the nodes were read; 0 at first */
    bool untold;           /* a change was not logged yet */
    time_t reports_since;  /* begin of the period that `reports` counts */
    unsigned reports;
};

/* ---- What the nodes say ---------------------------------------------------------------------- */

static const char* _features(void* argument, uint32_t index) {
    const node_record_t* node = node_record_table_ptr[index];

    return node ? node->features : NULL;
}

extern nvl72block_cliques* nvl72_cliques_read(const nvl72_options_t* options,
                                              nvl72block_error* problem) {
    return nvl72block_cliques_read(node_record_count, options->clique_prefix, _features, NULL,
                                   problem);
}

extern nvl72block_topology* nvl72_cliques_follow(nvl72block_topology* topology,
                                                 const nvl72_options_t* options,
                                                 nvl72block_error* problem) {
    nvl72block_cliques* cliques = nvl72_cliques_read(options, problem);
    nvl72block_topology* changed = NULL;

    if (cliques) changed = nvl72block_topology_follow(topology, cliques, problem);
    nvl72block_topology_release(topology);
    nvl72block_cliques_free(cliques);
    return changed;
}

/* ---- Telling -----------------------------------------------------------------------------------
 */

static const char* _node_name(void* argument, uint32_t index) {
    const node_record_t* node = node_record_table_ptr[index];

    return node ? node->name : "?";
}

/* The summary comes first and is the only line that is no finding. */
static void _tell_line(void* argument, const char* line) {
    bool* summary = argument;

    if (*summary)
        info("cliques: %s", line);
    else
        warning("%s: cliques: %s", plugin_type, line);
    *summary = false;
}

static bool _may_tell(nvl72_watch_t* watch) {
    time_t now = time(NULL);

    if (now - watch->reports_since >= NVL72_REPORT_PERIOD) {
        watch->reports_since = now;
        watch->reports = 0;
    }
    return watch->reports < NVL72_MOST_REPORTS;
}

static void _tell(nvl72_site_t* site, const nvl72block_topology* topology) {
    nvl72_watch_t* watch = site->watch;
    bool summary = true;
    nvl72block_teller teller = {
        .node_name = _node_name,
        .take = _tell_line,
        .argument = &summary,
        .most = NVL72_MOST_FINDINGS,
    };
    nvl72block_error problem;

    if (!watch->untold || !_may_tell(watch)) return;
    watch->untold = false;
    watch->reports++;
    (void)nvl72block_cliques_compare(topology, watch->cliques, &teller, &problem);
    if (problem.code) error("%s: cliques cannot be compared: %s", plugin_type, problem.message);
}

/* No messages about cliques where no node names one, unless Nvl72Clique= was set. */
static void _tell_first(nvl72_site_t* site, const nvl72block_topology* topology) {
    nvl72_watch_t* watch = site->watch;

    watch->untold = nvl72block_cliques_speak(watch->cliques);
    if (watch->untold)
        _tell(site, topology);
    else if (site->options.cliques == NVL72BLOCK_CLIQUES_VERIFY)
        debug("no node names a clique");
    else
        warning("%s: Nvl72Clique=%s, but no node names a clique", plugin_type,
                (site->options.cliques == NVL72BLOCK_CLIQUES_DERIVE) ? "derive" : "enforce");
}

/* ---- Following ---------------------------------------------------------------------------------
 */

/* The topology in force afterwards, with a reference for the caller. */
static nvl72block_topology* _put_into_force(nvl72_site_t* site) {
    nvl72block_topology* topology = nvl72_site_topology(site);
    nvl72block_error problem = {0};
    nvl72block_topology* changed =
        nvl72block_topology_follow(topology, site->watch->cliques, &problem);

    if (problem.code) error("%s: cliques cannot be updated: %s", plugin_type, problem.message);
    if (!changed) return topology;
    nvl72block_topology_release(topology);
    nvl72_site_replace(site, nvl72block_topology_retain(changed));
    return changed;
}

extern void nvl72_cliques_watch(nvl72_site_t* site) {
    nvl72block_topology* topology;
    nvl72block_error problem;
    nvl72_watch_t* watch;

    if (!running_in_slurmctld() || !config_list ||
        (site->options.cliques == NVL72BLOCK_CLIQUES_OFF))
        return;
    nvl72_features_forget();
    watch = xmalloc(sizeof(*watch));
    slurm_mutex_init(&watch->lock);
    site->watch = watch;
    watch->cliques = nvl72_cliques_read(&site->options, &problem);
    if (!watch->cliques) {
        error("%s: cliques cannot be updated: %s", plugin_type, problem.message);
        nvl72_watch_destroy(watch);
        site->watch = NULL;
        return;
    }
    topology = _put_into_force(site);
    _tell_first(site, topology);
    nvl72block_topology_release(topology);
}

/* Reads all nodes anew; what they say may still be the same. */
static void _follow(nvl72_site_t* site, uint64_t changes) {
    nvl72_watch_t* watch = site->watch;
    nvl72block_topology* topology;
    nvl72block_error problem;
    nvl72block_cliques* cliques = nvl72_cliques_read(&site->options, &problem);

    if (!cliques) {
        error("%s: cliques cannot be updated: %s", plugin_type, problem.message);
        return;
    }
    watch->seen_changes = changes;
    if (nvl72block_cliques_same(cliques, watch->cliques)) {
        nvl72block_cliques_free(cliques);
        return;
    }
    nvl72block_cliques_free(watch->cliques);
    watch->cliques = cliques;
    watch->untold = true;
    topology = _put_into_force(site);
    nvl72block_topology_release(topology);
}

extern void nvl72_cliques_refresh(nvl72_site_t* site) {
    nvl72_watch_t* watch = site ? site->watch : NULL;
    uint64_t changes;

    if (!watch) return;
    slurm_mutex_lock(&watch->lock);
    changes = nvl72_feature_changes();
    if (changes != watch->seen_changes) _follow(site, changes);
    if (watch->untold) {
        nvl72block_topology* topology = nvl72_site_topology(site);

        _tell(site, topology);
        nvl72block_topology_release(topology);
    }
    slurm_mutex_unlock(&watch->lock);
}

extern bool nvl72_cliques_rule(const nvl72_site_t* site) {
    return site->options.cliques == NVL72BLOCK_CLIQUES_DERIVE;
}

extern void nvl72_watch_destroy(nvl72_watch_t* watch) {
    if (!watch) return;
    nvl72block_cliques_free(watch->cliques);
    slurm_mutex_destroy(&watch->lock);
    xfree(watch);
}
