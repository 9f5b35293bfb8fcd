/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The block that each node's line in slurm.conf names (Topology=, 25.05 and later). Slurm keeps the
 * text in the node's configuration record, but when an update of some of a record's nodes splits it
 * (features, GRES or weight), the new record has none.
 */
#include <string.h>

#include "topology/topology.h"

#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

/* By node index. The name tells a node from another one that had its index before. */
typedef struct {
    char* node;
    char* block;
} nvl72_note_t;

struct nvl72_configured {
    uint32_t count;
    nvl72_note_t* note;
};

/* The block of `topology` in a text like "topology:block,other:block"; NULL for none. */
static char* _find_block(const char* text, const char* topology) {
    char *copy = xstrdup(text), *rest = NULL, *block = NULL;

    for (char* word = strtok_r(copy, ",", &rest); word && !block;
         word = strtok_r(NULL, ",", &rest)) {
        char* unit = strchr(word, ':');

        if (unit) *unit++ = '\0';
        if (!xstrcmp(word, topology)) block = xstrdup(unit);
    }
    xfree(copy);
    return block;
}

static nvl72_note_t* _note_of(const nvl72_context_t* context, const node_record_t* node) {
    const nvl72_configured_t* configured = context->configured;

    if (!configured || (node->index >= configured->count)) return NULL;
    return &configured->note[node->index];
}

extern void nvl72_configured_note(nvl72_context_t* context, const node_record_t* node,
                                  const char* topology) {
    nvl72_note_t* note;

    if (!node->config_ptr || !node->config_ptr->topology_str) return;
    if (!context->configured) {
        context->configured = xmalloc(sizeof(*context->configured));
        context->configured->count = node_record_count;
        context->configured->note = xcalloc(node_record_count, sizeof(nvl72_note_t));
    }
    note = _note_of(context, node);
    if (!note) return;
    xfree(note->node);
    xfree(note->block);
    note->node = xstrdup(node->name);
    note->block = _find_block(node->config_ptr->topology_str, topology);
}

extern char* nvl72_configured_block(const nvl72_context_t* context, const node_record_t* node) {
    const nvl72_note_t* note = _note_of(context, node);

    return (note && !xstrcmp(note->node, node->name)) ? note->block : NULL;
}

extern void nvl72_configured_free(nvl72_configured_t* configured) {
    if (!configured) return;
    for (uint32_t i = 0; i < configured->count; i++) {
        xfree(configured->note[i].node);
        xfree(configured->note[i].block);
    }
    xfree(configured->note);
    xfree(configured);
}
