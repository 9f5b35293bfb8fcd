/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm 26.11 has changed; release_24_11.h says what each name means.
 */
#include "slurm/release_26_05.h"

#undef NVL72_SIZED_PROTOCOL
#undef NVL72_OVERCOMMITS

#define NVL72_SIZED_PROTOCOL SLURM_25_05_PROTOCOL_VERSION

#define NVL72_OVERCOMMITS(job) (((job)->bit_flags & ALLOW_OVERCOMMIT_TRES_PER_TASK) != 0)
