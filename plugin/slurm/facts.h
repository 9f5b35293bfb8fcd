/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is Slurm's: its configuration, its bitmaps, and facts of its nodes and jobs.
 */
#ifndef NVL72_FACTS_H
#define NVL72_FACTS_H

#include "nvl72block/engine.h"
#include "slurm/release.h"

/* ---- Identity (identity.c): what Slurm reads before it calls anything -------------------------
 */

extern const char plugin_name[];
extern const char plugin_type[];
extern const uint32_t plugin_version;
extern const uint32_t plugin_id;
extern const bool supports_exclusive_topo;

/* ---- Options (options.c): the Nvl72… words of TopologyParam -------------------------------- */

typedef nvl72block_options nvl72_options_t;

/* Of slurm.conf, for nvl72block_options_free(). Unknown Nvl72… words and values leave the default,
 * and are logged as errors unless `quiet`. NULL, which means the defaults, where there is no
 * memory.
 */
extern nvl72_options_t* nvl72_read_options(bool quiet);
/* Whether this process is in shadow mode, which is settled when it loads the plugin. That
 * slurm.conf says something else since is logged where options are not read quietly. */
extern bool nvl72_is_in_shadow(void);

/* Where a topology is written down. */
typedef struct {
    const char* path; /* topology.conf */
    void* yaml;       /* topology.yaml's part, or NULL */
    const char* name;
    bool quiet;         /* findings are not logged: another reading will do that */
    bool skips_unknown; /* names that no node has are left out, not refused */
    bool saved_of_yaml; /* the last good topology of one: Nvl72Clique=derive leaves its blocks */
} nvl72_source_t;

/* StateSaveLocation's file of that name; one per topology, as a topology.yaml may have several.
 * (state_file.c) The caller frees it. */
extern char* nvl72_state_file(const nvl72_source_t* source, const char* name);

/* What an administrator can do where state is not saved. */
#define NVL72_SAVE_REMEDY                                                                       \
    "see that StateSaveLocation answers, has room and lets SlurmUser write; it is tried again " \
    "later"

/* ---- Bitmaps (bitmap.c) ---------------------------------------------------------------------- */

/* A bitmap's bits in place, as the engine reads them; the empty set for NULL. */
extern nvl72block_view nvl72_view(bitstr_t* bitmap);
/* The words behind a bitmap, least significant bit first. */
extern uint64_t* nvl72_words(bitstr_t* bitmap);
/* Adds a set's nodes to a bitmap, as far as that reaches. */
extern void nvl72_add_nodes(bitstr_t* bitmap, nvl72block_view nodes);
/* The first node of a set from `from` on, -1 after the last. Inline: in a loop over thousands of
 * nodes a call into Slurm a node shows in the time of a decision. */
static inline int nvl72_next_node(nvl72block_view nodes, int from) {
    size_t word = from / 64;
    size_t node;
    uint64_t rest;

    if ((size_t)from >= nodes.bits) return -1;
    rest = nodes.words[word] >> (from % 64) << (from % 64);
    while (!rest) {
        if (++word * 64 >= nodes.bits) return -1;
        rest = nodes.words[word];
    }
    node = (word * 64) + __builtin_ctzll(rest);
    return (node < nodes.bits) ? (int)node : -1;
}
static inline uint32_t nvl72_count_nodes(nvl72block_view nodes) {
    uint32_t count = 0;

    for (size_t i = 0; i < (nodes.bits + 63) / 64; i++)
        count += __builtin_popcountll(nodes.words[i]);
    return count;
}
/* Whether this Slurm's bitmaps look as nvl72_words() assumes. */
extern bool nvl72_bitmaps_fit(void);

/* An empty bitmap that belongs to the calling thread (thread_bitmap.c): valid until its next call
 * here or its end. NULL when the process has no room for it. */
extern bitstr_t* nvl72_thread_bitmap(size_t bits);

/* ---- Nodes --------------------------------------------------------------------------------------
 */

/* drained_nodes.c: the nodes of a job's partition that are out of service, for sentences. The
 * caller frees them, and holds Slurm's node lock for writing. */
extern bitstr_t* nvl72_drained(const job_record_t* job);
/* Removes those that are out of service, of all partitions. Under the same lock. */
extern void nvl72_take_out_drained(bitstr_t* nodes);
/* At the plugin's end. */
extern void nvl72_drained_forget(void);

/* kept_nodes.c: removes nodes that a job with --exclusive=topo keeps from others; how many. */
extern uint32_t nvl72_take_out_blocked(bitstr_t* nodes);
/* Removes nodes with a job that has them for itself. */
extern void nvl72_take_out_unshared(bitstr_t* nodes);
/* Removes the nodes of base blocks in which a job is. */
extern void nvl72_take_out_blocks_in_use(const nvl72block_topology* topology, bitstr_t* nodes);
/* Removes those in whose base blocks nodes are in use that are not chosen; whether there are such
 * blocks. */
extern bool nvl72_take_out_blocks_left_in_use(const nvl72block_topology* topology, bitstr_t* chosen,
                                              bitstr_t* in_use, bitstr_t* nodes);

/* ---- Jobs (job_facts.c) -------------------------------------------------------------------------
 */

/* Whether the evaluated record is a job of the queue that may be meant to start now. The caller of
 * Slurm's holds the job write lock and the node lock, here and below. */
extern bool nvl72_is_for_a_start(const job_record_t* job);
/* The GPUs that a job asks for in all, not per node. */
extern uint64_t nvl72_total_gpus(const job_record_t* job);
/* Whether the job gets whole nodes, by its own wish or by its partition. */
extern bool nvl72_has_whole_nodes(const job_record_t* job);
/* A node's CPUs but those of threads that --threads-per-core leaves out, and specialized ones. */
extern uint32_t nvl72_cpus_of_threads(const job_record_t* job, uint32_t node);
/* Those of a whole node over which Slurm distributes the job's tasks (dist_tasks()): with
 * --core-spec the ones that are offered. */
extern uint32_t nvl72_cpus_of_whole_node(const job_record_t* job, uint32_t node, uint32_t offered);
/* Whether the job may have cores that other jobs have, too. */
extern bool nvl72_may_share_cores(const job_record_t* job);
/* Whether all cores of a node but the specialized ones are offered, in use or not. */
extern bool nvl72_offers_every_core(const topology_eval_t* eval, uint32_t node);
/* Whether no job has cores of a node, or none will have by the time that is asked about: all cores
 * but the specialized ones are offered. Where jobs may share cores, those in use are, too. */
extern bool nvl72_offers_all_cores(const topology_eval_t* eval, uint32_t node);
/* Whether -C counts nodes of a feature: Slurm asks for those of each on their own. */
extern bool nvl72_counts_features(const job_record_t* job);
/* Whether backfill asks for the nodes of `-C 'feature*2'` and then for the job's other nodes: its
 * minimum and its tasks tell nothing of either part. */
extern bool nvl72_asks_in_parts(const job_record_t* job);
/* CPUs of each task, at least 1. */
extern uint32_t nvl72_cpus_a_task(const job_record_t* job);
/* CPUs of so many that a job with several CPUs per task can use on a node. */
extern uint32_t nvl72_usable_cpus(const job_record_t* job, uint32_t cpus);

#endif
