/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tells cheaply whether Slurm has changed the nodes' features since somebody looked. Slurm tells
 * nobody, and reading all of them takes as long as a decision on a large cluster.
 * But Slurm itself keeps a list of all features, each with its nodes, and takes a node whose
 * features are set anew off every entry before it adds the node where it belongs. An entry of our
 * own that holds all nodes thus loses the ones that were touched.
 */
#include "cliques/cliques.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/node_features.h"
#include "src/common/run_in_daemon.h"
#include "src/common/xstring.h"

/*
 * No node has this feature, and nobody can ask for it: a job's --constraint cannot hold a name with
 * a parenthesis, and in feature{...} of a node list the name ends at the first brace.
 */
#define NVL72_MARK "nvl72block(untouched)}"

static struct {
    pthread_mutex_t lock;
    list_t* list; /* that holds the entry */
    node_feature_t* entry;
    int nodes; /* in the entry when it was renewed */
    uint64_t changes;
} mark = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int _is_mark(void* x, void* key) {
    return !xstrcmp(((node_feature_t*)x)->name, key);
}

/* Slurm's own function makes the entry; without nodes it does nothing else. */
static void _plant(void) {
    char name[] = NVL72_MARK;
    bitstr_t* none = bit_alloc(node_record_count);

    node_features_update_list(avail_feature_list, name, none);
    FREE_NULL_BITMAP(none);
    mark.list = avail_feature_list;
    mark.entry = list_find_first(avail_feature_list, _is_mark, name);
}

static bool _is_planted(void) {
    return mark.entry && (mark.list == avail_feature_list);
}

extern void nvl72_features_forget(void) {
    slurm_mutex_lock(&mark.lock);
    mark.entry = NULL;
    slurm_mutex_unlock(&mark.lock);
}

/*
 * A backup slurmctld that has control for a second time still has the lists of the first time, with
 * the node indices of that time. Slurm makes new ones after it has had the topology built and has
 * told of the nodes' Topology= strings; without a list it reads the nodes, as at its first start.
 */
extern void nvl72_features_drop(void) {
    if (!running_in_slurmctld()) return;
    nvl72_features_forget();
    node_features_free_lists();
}

/* A node that has come is not in the entry yet: it may have no features. */
static bool _is_untouched(void) {
    return avail_feature_list && _is_planted() && (mark.nodes == active_node_record_count) &&
           (nvl72_count_nodes(nvl72_view(mark.entry->node_bitmap)) == (uint32_t)mark.nodes);
}

/* Without a list slurmctld is still starting: nothing is known. */
static void _renew(void) {
    if (!avail_feature_list) return;
    if (!_is_planted()) _plant();
    if (!mark.entry) return;
    bit_clear_all(mark.entry->node_bitmap);
    for (int i = 0; next_node(&i); i++) bit_set(mark.entry->node_bitmap, i);
    mark.nodes = bit_set_count(mark.entry->node_bitmap);
}

extern uint64_t nvl72_feature_changes(void) {
    uint64_t changes;

    slurm_mutex_lock(&mark.lock);
    if (!_is_untouched()) {
        _renew();
        mark.changes++;
    }
    changes = mark.changes;
    slurm_mutex_unlock(&mark.lock);
    return changes;
}
