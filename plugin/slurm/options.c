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

static const char* _word(bool on) {
    return on ? "on" : "off";
}

static bool _wants_shadow(const nvl72_options_t* options) {
    return nvl72block_options_have(options, "Nvl72Shadow=on");
}

/* As the process was started. Slurm has its functions from then on. */
static struct {
    bool known;
    bool on;
} shadow;

/* A backup slurmctld that has control again has read slurm.conf anew. */
static void _compare_shadow(const nvl72_options_t* options) {
    bool wanted = _wants_shadow(options);

    if (wanted == shadow.on) return;
    error(
        "%s: Nvl72Shadow=%s has no effect: this process was started with Nvl72Shadow=%s, and %s "
        "decides; restart slurmctld on this host",
        plugin_type, _word(wanted), _word(shadow.on),
        shadow.on ? "Slurm's own topology/block" : "this plugin");
}

extern bool nvl72_is_in_shadow(void) {
    if (!shadow.known) {
        nvl72_options_t* options = nvl72_read_options(true);

        shadow.known = true;
        shadow.on = _wants_shadow(options);
        nvl72block_options_free(options);
    }
    return shadow.on;
}

extern nvl72_options_t* nvl72_read_options(bool quiet) {
    nvl72block_error problem;
    nvl72_options_t* options = nvl72block_options_read(slurm_conf.topology_param,
                                                       quiet ? NULL : _complain, NULL, &problem);

    if (problem.code && !quiet)
        error("%s: TopologyParam cannot be read, the defaults are used: %s", plugin_type,
              problem.message);
    if (!quiet) _compare_shadow(options);
    return options;
}
