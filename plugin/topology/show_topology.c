/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `scontrol show topology`: what slurmctld sends and the client prints. Lines and packed format are
 * those of topology/block of the same release.
 */
#include <stdlib.h>

#include "slurm/entries.h"
#include "topology/topology.h"

#include "src/common/hostlist.h"
#include "src/common/log.h"
#include "src/common/pack.h"
#include "src/common/slurm_protocol_common.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

typedef struct {
    bool aggregated;
    uint16_t index;
    char* name;
    char* nodes;
    uint32_t size;
} nvl72_line_t;

struct nvl72_topoinfo {
    uint32_t count;
    nvl72_line_t* line;
};

extern nvl72_topoinfo_t* nvl72_topoinfo_create(nvl72_context_t* context) {
    nvl72_topoinfo_t* info = xmalloc(sizeof(*info));
    nvl72_records_t* records = nvl72_context_lock_records(context);

    if (!records) return info;
    nvl72_records_name_nodes(records);
    info->count = records->count;
    info->line = xcalloc(info->count, sizeof(*info->line));
    for (uint32_t i = 0; i < info->count; i++) {
        const nvl72_record_t* record = &records->record[i];

        info->line[i] = (nvl72_line_t){
            .aggregated = record->aggregated,
            .index = record->index,
            .name = xstrdup(record->name),
            .nodes = xstrdup(record->nodes),
            .size = record->size,
        };
    }
    nvl72_context_release_records(context);
    return info;
}

extern int nvl72_own_topoinfo_free(void* topoinfo) {
    nvl72_topoinfo_t* info = topoinfo;

    if (!info) return SLURM_SUCCESS;
    for (uint32_t i = 0; info->line && (i < info->count); i++) {
        xfree(info->line[i].name);
        xfree(info->line[i].nodes);
    }
    xfree(info->line);
    xfree(info);
    return SLURM_SUCCESS;
}

/* Clients older than 24.11 know neither a block's kind nor its size. */
extern int nvl72_own_topoinfo_pack(void* topoinfo, buf_t* buffer, uint16_t protocol_version) {
    const nvl72_topoinfo_t* info = topoinfo;
    bool sized = protocol_version >= NVL72_SIZED_PROTOCOL;

    if (protocol_version < SLURM_MIN_PROTOCOL_VERSION) return SLURM_ERROR;
    pack32(info->count, buffer);
    for (uint32_t i = 0; i < info->count; i++) {
        const nvl72_line_t* line = &info->line[i];

        if (sized) packbool(line->aggregated, buffer);
        pack16(line->index, buffer);
        packstr(line->name, buffer);
        packstr(line->nodes, buffer);
        if (sized) pack32(line->size, buffer);
    }
    return SLURM_SUCCESS;
}

extern int nvl72_own_topoinfo_unpack(void** topoinfo, buf_t* buffer, uint16_t protocol_version) {
    nvl72_topoinfo_t* info = xmalloc(sizeof(*info));
    bool sized = protocol_version >= NVL72_SIZED_PROTOCOL;

    *topoinfo = info;
    if (protocol_version < SLURM_MIN_PROTOCOL_VERSION) goto unpack_error;
    safe_unpack32(&info->count, buffer);
    safe_xcalloc(info->line, info->count, sizeof(*info->line));
    for (uint32_t i = 0; i < info->count; i++) {
        nvl72_line_t* line = &info->line[i];

        if (sized) safe_unpackbool(&line->aggregated, buffer);
        safe_unpack16(&line->index, buffer);
        safe_unpackstr(&line->name, buffer);
        safe_unpackstr(&line->nodes, buffer);
        if (sized) safe_unpack32(&line->size, buffer);
    }
    return SLURM_SUCCESS;

unpack_error:
    nvl72_own_topoinfo_free(info);
    *topoinfo = NULL;
    return SLURM_ERROR;
}

static void _print_line(const nvl72_line_t* line, char** out) {
    const char* width = getenv("SLURM_TOPO_LEN");
    char* text = NULL;

    xstrfmtcat(text, "%s=%s BlockIndex=%u", line->aggregated ? "AggregatedBlock" : "BlockName",
               line->name, line->index);
    if (line->nodes) xstrfmtcat(text, " Nodes=%s", line->nodes);
    xstrfmtcat(text, " BlockSize=%u", line->size);
    if (width)
        xstrfmtcat(*out, "%.*s\n", atoi(width), text);
    else
        xstrfmtcat(*out, "%s\n", text);
    xfree(text);
}

static bool _holds(const nvl72_line_t* line, const char* nodes) {
    hostset_t* members;
    bool holds;

    if (!line->nodes || !line->nodes[0]) return false;
    members = hostset_create(line->nodes);
    if (!members) return false;
    holds = hostset_within(members, nodes);
    hostset_destroy(members);
    return holds;
}

/* Prints the lines that have the name and hold the nodes, where given; returns how many. */
static int _print_lines(const nvl72_topoinfo_t* info, const char* nodes, const char* unit,
                        char** out) {
    int printed = 0;

    for (uint32_t i = 0; i < info->count; i++) {
        const nvl72_line_t* line = &info->line[i];

        if ((unit && xstrcmp(line->name, unit)) || (nodes && !_holds(line, nodes))) continue;
        _print_line(line, out);
        printed++;
    }
    return printed;
}

static bool _is_given(const char* text) {
    return text && text[0];
}

static int _print_all(const nvl72_topoinfo_t* info, char** out) {
    if (!_print_lines(info, NULL, NULL, out)) error("No topology information available");
    return SLURM_SUCCESS;
}

extern int nvl72_print_named(const nvl72_topoinfo_t* info, char* word, char** out) {
    *out = NULL;
    if (!_is_given(word)) return _print_all(info, out);
    /* Two blocks never share a name, but a block and a node may: then the block is meant. */
    if (!_print_lines(info, NULL, word, out) && !_print_lines(info, word, NULL, out))
        error("Topology information contains no block or node named %s", word);
    return SLURM_SUCCESS;
}

extern int nvl72_print_matching(const nvl72_topoinfo_t* info, char* nodes, char* unit, char** out) {
    *out = NULL;
    if (!_is_given(nodes) && !_is_given(unit)) return _print_all(info, out);
    if (!_print_lines(info, nodes, unit, out))
        error("Topology information contains no block%s%s%s%s", unit ? " named " : "",
              unit ? unit : "", nodes ? " with nodes " : "", nodes ? nodes : "");
    return SLURM_SUCCESS;
}

extern int nvl72_own_topoinfo_print(void* topoinfo, char* nodes NVL72_AND_UNIT, char** out) {
    return NVL72_PRINT;
}
