/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tells cheaply whether Slurm has changed the nodes' features since somebody looked. Slurm tells
 * nobody, and looking at what it has written down of them costs a large site as much as a decision.
 * But Slurm itself keeps a list of all features, each with its nodes, and takes a node whose
 * features are set anew off every entry before it adds the node where it belongs. An entry of our
 * own that holds all nodes thus loses the ones that were touched.
 */
#include "plugin.h"
#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/node_features.h"
#include "src/common/xstring.h"

/* No node has this feature, and no job can ask for a name like this. */
#define NVL72_MARK "nvl72block(untouched)"

static struct {
    pthread_mutex_t lock;
    list_t* list; /* that holds the entry */
    node_feature_t* entry;
    int nodes; /* in Slurm's table: a new one may have no features */
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

static bool _is_untouched(void) {
    return avail_feature_list && _is_planted() && (bit_ffc(mark.entry->node_bitmap) < 0) &&
           (mark.nodes == active_node_record_count);
}

/* Without a list slurmctld is still starting: nothing is known. */
static void _renew(void) {
    if (!avail_feature_list) return;
    if (!_is_planted()) _plant();
    if (mark.entry) bit_set_all(mark.entry->node_bitmap);
    mark.nodes = active_node_record_count;
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
