/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The object behind a topology. Topology requests read it from several threads at once while the
 * scheduler places jobs, so the engine's immutable topology is shared by reference and replaced as
 * a whole. Not every thread that reads it holds a lock of Slurm's: see topology_p_get_bitmap().
 */
#include "plugin.h"
#include "src/common/bitstring.h"
#include "src/common/macros.h"
#include "src/common/xmalloc.h"

/* Words that a bitmap keeps before its bits: a signature and the number of bits. */
#define NVL72_BITMAP_HEAD 2

nvl72_site_t* nvl72_only_site = NULL;

extern uint64_t* nvl72_words(bitstr_t* bitmap) {
    return (uint64_t*)bitmap + NVL72_BITMAP_HEAD;
}

extern nvl72block_view nvl72_view(bitstr_t* bitmap) {
    if (!bitmap) return (nvl72block_view){0};
    return (nvl72block_view){.words = nvl72_words(bitmap), .bits = bit_size(bitmap)};
}

/* Looks instead of trusting: the layout is private to Slurm and differs on big-endian machines. */
extern bool nvl72_bitmaps_fit(void) {
    bitstr_t* bitmap = bit_alloc(130);
    const uint64_t* words = nvl72_words(bitmap);
    bool fit;

    bit_set(bitmap, 0);
    bit_set(bitmap, 65);
    bit_set(bitmap, 129);
    fit = (words[0] == 1) && (words[1] == 2) && (words[2] == 2);
    FREE_NULL_BITMAP(bitmap);
    return fit;
}

extern nvl72_site_t* nvl72_site_create(nvl72block_topology* topology,
                                       const nvl72_options_t* options) {
    nvl72_site_t* site = xmalloc(sizeof(*site));

    slurm_rwlock_init(&site->lock);
    slurm_mutex_init(&site->records_lock);
    site->topology = topology;
    site->options = *options;
    site->options.cliques = nvl72block_topology_clique_mode(topology);
    return site;
}

extern void nvl72_site_destroy(nvl72_site_t* site) {
    if (!site) return;
    nvl72_watch_destroy(site->watch);
    nvl72_configured_free(site->configured);
    nvl72_records_destroy(site->records);
    nvl72block_topology_release(site->topology);
    slurm_rwlock_destroy(&site->lock);
    slurm_mutex_destroy(&site->records_lock);
    xfree(site);
}

extern nvl72block_topology* nvl72_site_topology(nvl72_site_t* site) {
    nvl72block_topology* topology;

    if (!site) return NULL;
    slurm_rwlock_rdlock(&site->lock);
    topology = nvl72block_topology_retain(site->topology);
    slurm_rwlock_unlock(&site->lock);
    return topology;
}

extern void nvl72_site_replace(nvl72_site_t* site, nvl72block_topology* topology) {
    nvl72block_topology* old;

    slurm_mutex_lock(&site->records_lock);
    slurm_rwlock_wrlock(&site->lock);
    old = site->topology;
    site->topology = topology;
    slurm_rwlock_unlock(&site->lock);
    nvl72_records_destroy(site->records);
    site->records = NULL;
    slurm_mutex_unlock(&site->records_lock);
    nvl72block_topology_release(old);
}

extern nvl72_records_t* nvl72_site_lock_records(nvl72_site_t* site) {
    if (!site) return NULL;
    slurm_mutex_lock(&site->records_lock);
    if (!site->records) site->records = nvl72_records_create(nvl72_site_topology(site));
    return site->records;
}

extern void nvl72_site_release_records(nvl72_site_t* site) {
    slurm_mutex_unlock(&site->records_lock);
}
