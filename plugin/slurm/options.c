/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * TopologyParam= words of our own, "Nvl72Policy=compact". Slurm's topology/block ignores them.
 */
#include "slurm/facts.h"

#include "src/common/log.h"
#include "src/common/read_config.h"

static void _complain(void* argument, const char* sentence) {
    error("%s", sentence);
}

extern nvl72_options_t* nvl72_read_options(bool quiet) {
    nvl72block_error problem;
    nvl72_options_t* options = nvl72block_options_read(slurm_conf.topology_param,
                                                       quiet ? NULL : _complain, NULL, &problem);

    if (problem.code && !quiet)
        error("%s: TopologyParam cannot be read, the defaults are used: %s", plugin_type,
              problem.message);
    return options;
}
