/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Faults of the plugin's own, for the lab's builds alone; src/capi/planted.hpp has the engine's.
 */
#ifndef NVL72_PLANTED_H
#define NVL72_PLANTED_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Microseconds that a fault keeps a thread, so that others come meanwhile. */
#define NVL72_PLANTED_PAUSE 50000

/* Whether the environment variable NVL72BLOCK_PLANT names this fault. */
static inline bool nvl72_planted(const char* fault) {
#ifdef NVL72BLOCK_PLANTS
    const char* named = getenv("NVL72BLOCK_PLANT");

    return named && !strcmp(named, fault);
#else
    (void)fault;
    return false;
#endif
}

#endif
