/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the nodes' features say of their cliques.
 */
#ifndef NVL72_CLIQUES_H
#define NVL72_CLIQUES_H

#include <pthread.h>

#include "slurm/facts.h"

/* A number, at least 1, that moves whenever the features of some node have been set or nodes have
 * come. The caller holds Slurm's node lock, for reading or writing. */
extern uint64_t nvl72_feature_changes(void);
/* Slurm has read its configuration anew, or will: what was known of its lists counts no more. */
extern void nvl72_features_forget(void);
/* For a slurmctld that is about to build a topology: drops the lists of an earlier reading. Does
 * nothing in other programs. The caller holds Slurm's node write lock. */
extern void nvl72_features_drop(void);

/* The nodes' cliques as they were read last. */
typedef struct {
    pthread_mutex_t lock;
    nvl72block_cliques* cliques;
    uint64_t seen_changes; /* nvl72_feature_changes() when the nodes were read; 0 at first */
    bool unreported;       /* a change was not logged yet */
    time_t reports_since;  /* begin of the period that `reports` counts */
    unsigned reports;
} nvl72_watch_t;
/* What the cliques make of a topology that was read without them; takes over the caller's
 * reference.
 */
extern nvl72block_topology* nvl72_cliques_follow(nvl72block_topology* topology,
                                                 const nvl72_options_t* options,
                                                 nvl72block_error* problem);
/* NULL when the cliques cannot be read, which is logged. */
extern nvl72_watch_t* nvl72_watch_create(const nvl72_options_t* options);
/* Tolerates NULL. */
extern void nvl72_watch_destroy(nvl72_watch_t* watch);
/* Reads the cliques again if the features of a node have changed; whether the cliques have, too.
 * Locks: as nvl72_cliques_refresh(), and the watch's own. */
extern bool nvl72_watch_renew(nvl72_watch_t* watch, const nvl72_options_t* options);
/* Logs a change that was not logged yet, unless there was too much to log lately. */
extern void nvl72_watch_report(nvl72_watch_t* watch, const nvl72block_topology* topology);
/* At first: no messages about cliques where no node names one, unless Nvl72Clique= was set. */
extern void nvl72_watch_report_first(nvl72_watch_t* watch, const nvl72_options_t* options,
                                     const nvl72block_topology* topology);

#endif
