/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Our contexts in shadow mode. What Slurm hands to the entry points as their context is that of
 * Slurm's own plugin, so ours are found by the topology that they belong to.
 */
#include "shadow/shadow.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/log.h"
#include "src/common/xmalloc.h"

#define NVL72_SHADOW_FILE "nvl72block_shadow"
#define NVL72_SHADOW_BYTES (16 << 20) /* of the file; the one before it may have as many */

/* A configuration is read, and nodes move, under Slurm's node write lock; evaluations hold one,
 * too. */
static nvl72_shadow_t* shadows;

static nvl72block_log* _open_log(const nvl72_source_t* source) {
    nvl72block_error problem;
    nvl72block_log* log;
    char* path = nvl72_state_file(source, NVL72_SHADOW_FILE);

    log = nvl72block_log_create(path, NVL72_SHADOW_BYTES, nvl72_shadow_not_written, &problem);
    if (!log) error("%s: shadow mode keeps no records: %s", plugin_type, problem.message);
    xfree(path);
    return log;
}

extern void nvl72_shadow_context_make(const nvl72_source_t* source, const void* key) {
    nvl72_options_t* options;
    nvl72block_error problem;
    nvl72block_topology* topology;
    nvl72_shadow_t* shadow;

    nvl72_shadow_context_drop(key);
    if (!node_record_count) return;
    options = nvl72_read_options(false);
    topology = nvl72_load(source, options, &problem);
    if (!topology) {
        nvl72block_options_free(options);
        error("%s: shadow mode: topology %s is decided without a comparison: %s", plugin_type,
              source->name, problem.message);
        return;
    }
    shadow = xmalloc(sizeof(*shadow));
    shadow->key = key;
    shadow->context = nvl72_context_open(source, options, topology);
    shadow->context->silent = true;
    shadow->log = _open_log(source);
    nvl72block_options_text(shadow->context->options, shadow->options, sizeof(shadow->options));
    shadow->next = shadows;
    shadows = shadow;
    info(
        "shadow mode, topology %s: Slurm's own topology/block decides; what this plugin would have "
        "decided is only recorded",
        source->name);
}

extern void nvl72_shadow_context_drop(const void* key) {
    for (nvl72_shadow_t** link = &shadows; *link; link = &(*link)->next) {
        nvl72_shadow_t* shadow = *link;

        if (shadow->key != key) continue;
        *link = shadow->next;
        nvl72_ledger_forget(shadow);
        nvl72_context_destroy(shadow->context);
        nvl72block_log_free(shadow->log);
        xfree(shadow);
        return;
    }
}

extern nvl72_shadow_t* nvl72_shadow_context(const void* key) {
    nvl72_shadow_t* shadow = shadows;

    while (shadow && (shadow->key != key)) shadow = shadow->next;
    return shadow;
}
