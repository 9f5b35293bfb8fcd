/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm 25.11 has changed; release_24_11.h says what each name means.
 */
#include "slurm/release_25_05.h"

#undef NVL72_ENTRIES
#undef NVL72_TOPOINFO
#undef NVL72_RETURNS_NOWHERE
#undef NVL72_CLIENTS_SHOW_SEGMENTS
#undef NVL72_SPREAD
#undef NVL72_CONSOLIDATE
#undef NVL72_FILLS_TASKS_PER_NODE
#undef NVL72_MISCOUNTS_LEAST_LOADED
#undef NVL72_BY_SOCKET
#undef NVL72_BY_CORE
#undef NVL72_FILLS_SOCKETS
#undef NVL72_BY_MEMORY
#undef NVL72_HAS_JOB_INFO
#undef NVL72_HAS_HRES
#undef NVL72_COPY_JOB_INFO
#undef NVL72_FREE_JOB_INFO
#undef NVL72_COPY_HRES

#define NVL72_TOPOINFO(verb) topology_p_topoinfo_##verb

#define NVL72_RETURNS_NOWHERE(node)                                                       \
    (IS_NODE_POWERED_DOWN(node) && !(node)->topology_str && !(node)->topology_orig_str && \
     (node)->config_ptr && !(node)->config_ptr->topology_str)

#define NVL72_CLIENTS_SHOW_SEGMENTS 1
#define NVL72_SPREAD(job) (((job)->bit_flags & SPREAD_SEGMENTS) != 0)
#define NVL72_CONSOLIDATE(job) (((job)->bit_flags & CONSOLIDATE_SEGMENTS) != 0)

#define NVL72_FILLS_TASKS_PER_NODE true

#define NVL72_MISCOUNTS_LEAST_LOADED(eval) \
    (((eval)->cr_type & SELECT_LLN) ||     \
     ((eval)->job_ptr->part_ptr && ((eval)->job_ptr->part_ptr->flags & PART_FLAG_LLN)))

#define NVL72_BY_SOCKET SELECT_SOCKET
#define NVL72_BY_CORE SELECT_CORE
#define NVL72_FILLS_SOCKETS SELECT_CORE_DEFAULT_DIST_BLOCK
#define NVL72_BY_MEMORY SELECT_MEMORY

#define NVL72_HAS_JOB_INFO 1
#define NVL72_HAS_HRES 1

#define NVL72_COPY_JOB_INFO(job) ((job)->topo_jobinfo = NULL)
#define NVL72_FREE_JOB_INFO(job) nvl72_job_info_drop(job)
#define NVL72_COPY_HRES(job, copy) nvl72_hres_copy(job, copy)

#define NVL72_ENTRIES(ENTRY) \
    NVL72_ENTRIES_24_11(ENTRY) NVL72_ENTRIES_25_05(ENTRY) NVL72_ENTRIES_25_11(ENTRY)
#define NVL72_ENTRIES_25_11(ENTRY)                                                          \
    ENTRY(void, jobinfo_free, topology_p_jobinfo_free, (void* jobinfo), (jobinfo))          \
    ENTRY(void, jobinfo_pack, topology_p_jobinfo_pack,                                      \
          (void* jobinfo, buf_t* buffer, uint16_t protocol_version),                        \
          (jobinfo, buffer, protocol_version))                                              \
    ENTRY(int, jobinfo_unpack, topology_p_jobinfo_unpack,                                   \
          (void** jobinfo, buf_t* buffer, uint16_t protocol_version),                       \
          (jobinfo, buffer, protocol_version))                                              \
    ENTRY(int, jobinfo_get, topology_p_jobinfo_get,                                         \
          (topology_jobinfo_type_t type, void* jobinfo, void* data), (type, jobinfo, data)) \
    ENTRY(void, get_topology_str, topology_p_get_topology_str,                              \
          (node_record_t * node, char** text, topology_ctx_t* tctx), (node, text, tctx))
