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
#define NVL72_CONTEXT_OF_TCTX ((nvl72_context_t*)tctx->plugin_ctx)
#define NVL72_CONTEXT_OF_CTX ((nvl72_context_t*)plugin_ctx)
#define NVL72_CONTEXT_OF_EVAL(eval) ((nvl72_context_t*)(eval)->tctx->plugin_ctx)
#define NVL72_SET_CONTEXT(context) (tctx->plugin_ctx = (context))
#define NVL72_SOURCE \
    ((nvl72_source_t){.path = tctx->topo_conf, .yaml = tctx->config, .name = tctx->name})
#else
#define NVL72_TCTX void
#define NVL72_AND_CTX
#define NVL72_CONTEXT_OF_TCTX nvl72_only_context
#define NVL72_CONTEXT_OF_CTX nvl72_only_context
#define NVL72_CONTEXT_OF_EVAL(eval) nvl72_only_context
#define NVL72_SET_CONTEXT(context) (nvl72_only_context = (context))
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
#define NVL72_PRINT nvl72_print_matching(topoinfo, nodes, unit, out)
#else
#define NVL72_AND_UNIT
#define NVL72_PRINT nvl72_print_named(topoinfo, nodes, out)
#endif

/* The oldest protocol that carries a block's kind and size. */
#define NVL72_SIZED_PROTOCOL SLURM_24_11_PROTOCOL_VERSION

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
#define NVL72_SPREAD(job) (((job)->bit_flags & SPREAD_SEGMENTS) != 0)
#define NVL72_CONSOLIDATE(job) (((job)->bit_flags & CONSOLIDATE_SEGMENTS) != 0)
#else
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
