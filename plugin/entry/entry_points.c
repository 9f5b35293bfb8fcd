/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The functions that Slurm looks up by name. Each calls what is in force: the plugin's own, which
 * the other files have, or another plugin's.
 */
#include "entry/entry.h"
#include "slurm/entries.h"

#define OWN(type, name, exported, parameters, arguments) .name = nvl72_own_##name,
static const nvl72_entries_t own = {NVL72_ENTRIES(OWN)};
static const nvl72_entries_t* in_force = &own;

extern void nvl72_put_in_force(const nvl72_entries_t* entries) {
    in_force = entries;
}

#define DEFINE(type, name, exported, parameters, arguments) \
    extern type exported parameters;                        \
    extern type exported parameters {                       \
        return in_force->name arguments;                    \
    }
NVL72_ENTRIES(DEFINE)
