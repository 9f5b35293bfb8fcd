/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Logs what the nodes' cliques say of the blocks: at first, and when they have changed, but not
 * more often than an administrator can read.
 */
#include "cliques/cliques.h"
#include "slurm/clock.h"
#include "slurm/facts.h"

#include "src/common/log.h"
#include "src/common/node_conf.h"

/* Findings that are logged one by one, and how often all of this may be logged. */
#define NVL72_MOST_FINDINGS 20
#define NVL72_MOST_REPORTS 4
#define NVL72_REPORT_PERIOD 60

static const char* _node_name(void* argument, uint32_t index) {
    const node_record_t* node = node_record_table_ptr[index];

    return node ? node->name : "?";
}

/* The summary comes first and is the only line that is no finding. */
static void _log_line(void* argument, const char* line) {
    bool* summary = argument;

    if (*summary)
        info("cliques: %s", line);
    else
        warning("%s: cliques: %s", plugin_type, line);
    *summary = false;
}

static bool _may_report(nvl72_watch_t* watch) {
    time_t now = nvl72_seconds();

    if (now - watch->reports_since >= NVL72_REPORT_PERIOD) {
        watch->reports_since = now;
        watch->reports = 0;
    }
    return watch->reports < NVL72_MOST_REPORTS;
}

extern void nvl72_watch_report(nvl72_watch_t* watch, const nvl72block_topology* topology) {
    bool summary = true;
    nvl72block_teller teller = {
        .node_name = _node_name,
        .take = _log_line,
        .argument = &summary,
        .most = NVL72_MOST_FINDINGS,
    };
    nvl72block_error problem;

    if (!watch->unreported || !_may_report(watch)) return;
    watch->unreported = false;
    watch->reports++;
    (void)nvl72block_cliques_compare(topology, watch->cliques, &teller, &problem);
    if (problem.code) error("%s: cliques cannot be compared: %s", plugin_type, problem.message);
}

extern void nvl72_watch_report_first(nvl72_watch_t* watch, const nvl72_options_t* options,
                                     const nvl72block_topology* topology) {
    watch->unreported = nvl72block_cliques_speak(watch->cliques);
    if (watch->unreported)
        nvl72_watch_report(watch, topology);
    else if (nvl72block_options_have(options, "Nvl72Clique=verify"))
        debug("no node names a clique");
    else
        warning("%s: Nvl72Clique=%s, but no node names a clique", plugin_type,
                nvl72block_options_value(options, "Nvl72Clique"));
}
