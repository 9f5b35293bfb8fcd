/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A topology plugin that stands before another one, hands every call on to it and notes how long
 * each placement took. Both plugins of a comparison are timed by this same means.
 *
 * NVL72BLOCK_TIMED_PLUGIN  the .so behind it
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

#include "release.h"
#include "src/common/job_record.h"
#include "src/common/log.h"

const char plugin_name[] = "timer before another topology plugin";
const char plugin_type[] = "topology/timed";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;
/* Both plugins' number: job records and TopoMaxSizeUnroll go by it. */
const uint32_t plugin_id = 103;
const bool supports_exclusive_topo = true;

extern int init(void);
extern int fini(void);

#if NVL72_SINCE(25, 5)
#define TCTX_ARGUMENT tctx
#define AND_CTX_ARGUMENT , plugin_ctx
#define AND_UNIT_ARGUMENT , unit
#else
#define TCTX_ARGUMENT
#define AND_CTX_ARGUMENT
#define AND_UNIT_ARGUMENT
#endif

/* What is handed on untimed: result, name, parameters, arguments. */
#define OF_ALL_LINES(F)                                                                          \
    F(int, topology_p_build_config, (NVL72_TCTX), (TCTX_ARGUMENT))                               \
    F(int, topology_p_whole_topo, (bitstr_t * mask NVL72_AND_CTX), (mask AND_CTX_ARGUMENT))      \
    F(bitstr_t*, topology_p_get_bitmap, (char* name NVL72_AND_CTX), (name AND_CTX_ARGUMENT))     \
    F(bool, topology_p_generate_node_ranking, (NVL72_TCTX), (TCTX_ARGUMENT))                     \
    F(int, topology_p_get_node_addr, (char* name, char** address, char** pattern NVL72_AND_CTX), \
      (name, address, pattern AND_CTX_ARGUMENT))                                                 \
    F(int, topology_p_split_hostlist,                                                            \
      (hostlist_t * list, hostlist_t * **parts, int* count, uint16_t width NVL72_AND_CTX),       \
      (list, parts, count, width AND_CTX_ARGUMENT))                                              \
    F(int, topology_p_get, (topology_data_t type, void* data NVL72_AND_CTX),                     \
      (type, data AND_CTX_ARGUMENT))                                                             \
    F(int, NVL72_TOPOINFO(free), (void* info), (info))                                           \
    F(int, NVL72_TOPOINFO(pack), (void* info, buf_t* buffer, uint16_t version),                  \
      (info, buffer, version))                                                                   \
    F(int, NVL72_TOPOINFO(print), (void* info, char* nodes NVL72_AND_UNIT, char** out),          \
      (info, nodes AND_UNIT_ARGUMENT, out))                                                      \
    F(int, NVL72_TOPOINFO(unpack), (void** info, buf_t* buffer, uint16_t version),               \
      (info, buffer, version))                                                                   \
    F(uint32_t, topology_p_get_fragmentation, (bitstr_t * mask NVL72_AND_CTX),                   \
      (mask AND_CTX_ARGUMENT))

#if NVL72_SINCE(25, 5)
#define SINCE_25_05(F)                                                                       \
    F(int, topology_p_add_rm_node, (node_record_t * node, char* unit, topology_ctx_t* tctx), \
      (node, unit, tctx))                                                                    \
    F(int, topology_p_destroy_config, (topology_ctx_t * tctx), (tctx))
#else
#define SINCE_25_05(F)
#endif

#if NVL72_SINCE(25, 11)
#define SINCE_25_11(F)                                                                     \
    F(void, topology_p_jobinfo_free, (void* info), (info))                                 \
    F(void, topology_p_jobinfo_pack, (void* info, buf_t* buffer, uint16_t version),        \
      (info, buffer, version))                                                             \
    F(int, topology_p_jobinfo_unpack, (void** info, buf_t* buffer, uint16_t version),      \
      (info, buffer, version))                                                             \
    F(int, topology_p_jobinfo_get, (topology_jobinfo_type_t type, void* info, void* data), \
      (type, info, data))                                                                  \
    F(void, topology_p_get_topology_str,                                                   \
      (node_record_t * node, char** text, topology_ctx_t* tctx), (node, text, tctx))
#else
#define SINCE_25_11(F)
#endif

#if NVL72_SINCE(26, 5)
#define SINCE_26_05(F)                                                           \
    F(bool, topology_p_allow_one_node, (void* plugin_ctx), (plugin_ctx))         \
    F(int, topology_p_get_rank,                                                  \
      (bitstr_t * nodes, uint32_t * *ranks, uint32_t * count, void* plugin_ctx), \
      (nodes, ranks, count, plugin_ctx))
#else
#define SINCE_26_05(F)
#endif

#define HANDED_ON(F) OF_ALL_LINES(F) SINCE_25_05(F) SINCE_25_11(F) SINCE_26_05(F)

#define FORWARD(result, name, parameters, arguments) \
    static result(*behind_##name) parameters;        \
    extern result name parameters;                   \
    extern result name parameters {                  \
        return behind_##name arguments;              \
    }

/* One step more, so that the macros in a name are replaced before it is pasted. */
#define FORWARD_EXPANDED(result, name, parameters, arguments) \
    FORWARD(result, name, parameters, arguments)

HANDED_ON(FORWARD_EXPANDED)

/* ---- What is timed ----------------------------------------------------------------------------
 */

static int (*behind_eval_nodes)(topology_eval_t* eval);
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

extern int topology_p_eval_nodes(topology_eval_t* eval);
extern int topology_p_eval_nodes(topology_eval_t* eval) {
    moment_t began = _begin();
    int result = behind_eval_nodes(eval);

    _note("nodes", _since(began), result, eval->job_ptr);
    return result;
}

#if NVL72_SINCE(26, 5)
static int (*behind_eval_node)(topology_eval_t* eval, int node);

/* One-node jobs, node by node, of plugins that allow it. */
extern int topology_p_eval_node(topology_eval_t* eval, int node);
extern int topology_p_eval_node(topology_eval_t* eval, int node) {
    moment_t began = _begin();
    int result = behind_eval_node(eval, node);

    _note("node", _since(began), result, eval->job_ptr);
    return result;
}
#endif

/* ---- Loading ------------------------------------------------------------------------------------
 */

static void* _find(void* library, const char* name, bool* complete) {
    void* found = dlsym(library, name);

    if (found) return found;
    error("%s: %s has no %s", plugin_type, getenv("NVL72BLOCK_TIMED_PLUGIN"), name);
    *complete = false;
    return NULL;
}

#define AS_TEXT(name) #name
#define FIND(result, name, parameters, arguments) \
    behind_##name = _find(library, AS_TEXT(name), &complete);
#define FIND_EXPANDED(result, name, parameters, arguments) FIND(result, name, parameters, arguments)

static bool _resolve(void* library) {
    bool complete = true;

    behind_eval_nodes = _find(library, "topology_p_eval_nodes", &complete);
#if NVL72_SINCE(26, 5)
    behind_eval_node = _find(library, "topology_p_eval_node", &complete);
#endif
    HANDED_ON(FIND_EXPANDED)
    return complete;
}

static void* library_behind;

static int _call_if_there(const char* name) {
    int (*function)(void) = dlsym(library_behind, name);

    return function ? function() : SLURM_SUCCESS;
}

/* Slurm may load a plugin once a topology. */
extern int init(void) {
    const char* plugin = getenv("NVL72BLOCK_TIMED_PLUGIN");
    const char* file = getenv("NVL72BLOCK_TIMES");

    if (library_behind) return SLURM_SUCCESS;
    if (!plugin || !file) {
        error("%s needs NVL72BLOCK_TIMED_PLUGIN and NVL72BLOCK_TIMES", plugin_type);
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
