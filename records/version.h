/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All that differs between Slurm versions. libslurm.h includes it.
 */
#pragma once

#define SLURM_SINCE(major, minor) (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, 0))

#if SLURM_SINCE(25, 5)
#define LIBSLURM_FUNCTIONS_OF_VERSION(DO)
#define ALLOCATED_CPUS(node) ((node)->alloc_cpus)
#define ALLOCATED_MEMORY(node) ((node)->alloc_memory)
#define ALLOCATED_TRES(node) ((node)->alloc_tres_fmt_str)
#else
#define LIBSLURM_FUNCTIONS_OF_VERSION(DO) DO(slurm_get_select_nodeinfo)
/* The select plugin's part of a node. */
#define ALLOCATED(node, what, value) \
    (libslurm.slurm_get_select_nodeinfo((node)->select_nodeinfo, what, NODE_STATE_ALLOCATED, value))
#define ALLOCATED_CPUS(node)                                   \
    ({                                                         \
        uint16_t _cpus = 0;                                    \
        (void)ALLOCATED(node, SELECT_NODEDATA_SUBCNT, &_cpus); \
        _cpus;                                                 \
    })
#define ALLOCATED_MEMORY(node)                                      \
    ({                                                              \
        uint64_t _memory = 0;                                       \
        (void)ALLOCATED(node, SELECT_NODEDATA_MEM_ALLOC, &_memory); \
        _memory;                                                    \
    })
#define ALLOCATED_TRES(node)                                               \
    ({                                                                     \
        char* _tres = NULL;                                                \
        (void)ALLOCATED(node, SELECT_NODEDATA_TRES_ALLOC_FMT_STR, &_tres); \
        _tres;                                                             \
    })
#endif

#if SLURM_SINCE(25, 11)
#define JOB_NUMBER(job) ((job)->step_id.job_id)
#define SPREADS_SEGMENTS(job) ((job)->bitflags & SPREAD_SEGMENTS)
#define CONSOLIDATES_SEGMENTS(job) ((job)->bitflags & CONSOLIDATE_SEGMENTS)
#else
#define JOB_NUMBER(job) ((job)->job_id)
#define SPREADS_SEGMENTS(job) false
#define CONSOLIDATES_SEGMENTS(job) false
#endif

#if SLURM_SINCE(25, 5)
#define LOAD_TOPO(info) libslurm.slurm_load_topo(info, NULL)
#define PRINT_TOPO(stream, info) libslurm.slurm_print_topo_info_msg(stream, info, NULL, NULL, 1)
#define SEGMENT_SIZE(job) ((job)->segment_size)
#define PARTITION_TOPOLOGY(partition) ((partition)->topology_name)
#else
#define LOAD_TOPO(info) libslurm.slurm_load_topo(info)
#define PRINT_TOPO(stream, info) libslurm.slurm_print_topo_info_msg(stream, info, NULL, 1)
#define SEGMENT_SIZE(job) 0
#define PARTITION_TOPOLOGY(partition) NULL
#endif

#if SLURM_SINCE(26, 5)
#define LOAD_JOB(info, number)                           \
    ({                                                   \
        slurm_step_id_t _id = SLURM_STEP_ID_INITIALIZER; \
        _id.job_id = number;                             \
        libslurm.slurm_load_job(info, _id, SHOW_ALL);    \
    })
#else
#define LOAD_JOB(info, number) libslurm.slurm_load_job(info, number, SHOW_ALL)
#endif

/* Whom a job keeps from its nodes: "node" (all others), "topo" (from its blocks too), "user", "mcs"
 * or nobody, NULL. */
static inline const char* exclusive_use(const slurm_job_info_t* job) {
#if SLURM_SINCE(26, 5)
    switch (job->exclusive) {
        case JOB_EXCLUSIVE_NODE:
            return "node";
        case JOB_EXCLUSIVE_TOPO:
            return "topo";
        case JOB_EXCLUSIVE_USER:
            return "user";
        case JOB_EXCLUSIVE_MCS:
            return "mcs";
        default:
            return NULL;
    }
#else
    switch (job->shared) {
        case JOB_SHARED_NONE:
            return "node";
        case JOB_SHARED_TOPO:
            return "topo";
        case JOB_SHARED_USER:
            return "user";
        case JOB_SHARED_MCS:
            return "mcs";
        default:
            return NULL;
    }
#endif
}
