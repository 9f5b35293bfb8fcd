/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which functions Slurm gets (entry_points.c).
 */
#ifndef NVL72_ENTRY_H
#define NVL72_ENTRY_H

#include "slurm/entries.h"

/* What Slurm gets from now on: the plugin's own ones, unless somebody else has been put into force.
 */
extern void nvl72_put_in_force(const nvl72_entries_t* entries);

#endif
