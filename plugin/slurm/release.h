/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All differences between Slurm versions: the other files use the names of release_VERSION.h and
 * have no conditions on versions of their own; the files of each version are listed in
 * CMakeLists.txt, which sets NVL72BLOCK_RELEASE, too.
 */
#ifndef NVL72_RELEASE_H
#define NVL72_RELEASE_H

#include "src/common/slurm_xlator.h"
#include "src/interfaces/topology.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

#include NVL72BLOCK_RELEASE

#define NVL72_E_NEVER ESLURM_REQUESTED_TOPO_CONFIG_UNAVAILABLE
/* The only refusal of a start after which Slurm lets a job wait that fits on no free nodes either
 * (node_scheduler.c, _pick_best_nodes()). */
#define NVL72_E_WAITS ESLURM_LICENSES_UNAVAILABLE

/*
 * --gpus with --segment: late 26.05 releases count a job's GRES per segment. Found by looking into
 * the source tree, as the change came inside the line.
 */
#if NVL72BLOCK_HAVE_GRES_SEGMENTS
#define NVL72_GRES_SPLIT(list, segments) gres_sched_segment_set(list, segments)
#define NVL72_GRES_NEXT_SEGMENT(list) gres_sched_reset(list)
#else
#define NVL72_GRES_SPLIT(list, segments) true
#define NVL72_GRES_NEXT_SEGMENT(list) ((void)(list))
#endif

#endif
