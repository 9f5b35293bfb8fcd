/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All differences between Slurm versions. Read it as a table: a row per difference, the oldest
 * version first. The other files use the names on the left and have no release
 * conditions of their own; the files of each version are listed in CMakeLists.txt.
 */
#ifndef NVL72_RELEASE_H
#define NVL72_RELEASE_H

#include "src/common/slurm_xlator.h"
#include "src/interfaces/topology.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

#define NVL72_SINCE(major, minor) (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, 0))

/*
 * How entry points learn which topology is meant: 24.11 has only one; from 25.05 on the caller
 * hands over the context, or in calls of the hot path only its plugin part.
 */
#if NVL72_SINCE(25, 5)
#define NVL72_TCTX topology_ctx_t* tctx
#define NVL72_AND_CTX , void* plugin_ctx
#define NVL72_PASS_TCTX tctx
#define NVL72_PASS_CTX , plugin_ctx
#define NVL72_CONTEXT_OF_TCTX ((nvl72_context_t*)tctx->plugin_ctx)
#define NVL72_CONTEXT_OF_CTX ((nvl72_context_t*)plugin_ctx)
#define NVL72_CONTEXT_OF_EVAL(eval) ((nvl72_context_t*)(eval)->tctx->plugin_ctx)
#define NVL72_SET_CONTEXT(context) (tctx->plugin_ctx = (context))
#define NVL72_KEY_OF_TCTX tctx
#define NVL72_KEY_OF_EVAL(eval) ((eval)->tctx)
#define NVL72_SOURCE \
    ((nvl72_source_t){.path = tctx->topo_conf, .yaml = tctx->config, .name = tctx->name})
#else
#define NVL72_TCTX void
#define NVL72_AND_CTX
#define NVL72_PASS_TCTX
#define NVL72_PASS_CTX
#define NVL72_CONTEXT_OF_TCTX nvl72_only_context
#define NVL72_CONTEXT_OF_CTX nvl72_only_context
#define NVL72_CONTEXT_OF_EVAL(eval) nvl72_only_context
#define NVL72_SET_CONTEXT(context) (nvl72_only_context = (context))
#define NVL72_KEY_OF_TCTX NULL
#define NVL72_KEY_OF_EVAL(eval) NULL
#define NVL72_SOURCE ((nvl72_source_t){.path = topo_conf, .name = "default"})
#endif

/* `scontrol show topology`: the calls' names, and whether a block is named apart from nodes. */
#if NVL72_SINCE(25, 11)
#define NVL72_TOPOINFO(verb) topology_p_topoinfo_##verb
#else
#define NVL72_TOPOINFO(verb) topology_p_topology_##verb
#endif
#if NVL72_SINCE(25, 5)
#define NVL72_AND_UNIT , char* unit
#define NVL72_PASS_UNIT , unit
#define NVL72_PRINT nvl72_print_matching(topoinfo, nodes, unit, out)
#else
#define NVL72_AND_UNIT
#define NVL72_PASS_UNIT
#define NVL72_PRINT nvl72_print_named(topoinfo, nodes, out)
#endif

/*
 * The functions that Slurm looks up: ENTRY(result, name of our own, name that Slurm looks up,
 * parameters, arguments).
 */
#define NVL72_ENTRIES_24_11(ENTRY)                                                                \
    ENTRY(int, build_config, topology_p_build_config, (NVL72_TCTX), (NVL72_PASS_TCTX))            \
    ENTRY(int, eval_nodes, topology_p_eval_nodes, (topology_eval_t * eval), (eval))               \
    ENTRY(int, whole_topo, topology_p_whole_topo, (bitstr_t * node_mask NVL72_AND_CTX),           \
          (node_mask NVL72_PASS_CTX))                                                             \
    ENTRY(bitstr_t*, get_bitmap, topology_p_get_bitmap, (char* name NVL72_AND_CTX),               \
          (name NVL72_PASS_CTX))                                                                  \
    ENTRY(bool, generate_node_ranking, topology_p_generate_node_ranking, (NVL72_TCTX),            \
          (NVL72_PASS_TCTX))                                                                      \
    ENTRY(int, get_node_addr, topology_p_get_node_addr,                                           \
          (char* node_name, char** address, char** pattern NVL72_AND_CTX),                        \
          (node_name, address, pattern NVL72_PASS_CTX))                                           \
    ENTRY(int, split_hostlist, topology_p_split_hostlist,                                         \
          (hostlist_t * hl, hostlist_t * **lists, int* count, uint16_t tree_width NVL72_AND_CTX), \
          (hl, lists, count, tree_width NVL72_PASS_CTX))                                          \
    ENTRY(int, get, topology_p_get, (topology_data_t type, void* data NVL72_AND_CTX),             \
          (type, data NVL72_PASS_CTX))                                                            \
    ENTRY(int, topoinfo_free, NVL72_TOPOINFO(free), (void* topoinfo), (topoinfo))                 \
    ENTRY(int, topoinfo_pack, NVL72_TOPOINFO(pack),                                               \
          (void* topoinfo, buf_t* buffer, uint16_t protocol_version),                             \
          (topoinfo, buffer, protocol_version))                                                   \
    ENTRY(int, topoinfo_print, NVL72_TOPOINFO(print),                                             \
          (void* topoinfo, char* nodes NVL72_AND_UNIT, char** out),                               \
          (topoinfo, nodes NVL72_PASS_UNIT, out))                                                 \
    ENTRY(int, topoinfo_unpack, NVL72_TOPOINFO(unpack),                                           \
          (void** topoinfo, buf_t* buffer, uint16_t protocol_version),                            \
          (topoinfo, buffer, protocol_version))                                                   \
    ENTRY(uint32_t, get_fragmentation, topology_p_get_fragmentation,                              \
          (bitstr_t * node_mask NVL72_AND_CTX), (node_mask NVL72_PASS_CTX))
#if NVL72_SINCE(25, 5)
#define NVL72_ENTRIES_25_05(ENTRY)                                                      \
    ENTRY(int, add_rm_node, topology_p_add_rm_node,                                     \
          (node_record_t * node, char* unit, topology_ctx_t* tctx), (node, unit, tctx)) \
    ENTRY(int, destroy_config, topology_p_destroy_config, (topology_ctx_t * tctx), (tctx))
#else
#define NVL72_ENTRIES_25_05(ENTRY)
#endif
#if NVL72_SINCE(25, 11)
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
#else
#define NVL72_ENTRIES_25_11(ENTRY)
#endif
#if NVL72_SINCE(26, 5)
#define NVL72_HAS_ONE_NODE 1
#define NVL72_ENTRIES_26_05(ENTRY)                                                                \
    ENTRY(bool, allow_one_node, topology_p_allow_one_node, (void* plugin_ctx), (plugin_ctx))      \
    ENTRY(int, eval_node, topology_p_eval_node, (topology_eval_t * eval, int node), (eval, node)) \
    ENTRY(int, get_rank, topology_p_get_rank,                                                     \
          (bitstr_t * node_bitmap, uint32_t * *ranks, uint32_t * count, void* plugin_ctx),        \
          (node_bitmap, ranks, count, plugin_ctx))
#else
#define NVL72_HAS_ONE_NODE 0
#define NVL72_ENTRIES_26_05(ENTRY)
#endif
#define NVL72_ENTRIES(ENTRY)   \
    NVL72_ENTRIES_24_11(ENTRY) \
    NVL72_ENTRIES_25_05(ENTRY) NVL72_ENTRIES_25_11(ENTRY) NVL72_ENTRIES_26_05(ENTRY)

/* The oldest protocol that carries a block's kind and size, or that Slurm still knows. */
#if NVL72_SINCE(26, 11)
#define NVL72_SIZED_PROTOCOL SLURM_25_05_PROTOCOL_VERSION
#else
#define NVL72_SIZED_PROTOCOL SLURM_24_11_PROTOCOL_VERSION
#endif

/* Node order without BlockAsNodeRank: true lets slurm.conf's order stand, false sorts by name. */
#if NVL72_SINCE(25, 5)
#define NVL72_RANKED_BY_DEFAULT false
#else
#define NVL72_RANKED_BY_DEFAULT true
#endif

/* A topology.yaml (and with it node Topology= strings) exists. */
#if NVL72_SINCE(25, 5)
#define NVL72_HAS_YAML 1
#else
#define NVL72_HAS_YAML 0
#endif

/*
 * Whether a node without a Topology= text is being returned to its former block by Slurm, as it
 * does with a node that is powered down (25.11 and later), and that block is not known to Slurm.
 */
#if NVL72_SINCE(25, 11)
#define NVL72_RETURNS_NOWHERE(node)                                                       \
    (IS_NODE_POWERED_DOWN(node) && !(node)->topology_str && !(node)->topology_orig_str && \
     (node)->config_ptr && !(node)->config_ptr->topology_str)
#else
#define NVL72_RETURNS_NOWHERE(node) false
#endif

/* --spread-segments, --consolidate-segments */
#if NVL72_SINCE(25, 11)
#define NVL72_CLIENTS_SHOW_SEGMENTS 1
#define NVL72_SPREAD(job) (((job)->bit_flags & SPREAD_SEGMENTS) != 0)
#define NVL72_CONSOLIDATE(job) (((job)->bit_flags & CONSOLIDATE_SEGMENTS) != 0)
#else
#define NVL72_CLIENTS_SHOW_SEGMENTS 0
#define NVL72_SPREAD(job) false
#define NVL72_CONSOLIDATE(job) false
#endif

/* The maximum node count of a job that names none is made from its number of tasks. */
#if NVL72_SINCE(26, 5)
#define NVL72_IMPLICIT_MAX(job) (((job)->bit_flags & JOB_IMPLICIT_MAX_NODES) != 0)
#else
#define NVL72_IMPLICIT_MAX(job) false
#endif

/* Where nodes are shared all of a job's tasks are distributed, however few --ntasks-per-node lets
 * its nodes have; later, as many as the nodes may have. */
#if NVL72_SINCE(26, 5)
#define NVL72_COUNTS_ALL_TASKS false
#else
#define NVL72_COUNTS_ALL_TASKS true
#endif

/* With --ntasks-per-node as many tasks are distributed as the nodes may have, whatever -n says. */
#if NVL72_SINCE(25, 11)
#define NVL72_FILLS_TASKS_PER_NODE true
#else
#define NVL72_FILLS_TASKS_PER_NODE false
#endif

/* Whether a job's tasks share CPUs: --overcommit counts only where no task asks for CPUs or GPUs of
 * its own; later, for none that asks for more than CPUs. */
#if NVL72_SINCE(26, 11)
#define NVL72_OVERCOMMITS(job) (((job)->bit_flags & ALLOW_OVERCOMMIT_TRES_PER_TASK) != 0)
#else
#define NVL72_OVERCOMMITS(job) ((job)->details->overcommit && !(job)->tres_per_task)
#endif

/* --distribution=arbitrary: up to 25.11 topology/block leaves such jobs to Slurm's usual ways. */
#if NVL72_SINCE(26, 5)
#define NVL72_HAS_ARBITRARY 0
#else
#define NVL72_HAS_ARBITRARY 1
#endif

/* Bits of SelectTypeParameters. */
#if NVL72_SINCE(25, 11)
#define NVL72_BY_SOCKET SELECT_SOCKET
#define NVL72_BY_CORE SELECT_CORE
#define NVL72_FILLS_SOCKETS SELECT_CORE_DEFAULT_DIST_BLOCK
#define NVL72_BY_MEMORY SELECT_MEMORY
#else
#define NVL72_BY_SOCKET CR_SOCKET
#define NVL72_BY_CORE CR_CORE
#define NVL72_FILLS_SOCKETS CR_CORE_DEFAULT_DIST_BLOCK
#define NVL72_BY_MEMORY CR_MEMORY
#endif

/* What the job keeps of its placement, and hierarchical resources. */
#if NVL72_SINCE(25, 11)
#define NVL72_HAS_JOB_INFO 1
#define NVL72_HAS_HRES 1
#else
#define NVL72_HAS_JOB_INFO 0
#define NVL72_HAS_HRES 0
#endif

/* Of the copy of a job's record that is evaluated in shadow mode; `copy(from, size)` copies. */
#if NVL72_SINCE(25, 11)
#define NVL72_COPY_JOB_INFO(job) ((job)->topo_jobinfo = NULL)
#define NVL72_FREE_JOB_INFO(job) nvl72_job_info_drop(job)
#define NVL72_COPY_HRES(job, copy) nvl72_hres_copy(job, copy)
#else
#define NVL72_COPY_JOB_INFO(job) ((void)(job))
#define NVL72_FREE_JOB_INFO(job) ((void)(job))
#define NVL72_COPY_HRES(job, copy) ((void)(job))
#endif

/* Why a job waits: error codes that users see as the reason. */
#if NVL72_SINCE(26, 5)
#define NVL72_E_NOT_SUPPORTED ESLURM_NOT_SUPPORTED
#define NVL72_E_REQUIRED_BUSY ESLURM_TOPO_REQ_NODES_NOT_AVAIL
#define NVL72_E_REQUIRED_MISPLACED ESLURM_TOPO_REQ_NODES_NO_MATCH_TOPO
#define NVL72_E_NO_FIT ESLURM_TOPO_NO_FIT
#define NVL72_E_SEGMENTS ESLURM_TOPO_SEGMENT_NO_FIT
#define NVL72_E_RESOURCES ESLURM_TOPO_INSUFFICIENT_RESOURCES
#define NVL72_E_NO_NODES ESLURM_TOPO_EMPTY_NODE_MAP
#define NVL72_END_RETRIES(eval) ((eval)->eval_action = EVAL_ACTION_BREAK)
#else
#define NVL72_E_NOT_SUPPORTED ESLURM_REQUESTED_TOPO_CONFIG_UNAVAILABLE
#define NVL72_E_REQUIRED_BUSY SLURM_ERROR
#define NVL72_E_REQUIRED_MISPLACED SLURM_ERROR
#define NVL72_E_NO_FIT SLURM_ERROR
#define NVL72_E_SEGMENTS SLURM_ERROR
#define NVL72_E_RESOURCES SLURM_ERROR
#define NVL72_E_NO_NODES SLURM_ERROR
#define NVL72_END_RETRIES(eval) ((void)(eval))
#endif
#define NVL72_E_NEVER ESLURM_REQUESTED_TOPO_CONFIG_UNAVAILABLE

/*
 * --gpus with --segment: late 26.05 releases count a job's GRES per segment. Found by looking into
 * the source tree, as the change came inside the line.
 */
#if NVL72BLOCK_HAVE_GRES_SEGMENTS
#define NVL72_GRES_SPLIT(list, segments) gres_sched_segment_set(list, segments)
#define NVL72_GRES_NEXT_SEGMENT(list) gres_sched_reset(list)
#else
#define NVL72_GRES_SPLIT(list, segments) true
#define NVL72_GRES_NEXT_SEGMENT(list) ((void)(list))
#endif

#endif
