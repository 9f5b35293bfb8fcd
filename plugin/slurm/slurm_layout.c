/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whether the structures in SLURM_SOURCE_DIR are those of the released Slurm of its version. The
 * plugin reads slurmctld's memory: built from a tree that is patched, or is another one than META
 * says, it would read the wrong members. Nothing here becomes code. layout_VERSION.h has the
 * numbers of one Slurm version, the same for x86_64 and aarch64; cmake/SlurmSource.cmake leaves
 * this file out where there are none, and where the builder accepts a patched tree.
 */
#include <stddef.h>

#include "slurm/release.h"

#define WHAT_TO_DO                                                                            \
    " differs from the released Slurm " NVL72BLOCK_SLURM_VERSION                              \
    ": SLURM_SOURCE_DIR must be the source that the running Slurm was built from. If it is, " \
    "patches included, configure with -DNVL72BLOCK_ACCEPT_PATCHED_SLURM=ON"

#define SIZE(type, size) _Static_assert(sizeof(type) == (size), "the size of " #type WHAT_TO_DO);
#define AT(type, member, offset)                       \
    _Static_assert(offsetof(type, member) == (offset), \
                   "the offset of " #member " in " #type WHAT_TO_DO);

#include NVL72BLOCK_LAYOUT
