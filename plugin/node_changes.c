/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tells cheaply whether Slurm has changed a node since somebody looked at the nodes last.
 */
#include <time.h>

#include "plugin.h"
#include "src/common/node_conf.h"

/* Slurm's clock counts seconds: only what was seen in a later second than the update's is known to
 * be what the update left. */
extern bool nvl72_nodes_untouched(nvl72_glance_t* glance) {
    if ((glance->update == last_node_update) && (glance->at > last_node_update)) return true;
    glance->update = last_node_update;
    glance->at = time(NULL);
    return false;
}
