/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the cluster's jobs ask for.
 */
#ifndef NVL72_DEMAND_H
#define NVL72_DEMAND_H

#include "slurm/facts.h"

typedef struct nvl72_demand nvl72_demand_t;

/* As stated, or learned before and kept in StateSaveLocation. NULL where no demand counts: by the
 * options, and outside of slurmctld. */
extern nvl72_demand_t* nvl72_demand_create(const nvl72_source_t* source,
                                           const nvl72_options_t* options);
/* Saves nothing: a backup slurmctld that has control again drops what it knew the last time, and
 * the file has what the other one has learned since. Tolerates NULL. */
extern void nvl72_demand_destroy(nvl72_demand_t* known);
/* Counts the queue again if it is time to. The caller holds Slurm's job write lock and its node
 * lock. Tolerates NULL. */
extern void nvl72_demand_refresh(nvl72_demand_t* known, const nvl72block_topology* topology);
/* For requests to the engine; NULL for NULL. */
extern const nvl72block_demand* nvl72_demand_in_force(const nvl72_demand_t* known);

#endif
