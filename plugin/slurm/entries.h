/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The functions that Slurm looks up in a topology plugin. Ours are declared here for the files of
 * all directories that define one.
 */
#ifndef NVL72_ENTRIES_H
#define NVL72_ENTRIES_H

#include "slurm/release.h"

extern int init(void);
extern int fini(void);

/* As pointers. */
#define NVL72_ENTRY_FIELD(type, name, exported, parameters, arguments) type(*name) parameters;
typedef struct {
    NVL72_ENTRIES(NVL72_ENTRY_FIELD)
} nvl72_entries_t;

/* Ours. */
#define NVL72_ENTRY_DECLARATION(type, name, exported, parameters, arguments) \
    extern type nvl72_own_##name parameters;
NVL72_ENTRIES(NVL72_ENTRY_DECLARATION)

#endif
