/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where state is kept.
 */
#include <string.h>

#include "slurm/facts.h"

#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

extern char* nvl72_state_file(const nvl72_source_t* source, const char* name) {
    char *topology, *path;

    if (!source->yaml) return xstrdup_printf("%s/%s", slurm_conf.state_save_location, name);
    topology = xstrdup(source->name);
    /* A topology may be called "a/b". That is no folder, in which nothing would be saved. */
    for (char* next = topology; (next = strchr(next, '/'));) *next = '%';
    path = xstrdup_printf("%s/%s_%s", slurm_conf.state_save_location, topology, name);
    xfree(topology);
    return path;
}
