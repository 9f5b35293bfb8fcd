/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The topology that is configured, and what changes and shows it.
 */
#ifndef NVL72_TOPOLOGY_H
#define NVL72_TOPOLOGY_H

#include <pthread.h>

#include "cliques/cliques.h"
#include "demand/demand.h"

/* ---- Blocks as users see them (records.c) --------------------------------------------------- */

/* A base block or an aggregated block. */
typedef struct {
    char* name;
    char* nodes;    /* NULL: the line has no Nodes field */
    uint32_t first; /* base blocks [first, last) */
    uint32_t last;
    uint32_t size;
    uint16_t index;
    bool aggregated;
} nvl72_record_t;

typedef struct {
    nvl72block_topology* topology; /* with a reference of their own */
    uint32_t count;
    nvl72_record_t* record;
    bool nodes_named;
} nvl72_records_t;

/* Takes over the caller's reference. Reads nothing of Slurm's, so no lock of Slurm's is needed. */
extern nvl72_records_t* nvl72_records_create(nvl72block_topology* topology);
/* Writes down the nodes of each record. The caller holds Slurm's node lock, for reading or writing.
 */
extern void nvl72_records_name_nodes(nvl72_records_t* records);
/* NULL when there is no such block. */
extern const nvl72_record_t* nvl72_records_find(const nvl72_records_t* records, const char* name);
extern void nvl72_records_destroy(nvl72_records_t* records);

/* ---- The context (context.c): one configured topology ---------------------------------------- */

typedef struct nvl72_configured nvl72_configured_t;
typedef struct nvl72_deletables nvl72_deletables_t;

typedef struct {
    pthread_rwlock_t lock; /* guards `topology`; readers take a reference and let go */
    nvl72block_topology* topology;
    pthread_mutex_t records_lock;   /* guards `records` and what they point to */
    nvl72_records_t* records;       /* made when first asked for, freed by a change */
    nvl72_options_t* options;       /* Nvl72Clique as the topology has it */
    nvl72_watch_t* watch;           /* of the nodes' cliques; NULL where they do not count */
    nvl72_configured_t* configured; /* blocks by node lines (configured_blocks.c); NULL for none */
    nvl72_deletables_t* deletable;  /* nodes of blocks (deleted_nodes.c); NULL for none */
    nvl72_demand_t* demand;         /* what slots are wanted (demand.c); NULL where none counts */
    bool silent;                    /* jobs are told nothing: shadow mode */
    uint64_t told;                  /* the update that it was told of last (membership.c) */
} nvl72_context_t;

/* 24.11's only context; unused in later Slurm versions. */
extern nvl72_context_t* nvl72_only_context;

/* Takes over the caller's reference and the options. */
extern nvl72_context_t* nvl72_context_create(nvl72block_topology* topology,
                                             nvl72_options_t* options);
/* Tolerates NULL. */
extern void nvl72_context_destroy(nvl72_context_t* context);
/* The current topology with a reference for the caller; NULL for no context. */
extern nvl72block_topology* nvl72_context_topology(nvl72_context_t* context);
/* Puts a changed topology into force; takes over the caller's reference. */
extern void nvl72_context_replace(nvl72_context_t* context, nvl72block_topology* topology);
/* The records, locked until nvl72_context_release_records(); NULL for no context (then don't
 * release). */
extern nvl72_records_t* nvl72_context_lock_records(nvl72_context_t* context);
extern void nvl72_context_release_records(nvl72_context_t* context);

/* ---- Configuration (build_config.c, yaml_config.c) ------------------------------------------- */

/* NULL when the configuration is wrong: `problem` is the first error, for the caller to log; all
 * other findings have been logged. */
extern nvl72block_topology* nvl72_load(const nvl72_source_t* source, const nvl72_options_t* options,
                                       nvl72block_error* problem);
/* Reads the configuration and puts it into force, in place of what an earlier reading has left. */
extern int nvl72_context_build(NVL72_TCTX);
/* A context for what nvl72_load() has made, with all that belongs to it; logs what has been
 * started. Takes over the caller's reference and the options. */
extern nvl72_context_t* nvl72_context_open(const nvl72_source_t* source, nvl72_options_t* options,
                                           nvl72block_topology* topology);
#if NVL72_HAS_YAML
extern nvl72block_topology* nvl72_yaml_build(const nvl72_source_t* source,
                                             const nvl72block_reader* reader,
                                             nvl72block_error* error);
/* Keeps `scontrol show topoconf` true when the block of that name has other nodes now. */
extern void nvl72_yaml_update(const nvl72_source_t* source, const char* name, const char* nodes);
extern void nvl72_yaml_add_block(const nvl72_source_t* source, const char* name);
#else
#define nvl72_yaml_build(source, reader, error) NULL
#endif

/* Whether this slurmctld is a try of `scontrol reconfigure`: if it ends, the one before goes on
 * with its configuration, and the user learns of the failure. A slurmctld in the foreground (-D)
 * has replaced itself, and nothing is left of it. */
extern bool nvl72_may_end(void);

/* ---- Membership (membership.c, configured_blocks.c) -------------------------------------------
 */

#if NVL72_HAS_YAML
/* Remembers the block that the node's line in slurm.conf names, as long as Slurm has that text.
 * `topology` is the name of the context's topology. The caller holds Slurm's node write lock. */
extern void nvl72_configured_note(nvl72_context_t* context, const node_record_t* node,
                                  const char* topology);
/* The block that was noted, or NULL; valid until the next note. Locked as above. */
extern char* nvl72_configured_block(const nvl72_context_t* context, const node_record_t* node);
extern void nvl72_configured_free(nvl72_configured_t* configured);
/* Puts a node where another plugin has put it; `unit` NULL or not a block of ours: in no block. The
 * configuration that Slurm shows is not touched. Locked as above. */
extern void nvl72_membership_follow(nvl72_context_t* context, const node_record_t* node,
                                    const char* unit);
/* Slurm reads its configuration: what is remembered of updates counts no more. Locked as above. */
extern void nvl72_membership_forget(void);
#define nvl72_deletable_note(context) ((void)(context))
#define nvl72_deletable_refresh(context) ((void)(context))
#define nvl72_deletable_free(deletable) ((void)(deletable))
#else
#define nvl72_membership_forget() ((void)0)
#define nvl72_configured_free(configured) ((void)(configured))
/* Remembers which nodes of blocks can be deleted. The caller holds Slurm's node lock, for reading
 * or writing; here and below. */
extern void nvl72_deletable_note(nvl72_context_t* context);
/* Lets those that were deleted leave their blocks, and return when they are created again. */
extern void nvl72_deletable_refresh(nvl72_context_t* context);
/* Tolerates NULL. */
extern void nvl72_deletable_free(nvl72_deletables_t* known);
#endif

/* ---- Cliques (follow_cliques.c) ---------------------------------------------------------------
 */

/* From now on the context's topology follows the nodes' cliques; logs what they say. */
extern void nvl72_cliques_watch(nvl72_context_t* context);
/* Puts into force what has changed since; costs next to nothing when nothing has. The caller holds
 * Slurm's node lock, for reading or writing. Tolerates NULL. */
extern void nvl72_cliques_refresh(nvl72_context_t* context);
/* Whether blocks come from the cliques, so that nobody else can move a node. */
extern bool nvl72_cliques_rule(const nvl72_context_t* context);

/* ---- Showing (show_topology.c) --------------------------------------------------------------- */

typedef struct nvl72_topoinfo nvl72_topoinfo_t;
extern nvl72_topoinfo_t* nvl72_topoinfo_create(nvl72_context_t* context);
/* 24.11's way: `word` is a block's name or a node list. */
extern int nvl72_print_named(const nvl72_topoinfo_t* info, char* word, char** out);
/* Later: the block must be `unit` and hold `nodes`; either may be NULL. */
extern int nvl72_print_matching(const nvl72_topoinfo_t* info, char* nodes, char* unit, char** out);

#endif
