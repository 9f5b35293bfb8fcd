/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm 24.11 has, and what each name means. release_VERSION.h of a later Slurm version
 * includes the one before it and replaces what has changed.
 */
/*
 * How entry points learn which topology is meant: 24.11 has only one; from 25.05 on the caller
 * hands over the context, or in calls of the hot path only its plugin part.
 */
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

/* `scontrol show topology`: the calls' names, and whether a block is named apart from nodes. */
#define NVL72_TOPOINFO(verb) topology_p_topology_##verb
#define NVL72_AND_UNIT
#define NVL72_PASS_UNIT
#define NVL72_PRINT nvl72_print_named(topoinfo, nodes, out)

/* The oldest protocol that carries a block's kind and size, or that Slurm still knows. */
#define NVL72_SIZED_PROTOCOL SLURM_24_11_PROTOCOL_VERSION

/* Node order without BlockAsNodeRank: true lets slurm.conf's order stand, false sorts by name. */
#define NVL72_RANKED_BY_DEFAULT true

/* A topology.yaml (and with it node Topology= strings) exists. */
#define NVL72_HAS_YAML 0

/*
 * Whether a node without a Topology= text is being returned to its former block by Slurm, as it
 * does with a node that is powered down (25.11 and later), and that block is not known to Slurm.
 */
#define NVL72_RETURNS_NOWHERE(node) false

/* --spread-segments, --consolidate-segments */
#define NVL72_CLIENTS_SHOW_SEGMENTS 0
#define NVL72_SPREAD(job) false
#define NVL72_CONSOLIDATE(job) false

/* The maximum node count of a job that names none is made from its number of tasks. */
#define NVL72_IMPLICIT_MAX(job) false

/* Where nodes are shared all of a job's tasks are distributed, however few --ntasks-per-node lets
 * its nodes have; later, as many as the nodes may have. */
#define NVL72_COUNTS_ALL_TASKS true

/* slurmctld divides by the tasks of a node for a job with GRES of each task and --ntasks-per-node,
 * and ends by a signal where it has none (_build_tasks_per_node_sock(), corrected in 25.05.8). */
#define NVL72_DIVIDES_BY_TASKS true

/* With --ntasks-per-node as many tasks are distributed as the nodes may have, whatever -n says. */
#define NVL72_FILLS_TASKS_PER_NODE false

/* Whether a job's tasks share CPUs: --overcommit counts only where no task asks for CPUs or GPUs of
 * its own; later, for none that asks for more than CPUs. */
#define NVL72_OVERCOMMITS(job) ((job)->details->overcommit && !(job)->tres_per_task)

/* What Slurm adds to the weight of a node that has to boot for a job that may start now. */
#define NVL72_BOOT_NOW UINT64_C(0x20000000000)

/* Slurm's own way for --spread-job reads address 0 where a job's GPUs are counted in all
 * (eval_nodes.c, _eval_nodes_spread(), which has no maximum of tasks to hand on). */
#define NVL72_CANNOT_SPREAD(job) ((job)->gres_list_req != NULL)

/* --distribution=arbitrary: up to 25.11 topology/block leaves such jobs to Slurm's usual ways. */
#define NVL72_HAS_ARBITRARY 1

/* Whether Slurm's algorithm for the least loaded nodes (CR_LLN, LLN=YES) counts a node that it
 * chooses with the CPUs of the one that it has looked at last (eval_nodes.c, _eval_nodes_lln()). */
#define NVL72_MISCOUNTS_LEAST_LOADED(eval) ((void)(eval), false)

/* Bits of SelectTypeParameters. */
#define NVL72_BY_SOCKET CR_SOCKET
#define NVL72_BY_CORE CR_CORE
#define NVL72_FILLS_SOCKETS CR_CORE_DEFAULT_DIST_BLOCK
#define NVL72_BY_MEMORY CR_MEMORY

/* What the job keeps of its placement, and hierarchical resources. */
#define NVL72_HAS_JOB_INFO 0
#define NVL72_HAS_HRES 0

/* Of the copy of a job's record that is evaluated in shadow mode; `copy(from, size)` copies. */
#define NVL72_COPY_JOB_INFO(job) ((void)(job))
#define NVL72_FREE_JOB_INFO(job) ((void)(job))
#define NVL72_COPY_HRES(job, copy) ((void)(job))

/* Why a job waits: error codes that users see as the reason. */
#define NVL72_E_NOT_SUPPORTED ESLURM_REQUESTED_TOPO_CONFIG_UNAVAILABLE
#define NVL72_E_REQUIRED_BUSY SLURM_ERROR
#define NVL72_E_REQUIRED_MISPLACED SLURM_ERROR
#define NVL72_E_NO_FIT SLURM_ERROR
#define NVL72_E_SEGMENTS SLURM_ERROR
#define NVL72_E_RESOURCES SLURM_ERROR
#define NVL72_E_NO_NODES SLURM_ERROR
#define NVL72_END_RETRIES(eval) ((void)(eval))

/*
 * The functions that Slurm looks up: ENTRY(result, name of our own, name that Slurm looks up,
 * parameters, arguments).
 */
#define NVL72_ENTRIES(ENTRY) NVL72_ENTRIES_24_11(ENTRY)
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

/* One-node jobs have a way of their own (26.05 and later). */
#define NVL72_HAS_ONE_NODE 0

/* Slurm's way for a job of one node, where it has one of its own. */
#define NVL72_TAKE_ONE_NODE(eval, node) SLURM_ERROR
