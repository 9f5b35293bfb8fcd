/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Follows the NVLink cliques that the nodes' features name. Slurm tells nobody when features
 * change, so each decision looks. It looks at the configuration records, not at the nodes: there is
 * about one a rack, each node is in exactly one, and its features are there. A node that changed
 * has left a record, changed a record's text, or brought a new record.
 */
#include <string.h>
#include <time.h>

#include "plugin.h"
#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/run_in_daemon.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

/* Findings that are logged one by one, and how often all of this may be logged. */
#define NVL72_MOST_FINDINGS 20
#define NVL72_MOST_REPORTS 4
#define NVL72_REPORT_PERIOD 60
/* Seconds between looks in verify, where a change moves no job. */
#define NVL72_VERIFY_PERIOD 10

/* A configuration record as it was seen last. */
typedef struct {
    char* feature;
    size_t first_word; /* of the words of its bitmap that are not all zero */
    size_t word_count;
    uint64_t* words;
} nvl72_seen_t;

struct nvl72_watch {
    pthread_mutex_t lock;
    nvl72block_cliques* cliques;
    nvl72_seen_t* seen;
    int seen_count;
    int seen_nodes; /* in the table: a new node leaves no record */
    nvl72_glance_t glance;
    bool untold;          /* a change was not logged yet */
    time_t reports_since; /* begin of the period that `reports` counts */
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

extern nvl72block_topology* nvl72_cliques_derive(const char* path, const nvl72block_reader* reader,
                                                 const nvl72_options_t* options,
                                                 nvl72block_error* problem) {
    nvl72block_topology *sizes, *derived = NULL;
    nvl72block_cliques* cliques = NULL;

    sizes = nvl72block_topology_read_sizes(path, reader, problem);
    if (sizes) cliques = nvl72_cliques_read(options, problem);
    if (cliques) derived = nvl72block_topology_derive(sizes, cliques, problem);
    nvl72block_topology_release(sizes);
    nvl72block_cliques_free(cliques);
    return derived;
}

/* ---- Whether anything changed ------------------------------------------------------------------
 */

static void _forget(nvl72_watch_t* watch) {
    for (int i = 0; i < watch->seen_count; i++) {
        xfree(watch->seen[i].feature);
        xfree(watch->seen[i].words);
    }
    xfree(watch->seen);
    watch->seen_count = 0;
}

static int _remember_record(void* x, void* argument) {
    const config_record_t* record = x;
    nvl72_watch_t* watch = argument;
    nvl72_seen_t* seen = &watch->seen[watch->seen_count++];

    seen->feature = xstrdup(record->feature);
    if (!record->node_bitmap || (bit_ffs(record->node_bitmap) < 0)) return SLURM_SUCCESS;
    seen->first_word = bit_ffs(record->node_bitmap) / 64;
    seen->word_count = bit_fls(record->node_bitmap) / 64 - seen->first_word + 1;
    seen->words = xcalloc(seen->word_count, sizeof(*seen->words));
    memcpy(seen->words, nvl72_words(record->node_bitmap) + seen->first_word,
           seen->word_count * sizeof(*seen->words));
    return SLURM_SUCCESS;
}

static void _remember(nvl72_watch_t* watch) {
    _forget(watch);
    watch->seen_nodes = active_node_record_count;
    watch->seen = xcalloc(list_count(config_list) + 1, sizeof(*watch->seen));
    (void)list_for_each(config_list, _remember_record, watch);
}

typedef struct {
    const nvl72_seen_t* seen; /* of the record that comes next */
    bool same;
} nvl72_look_t;

static int _look_at_record(void* x, void* argument) {
    const config_record_t* record = x;
    nvl72_look_t* look = argument;
    const nvl72_seen_t* seen = look->seen++;

    look->same = !xstrcmp(seen->feature, record->feature) &&
                 (!seen->word_count ||
                  (record->node_bitmap &&
                   !memcmp(seen->words, nvl72_words(record->node_bitmap) + seen->first_word,
                           seen->word_count * sizeof(*seen->words))));
    return look->same ? SLURM_SUCCESS : SLURM_ERROR; /* an error ends the walk */
}

/* Whether a change may be found some seconds later: where it is only reported. */
static bool _can_wait(const nvl72_site_t* site) {
    return (site->options.clique == NVL72_CLIQUE_VERIFY) &&
           (time(NULL) - site->watch->glance.at < NVL72_VERIFY_PERIOD);
}

/* Most looks end with the first condition. */
static bool _unchanged(nvl72_watch_t* watch) {
    nvl72_look_t look = {.seen = watch->seen, .same = true};

    if (nvl72_nodes_untouched(&watch->glance)) return true;
    if (watch->seen_nodes != active_node_record_count) return false;
    if (list_count(config_list) != watch->seen_count) return false;
    (void)list_for_each(config_list, _look_at_record, &look);
    return look.same;
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
        info("%s: cliques: %s", plugin_type, line);
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

/* A site that says nothing of cliques wants to hear nothing of them, unless it asked for more. */
static void _tell_first(nvl72_site_t* site, const nvl72block_topology* topology) {
    nvl72_watch_t* watch = site->watch;

    watch->untold = nvl72block_cliques_speak(watch->cliques);
    if (watch->untold)
        _tell(site, topology);
    else if (site->options.clique == NVL72_CLIQUE_VERIFY)
        debug("%s: no node names a clique", plugin_type);
    else
        warning("%s: Nvl72Clique=%s, but no node names a clique", plugin_type,
                (site->options.clique == NVL72_CLIQUE_DERIVE) ? "derive" : "enforce");
}

/* ---- Following ---------------------------------------------------------------------------------
 */

/* What the cliques make of the topology in force; NULL when they leave it alone. */
static nvl72block_topology* _apply(nvl72_site_t* site, const nvl72block_topology* topology,
                                   nvl72block_error* problem) {
    switch (site->options.clique) {
        case NVL72_CLIQUE_ENFORCE:
            return nvl72block_topology_enforce(topology, site->watch->cliques, problem);
        case NVL72_CLIQUE_DERIVE:
            return nvl72block_topology_derive(topology, site->watch->cliques, problem);
        default:
            return NULL;
    }
}

/* The topology in force afterwards, with a reference for the caller. */
static nvl72block_topology* _put_into_force(nvl72_site_t* site) {
    nvl72block_topology* topology = nvl72_site_topology(site);
    nvl72block_error problem = {0};
    nvl72block_topology* changed = _apply(site, topology, &problem);

    if (problem.code) error("%s: cliques are not followed: %s", plugin_type, problem.message);
    if (!changed) return topology;
    nvl72block_topology_release(topology);
    nvl72_site_replace(site, nvl72block_topology_retain(changed));
    return changed;
}

extern void nvl72_cliques_watch(nvl72_site_t* site) {
    nvl72block_topology* topology;
    nvl72block_error problem;
    nvl72_watch_t* watch;

    if (!running_in_slurmctld() || !config_list || (site->options.clique == NVL72_CLIQUE_OFF))
        return;
    watch = xmalloc(sizeof(*watch));
    slurm_mutex_init(&watch->lock);
    site->watch = watch;
    watch->cliques = nvl72_cliques_read(&site->options, &problem);
    if (!watch->cliques) {
        error("%s: cliques are not followed: %s", plugin_type, problem.message);
        nvl72_watch_destroy(watch);
        site->watch = NULL;
        return;
    }
    _remember(watch);
    topology = _put_into_force(site);
    _tell_first(site, topology);
    nvl72block_topology_release(topology);
}

/* Reads all nodes anew; what they say may still be the same. */
static void _follow(nvl72_site_t* site) {
    nvl72_watch_t* watch = site->watch;
    nvl72block_topology* topology;
    nvl72block_error problem;
    nvl72block_cliques* cliques = nvl72_cliques_read(&site->options, &problem);

    if (!cliques) {
        error("%s: cliques are not followed: %s", plugin_type, problem.message);
        return;
    }
    _remember(watch);
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

    if (!watch) return;
    slurm_mutex_lock(&watch->lock);
    if (!_can_wait(site) && !_unchanged(watch)) _follow(site);
    if (watch->untold) {
        nvl72block_topology* topology = nvl72_site_topology(site);

        _tell(site, topology);
        nvl72block_topology_release(topology);
    }
    slurm_mutex_unlock(&watch->lock);
}

extern bool nvl72_cliques_rule(const nvl72_site_t* site) {
    return site->options.clique == NVL72_CLIQUE_DERIVE;
}

extern void nvl72_watch_destroy(nvl72_watch_t* watch) {
    if (!watch) return;
    _forget(watch);
    nvl72block_cliques_free(watch->cliques);
    slurm_mutex_destroy(&watch->lock);
    xfree(watch);
}
