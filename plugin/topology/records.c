/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The blocks by name: base blocks in file order, then aggregated blocks level by level, numbered
 * as topology/block numbers them so that users see the same lines under either plugin.
 */
#include <stdlib.h>
#include <string.h>

#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/bitstring.h"
#include "src/common/hostlist.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

/* Exponents of the enforced levels up to the first that joins every base block. */
static uint32_t _count_levels(const nvl72block_topology* topology) {
    uint32_t blocks = nvl72block_topology_block_count(topology);
    uint32_t levels = nvl72block_topology_level_count(topology);

    for (uint32_t level = 0; level < levels; level++) {
        if ((UINT64_C(1) << nvl72block_topology_level_exponent(topology, level)) >= blocks)
            return level + 1;
    }
    return levels;
}

/* Whether the aggregate that starts at `first` exists: not when a smaller one holds the same. */
static bool _is_aggregate(const nvl72block_topology* topology, uint32_t level, uint32_t first) {
    uint32_t exponent = nvl72block_topology_level_exponent(topology, level);

    return nvl72block_topology_is_listed(topology, level, first >> exponent);
}

static char* _join_names(const nvl72block_topology* topology, uint32_t first, uint32_t last) {
    hostlist_t* names = hostlist_create(NULL);
    char* joined;

    for (uint32_t block = first; block < last; block++) {
        if (!nvl72block_topology_is_hole(topology, block))
            hostlist_push(names, nvl72block_topology_block_name(topology, block));
    }
    joined = hostlist_ranged_string_xmalloc(names);
    hostlist_destroy(names);
    return joined;
}

static void _fill_base(const nvl72block_topology* topology, nvl72_record_t* record,
                       uint32_t block) {
    record->first = block;
    record->last = block + 1;
    record->index = block;
    record->size = nvl72block_topology_planning_size(topology);
    record->name = xstrdup(nvl72block_topology_block_name(topology, block));
}

static void _fill_aggregate(const nvl72block_topology* topology, nvl72_record_t* record,
                            uint32_t level, uint32_t first) {
    uint32_t blocks = nvl72block_topology_block_count(topology);
    uint32_t joins = 1U << nvl72block_topology_level_exponent(topology, level);

    record->aggregated = true;
    record->first = first;
    record->last = MIN(first + joins, blocks);
    record->size = nvl72block_topology_planning_size(topology) * joins;
    record->name = _join_names(topology, record->first, record->last);
}

static int _by_first_block(const void* x, const void* y) {
    const nvl72_record_t* left = *(nvl72_record_t* const*)x;
    const nvl72_record_t* right = *(nvl72_record_t* const*)y;

    if (left->first != right->first) return (left->first < right->first) ? -1 : 1;
    return (left->size < right->size) ? -1 : (left->size > right->size);
}

/* Aggregates count on from the base blocks by first block, the smaller ones first. */
static void _number_aggregates(nvl72_records_t* records) {
    nvl72_record_t** aggregate = xcalloc(records->count + 1, sizeof(*aggregate));
    uint32_t index = nvl72block_topology_block_count(records->topology), count = 0;

    for (uint32_t i = 0; i < records->count; i++) {
        if (records->record[i].aggregated) aggregate[count++] = &records->record[i];
    }
    qsort(aggregate, count, sizeof(*aggregate), _by_first_block);
    for (uint32_t i = 0; i < count; i++) aggregate[i]->index = index + i;
    xfree(aggregate);
}

extern nvl72_records_t* nvl72_records_create(nvl72block_topology* topology) {
    uint32_t blocks = nvl72block_topology_block_count(topology);
    uint32_t levels = _count_levels(topology);
    nvl72_records_t* records = xmalloc(sizeof(*records));

    records->topology = topology;
    /* At most one aggregate a level and base block; levels halve, so twice is plenty. */
    records->record = xcalloc(2 * blocks + levels + 1, sizeof(*records->record));
    for (uint32_t block = 0; block < blocks; block++) {
        if (!nvl72block_topology_is_hole(topology, block))
            _fill_base(topology, &records->record[records->count++], block);
    }
    for (uint32_t level = 1; level < levels; level++) {
        uint32_t joins = 1U << nvl72block_topology_level_exponent(topology, level);

        for (uint32_t first = 0; first < blocks; first += joins) {
            if (!_is_aggregate(topology, level, first)) continue;
            _fill_aggregate(topology, &records->record[records->count++], level, first);
        }
    }
    _number_aggregates(records);
    return records;
}

/*
 * Whether clients can tell the members from the text, in which names of nodes that are yet to be
 * created may stand, too. Node sets, features and ALL mean something in slurmctld only, and a line
 * feed, which YAML allows, ends what scontrol shows of a block.
 */
static bool _tells_members(const char* text, bitstr_t* members) {
    bitstr_t* named = bit_alloc(bit_size(members));
    hostlist_t* names = hostlist_create(text);
    hostlist_iterator_t* next = names ? hostlist_iterator_create(names) : NULL;
    char* name;
    bool tells;

    while (next && (name = hostlist_next(next))) {
        const node_record_t* node = find_node_record2(name);

        if (node && (node->index < bit_size(named))) bit_set(named, node->index);
        free(name);
    }
    tells = !strchr(text, '\n') && bit_equal(named, members);
    if (next) hostlist_iterator_destroy(next);
    if (names) hostlist_destroy(names);
    FREE_NULL_BITMAP(named);
    return tells;
}

/* As written, where that tells them and until the membership changes. */
static char* _name_nodes(const nvl72block_topology* topology, const nvl72_record_t* record) {
    size_t nodes = nvl72block_topology_node_count(topology);
    bool as_written =
        !record->aggregated && !nvl72block_topology_block_changed(topology, record->first);
    const char* written =
        as_written ? nvl72block_topology_block_text(topology, record->first) : NULL;
    bitstr_t* members;
    char* text;

    if (as_written && !written) return NULL;
    members = bit_alloc(nodes ? nodes : 1);
    nvl72block_topology_members(topology, record->first, record->last, nvl72_words(members), nodes);
    text =
        written && _tells_members(written, members) ? xstrdup(written) : bitmap2node_name(members);
    FREE_NULL_BITMAP(members);
    return text;
}

extern void nvl72_records_name_nodes(nvl72_records_t* records) {
    if (records->nodes_named) return;
    for (uint32_t i = 0; i < records->count; i++)
        records->record[i].nodes = _name_nodes(records->topology, &records->record[i]);
    records->nodes_named = true;
}

extern const nvl72_record_t* nvl72_records_find(const nvl72_records_t* records, const char* name) {
    for (uint32_t i = 0; i < records->count; i++) {
        if (!xstrcmp(records->record[i].name, name)) return &records->record[i];
    }
    return NULL;
}

extern void nvl72_records_destroy(nvl72_records_t* records) {
    if (!records) return;
    for (uint32_t i = 0; i < records->count; i++) {
        xfree(records->record[i].name);
        xfree(records->record[i].nodes);
    }
    nvl72block_topology_release(records->topology);
    xfree(records->record);
    xfree(records);
}
