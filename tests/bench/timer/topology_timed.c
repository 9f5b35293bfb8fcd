/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A topology plugin that stands before another one, hands every call on to it and notes how long
 * each placement took. Both plugins of a comparison are timed by this same means.
 *
 * NVL72BLOCK_TIMED_PLUGIN  the .so behind it
 * NVL72BLOCK_TIMED_WITHIN  the same, for the timer built with TIMED_WITHIN, which shadow mode loads
 * in place of Slurm's own topology_block.so
 * NVL72BLOCK_TIMES         file that gets a line "kind elapsed cpu result job" a placement:
 * nanoseconds by the clock, and of the thread's CPU time, which other processes do not lengthen
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "slurm/release.h"

#include "src/common/job_record.h"
#include "src/common/log.h"

const char plugin_name[] = "timer before another topology plugin";
const char plugin_type[] = "topology/timed";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;
/* Both plugins' number: job records and TopoMaxSizeUnroll go by it. */
const uint32_t plugin_id = 103;
const bool supports_exclusive_topo = true;

#ifdef TIMED_WITHIN
#define TIMED_PLUGIN "NVL72BLOCK_TIMED_WITHIN"
#define TIMED_KIND(kind) "within"
#else
#define TIMED_PLUGIN "NVL72BLOCK_TIMED_PLUGIN"
#define TIMED_KIND(kind) kind
#endif

extern int init(void);
extern int fini(void);

/* What Slurm looks up, by the plugin's own table: the functions of the plugin behind this one, and
 * those that it gets. */
#define FIELD(type, name, exported, parameters, arguments) type(*name) parameters;
typedef struct {
    NVL72_ENTRIES(FIELD)
} entries_t;
static entries_t behind, timed;

/* ---- What is timed ----------------------------------------------------------------------------
 */

static int times = -1;

typedef struct {
    int64_t elapsed;
    int64_t cpu;
} moment_t;

static int64_t _read_clock(clockid_t clock) {
    struct timespec now;

    clock_gettime(clock, &now);
    return (now.tv_sec * INT64_C(1000000000)) + now.tv_nsec;
}

/* The slower clock outside of what the faster one measures. */
static moment_t _begin(void) {
    moment_t now = {.cpu = _read_clock(CLOCK_THREAD_CPUTIME_ID)};

    now.elapsed = _read_clock(CLOCK_MONOTONIC);
    return now;
}

static moment_t _since(moment_t began) {
    moment_t took = {.elapsed = _read_clock(CLOCK_MONOTONIC) - began.elapsed};

    took.cpu = _read_clock(CLOCK_THREAD_CPUTIME_ID) - began.cpu;
    return took;
}

/* One write a line: what is noted is complete even if slurmctld is killed next. */
static void _note(const char* kind, moment_t took, int result, const job_record_t* job) {
    char line[128];
    int length = snprintf(line, sizeof(line), "%s %" PRId64 " %" PRId64 " %d %u\n", kind,
                          took.elapsed, took.cpu, result, job->job_id);

    if (write(times, line, length) != length) error("%s: a time could not be noted", plugin_type);
}

static int _eval_nodes(topology_eval_t* eval) {
    moment_t began = _begin();
    int result = behind.eval_nodes(eval);

    _note(TIMED_KIND("nodes"), _since(began), result, eval->job_ptr);
    return result;
}

#if NVL72_HAS_ONE_NODE
/* One-node jobs, node by node, of plugins that allow it. */
static int _eval_node(topology_eval_t* eval, int node) {
    moment_t began = _begin();
    int result = behind.eval_node(eval, node);

    _note(TIMED_KIND("node"), _since(began), result, eval->job_ptr);
    return result;
}
#endif

/* ---- Handing on -------------------------------------------------------------------------------
 */

#define FORWARD(type, name, exported, parameters, arguments) \
    extern type exported parameters;                         \
    extern type exported parameters {                        \
        return timed.name arguments;                         \
    }

NVL72_ENTRIES(FORWARD)

/* ---- Loading ------------------------------------------------------------------------------------
 */

#define NAME_OF(exported) #exported
#define NAME(type, name, exported, parameters, arguments) NAME_OF(exported),

static bool _resolve(void* library) {
    static const char* names[] = {NVL72_ENTRIES(NAME)};
    void** function = (void**)&behind;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        function[i] = dlsym(library, names[i]);
        if (function[i]) continue;
        error("%s: %s has no %s", plugin_type, getenv(TIMED_PLUGIN), names[i]);
        return false;
    }
    timed = behind;
    timed.eval_nodes = _eval_nodes;
#if NVL72_HAS_ONE_NODE
    timed.eval_node = _eval_node;
#endif
    return true;
}

static void* library_behind;

static int _call_if_there(const char* name) {
    int (*function)(void) = dlsym(library_behind, name);

    return function ? function() : SLURM_SUCCESS;
}

/* Slurm may load a plugin once a topology. */
extern int init(void) {
    const char* plugin = getenv(TIMED_PLUGIN);
    const char* file = getenv("NVL72BLOCK_TIMES");

    if (library_behind) return SLURM_SUCCESS;
    if (!plugin || !file) {
        error("%s needs " TIMED_PLUGIN " and NVL72BLOCK_TIMES", plugin_type);
        return SLURM_ERROR;
    }
    times = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (times < 0) {
        error("%s cannot write %s: %m", plugin_type, file);
        return SLURM_ERROR;
    }
    library_behind = dlopen(plugin, RTLD_LAZY);
    if (!library_behind) {
        error("%s cannot load: %s", plugin_type, dlerror());
        return SLURM_ERROR;
    }
    return _resolve(library_behind) ? _call_if_there("init") : SLURM_ERROR;
}

extern int fini(void) {
    if (library_behind) (void)_call_if_there("fini");
    return SLURM_SUCCESS;
}
