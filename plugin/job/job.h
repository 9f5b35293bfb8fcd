/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One job that is being placed: the question to the engine, and its CPUs and GRES on the chosen
 * nodes.
 */
#ifndef NVL72_JOB_H
#define NVL72_JOB_H

#include "slurm/facts.h"

/* Questions that one pass of a decision may ask the engine; passes.c says how many passes. */
#define NVL72_QUESTIONS 12

/* One job that is being placed. */
typedef struct {
    topology_eval_t* eval;
    job_record_t* job;
    nvl72block_topology* topology;
    nvl72block_request request;
    nvl72block_state state;
    uint32_t least_nodes; /* the job's own minimum; request.min_nodes may be raised */
    bitstr_t* candidates; /* what state.usable views; shrinks as nodes prove unusable */
    bitstr_t* drained;    /* for the numbers of a refusal; NULL unless they are told */
    bitstr_t* idle;       /* among which slots are counted */
    bool weighed;         /* the candidates' weights are known: in `weight`, or equal */
    bool examined;        /* `cpus` and `gpus` are what the job can really get */
    bool least_gpus;      /* `gpus` are those that each node gives surely */
    uint64_t* weight;     /* behind state.weight and so on; NULL when it does not matter */
    uint32_t* cpus;
    uint32_t* gpus;
    const void* scarcest;      /* of totals of several types, the one that is planned with */
    nvl72block_answer* answer; /* the engine's last one */
    uint32_t questions;        /* asked so far */
    uint32_t step;             /* by which the node count changes next; 0: it has not yet */
    uint32_t too_few;          /* nodes, the most with which a layout failed; 0: none did */
    uint32_t enough;           /* nodes, the fewest known to do; 0: none are */
    bool adapted;              /* the question was changed after a layout that failed */
    bool share_cpus;           /* the job's tasks need no CPUs of their own */
    bool all_gpus;             /* also those without the CPUs that DefCpuPerGPU names */
    bool keeps_cpus;           /* nodes keep all their CPUs, more than the job's minimum */
    bool as_slurm;             /* laid out by Slurm's own algorithms */
    uint32_t within;           /* base blocks, or not at all; 0: as few as --switches wants */
    bool any_memory;           /* nodes in use count without memory for their sockets */
    bool* lacks_memory;        /* set where a node has memory for some of its sockets only */
    bool* spared;              /* set where what a node lacks counts; NULL: as Slurm counts it */
    bool failed;               /* by a fault of the engine */
    bool gave_up;              /* `answer` is a refusal of the plugin's own */
} nvl72_case_t;

/* prepare.c: before any question; an error when the job cannot be placed, and why. Takes nodes that
 * are of no use to it out of the eval's node map. */
extern int nvl72_prepare(const nvl72block_topology* topology, topology_eval_t* eval,
                         nvl72block_refusal* why);

/* Translates the job; the eval's node map is the candidates. Close it in any case. */
extern void nvl72_case_open(nvl72_case_t* c, nvl72block_topology* topology,
                            const nvl72_options_t* options, topology_eval_t* eval);
extern void nvl72_case_close(nvl72_case_t* c);
/* For the numbers of a refusal. */
extern void nvl72_case_count_drained(nvl72_case_t* c);
/* The case's answer becomes that refusal; returns rc. */
extern int nvl72_give_up(nvl72_case_t* c, const nvl72block_refusal* why, int rc);
extern int nvl72_give_up_for(nvl72_case_t* c, nvl72block_reason reason, int rc);
/* Whether the job names the node as one it must have. */
extern bool nvl72_is_required(const nvl72_case_t* c, uint32_t node);

/* What Slurm offers the job on a node; weight and group are 0. */
extern nvl72block_candidate nvl72_candidate(const nvl72_case_t* c, uint32_t node);
/* overcommit.c: the CPUs that a job must have in all: of those that its nodes offer, and of those
 * that its tasks find there. */
extern uint32_t nvl72_least_offered_cpus(const nvl72_case_t* c);
extern uint32_t nvl72_least_cpus(const nvl72_case_t* c);
/* The latter of a node that offers so many. */
extern uint32_t nvl72_cpus_of_node(const nvl72_case_t* c, uint32_t node, uint32_t offered);
/* Whether the tasks of a job with --overcommit have all CPUs of its nodes, those too that it is not
 * offered because of --ntasks-per-socket or a partition's limit. */
extern bool nvl72_fills_whole_nodes(const job_record_t* job);
/* Whether the job's segments have equal shares of its CPUs, what is left over going without, and
 * all CPUs of their nodes, as with topology/block. */
extern bool nvl72_has_cpus_of_segments(const nvl72_case_t* c);
/* Whether the GPUs of a job with a number of nodes may have more CPUs than its partition lets it
 * have. */
extern bool nvl72_may_exceed_limits(const nvl72_case_t* c);
/* Whether one of the nodes offers fewer CPUs than --mincpus, as a partition's limit makes it. Where
 * jobs get sockets, Slurm keeps CPUs back for a job's other nodes, and may then count those of
 * --mincpus for the node (eval_nodes_cpus_to_use()). */
extern bool nvl72_counts_more_than_offered(const topology_eval_t* eval, nvl72block_view nodes);
/* Whether the answer's nodes offer the job as many CPUs as it needs in all. */
extern bool nvl72_case_holds_cpus(const nvl72_case_t* c);
/* Whether a job of the queue has more tasks than its nodes will ever have CPUs for, which Slurm
 * accepts with --overcommit and --cpus-per-task, but does not start. */
extern bool nvl72_waits_for_cpus_of_tasks(const topology_eval_t* eval);
/* Whether Slurm gives a job the cores of a node socket after socket, not of all in turn. A node
 * without a task keeps its cores then. */
extern bool nvl72_fills_sockets(const nvl72_case_t* c);
/* node_weights.c: makes sure that the engine heeds node weights. */
extern void nvl72_case_weigh(nvl72_case_t* c);
/* Whether the answer's nodes weigh all the same and no candidate can be lighter, known without
 * reading the others. */
extern bool nvl72_case_is_lightest(const nvl72_case_t* c);
/* Whether Slurm has not given all of these nodes the same weight. */
extern bool nvl72_weights_differ(nvl72block_view nodes);

/* examine.c: makes sure that the engine weighs the CPUs and GPUs that the job can really get on
 * each candidate; those without any are dropped. An error when the job must have one of them. */
extern int nvl72_case_examine(nvl72_case_t* c);
/* Whether what one set of candidates of some number gives the job, any other of that number does.
 */
extern bool nvl72_candidates_are_alike(const nvl72_case_t* c);
/* The nodes are chosen by what Slurm offers of them, and laid out by Slurm's own algorithms. */
extern void nvl72_case_lay_out_as_slurm(nvl72_case_t* c);

/* ask_engine.c: the best nodes as far as is known; the answer stays in the case. */
extern int nvl72_ask(nvl72_case_t* c);
/* Before each evaluation: which of Slurm's questions about a job with --switches it is. */
extern void nvl72_note_offer(const topology_eval_t* eval);
/* Of a placed case whose job waits for as few base blocks as --switches names: why. */
extern nvl72block_refusal nvl72_waits_for_fewer_blocks(const nvl72_case_t* c);
/* Every node of the job's partition that it does not exclude; the caller frees the bitmap. */
extern bitstr_t* nvl72_ever_usable(const topology_eval_t* eval);
/* Leaves those of the nodes that have the features of --prefer or --constraint, whichever Slurm
 * asks with; false, and all, where it does not tell (`[a|b]`, `a*2`). */
extern bool nvl72_leave_nodes_with_features(job_record_t* job, bitstr_t* nodes);

/* node_offer.c: called before the offer, cores and GRES of a node are changed, where they belong to
 * somebody else and have to be copied; NULL where they may be changed as they are. */
extern void (*nvl72_own_offer)(topology_eval_t* eval, uint32_t node);

/* What selecting a node's cores changes of its offer. */
typedef struct {
    uint32_t node;
    uint16_t cpus;
    uint16_t least_cpus;
    /* NULL for jobs without GRES: */
    bitstr_t* cores;
    uint16_t* cores_per_sock;
    struct nvl72_kept_gres* gres;
    uint32_t gres_count;
} nvl72_kept_t;
extern void nvl72_keep(const nvl72_case_t* c, uint32_t node, nvl72_kept_t* kept);
extern void nvl72_put_back(const nvl72_case_t* c, const nvl72_kept_t* kept);
extern void nvl72_kept_free(nvl72_kept_t* kept);
/* The same of all candidates. */
typedef struct {
    nvl72_kept_t* kept;
    uint32_t count;
} nvl72_offers_t;
extern nvl72_offers_t nvl72_keep_offers(const nvl72_case_t* c);
extern void nvl72_put_back_offers(const nvl72_case_t* c, const nvl72_offers_t* offers);
extern void nvl72_offers_free(nvl72_offers_t* offers);
/* Selects a node's cores for a job of so many nodes; eval->avail_cpus is what they hold. */
extern void nvl72_select_cores(const nvl72_case_t* c, uint32_t node, uint32_t nodes);
/* Cores of a socket that are selected for the job. */
extern uint32_t nvl72_cores_selected_on(const nvl72_case_t* c, uint32_t node, int socket);
/* Threads of the cores that are selected for the job, of which its tasks may use only some. */
extern uint32_t nvl72_threads_selected(const nvl72_case_t* c, uint32_t node);
/* CPUs of these cores that its tasks may use. */
extern uint32_t nvl72_task_cpus_selected(const nvl72_case_t* c, uint32_t node);
/* As many CPUs of --mincpus as there are such threads: Slurm counts them all. */
extern uint32_t nvl72_least_on_threads(const nvl72_case_t* c, uint32_t node);
/* CPUs of the cores that are selected for the job. */
extern uint32_t nvl72_cpus_selected(const nvl72_case_t* c, uint32_t node);
/* CPUs that the job can use on the cores that are selected for it; any number where it overcommits
 * and has a core. */
extern uint32_t nvl72_cpus_on_cores(const nvl72_case_t* c, uint32_t node);

/* GPUs on the selected cores for a job that asks for a total of them. */
extern uint32_t nvl72_offered_gpus(const nvl72_case_t* c, uint32_t node);
/* Whether the answer's one node has all GPUs of the job's totals free. */
extern bool nvl72_gpus_are_free(const nvl72_case_t* c);
/* Tasks that a node's GRES are enough for, by --gpus-per-task and its like; UINT32_MAX without. */
extern uint32_t nvl72_tasks_with_gres(const avail_res_t* offer);

/* named_cpus.c: whether --cpus-per-gpu or DefCpuPerGPU says how many CPUs a GPU has. */
extern bool nvl72_names_cpus_of_gres(const job_record_t* job);
/* The CPUs that are named for all GPUs of the job's totals. */
extern uint64_t nvl72_named_cpus(const job_record_t* job);
/* The most that are named for the GPUs of a task of --gpus-per-task; 1 without. */
extern uint64_t nvl72_named_cpus_of_task(const job_record_t* job);
/* What the partition lets the job have of the node when no other job is there: whole cores of each
 * socket, and no node with more CPUs than it allows where the job wants whole nodes. */
extern uint32_t nvl72_most_cpus(const job_record_t* job, uint32_t node);
/* Whether the job may have one node only, and none of its partition ever has the CPUs that
 * DefCpuPerGPU names for its GPUs, in a Slurm version that starts such jobs. */
extern bool nvl72_default_cpus_exceed_node(const topology_eval_t* eval);

/* socket_memory.c: what a node's memory allows a job that gets whole sockets, or the whole node. */
typedef struct {
    bool lacks;      /* the memory of all CPUs of the whole node */
    uint64_t cpus;   /* that there is memory for */
    bitstr_t* cores; /* free before any are selected; NULL where memory is no limit */
} nvl72_memory_t;
/* Before cores are selected. */
extern void nvl72_memory_note(const nvl72_case_t* c, uint32_t node, nvl72_memory_t* memory);
/* CPUs that the node has memory for on the sockets of the selected cores; UINT32_MAX where memory
 * is no limit. Frees what was noted. */
extern uint32_t nvl72_cpus_in_memory(const nvl72_case_t* c, uint32_t node, nvl72_memory_t* memory);

/* gres_sockets.c: cores of the socket that are free, or selected for the job. */
extern uint32_t nvl72_cores_on_socket(const nvl72_case_t* c, uint32_t node, int socket);
/* Whether the node, whose cores are selected, has too few GPUs for the sockets that
 * the job will use. */
extern bool nvl72_lacks_gres_of_sockets(const nvl72_case_t* c, uint32_t node);
/* CPUs that lie on no more sockets than the node has GPUs for; UINT32_MAX without such a limit. */
extern uint32_t nvl72_cpus_with_gres_of_sockets(const nvl72_case_t* c, uint32_t node);
/* Takes the tasks from the node's offer that would not find their GPUs on the sockets of their
 * cores; whether there were some. Its cores are selected. */
extern bool nvl72_limit_bound_tasks(const nvl72_case_t* c, uint32_t node);
/* Whether Slurm will allocate GPUs that other jobs have, if the job has so many CPUs there. */
extern bool nvl72_takes_gres_of_others(const nvl72_case_t* c, uint32_t node, uint32_t cpus);
/* Of the job's totals of GPUs the one that takes the most nodes, by their offers, and its GPUs;
 * NULL where there is one total at most. */
extern const void* nvl72_scarcest_total(const nvl72_case_t* c, uint64_t* gpus);
/* GPUs of totals that a node gives surely, whichever nodes are chosen with it. */
extern uint32_t nvl72_least_gpus(const nvl72_case_t* c, uint32_t node);
/* Whether Slurm will allocate as many GPUs on the answer's nodes as the job asks for in all. */
extern bool nvl72_gives_total_gres(const nvl72_case_t* c);

typedef enum {
    NVL72_LAID_OUT,
    NVL72_BAD_NODES,     /* some are of no use to the job after all */
    NVL72_SHORT_OF_CPUS, /* together they have too few */
    NVL72_SHORT_OF_GRES,
    NVL72_FEWER_MAY_DO,     /* laid out, but steps have left smaller counts out */
    NVL72_GRES_INDIVISIBLE, /* per-job GRES that do not divide by the segments, for good */
} nvl72_layout_t;

/* What laying out has found, for the next question to the engine. */
typedef struct {
    bitstr_t* bad; /* nodes without use; only with NVL72_BAD_NODES */
    bool mixed;    /* GPUs that belong to cores and others make too few together */
} nvl72_findings_t;

/* The eval's node map becomes the answer. */
extern void nvl72_show_chosen(nvl72_case_t* c);
/* Gives the answer's nodes their cores, CPUs and GRES; undoes everything unless it succeeds. */
extern nvl72_layout_t nvl72_lay_out(nvl72_case_t* c, nvl72_findings_t* findings);

/* leave_to_slurm.c: Slurm's usual ways, which know no blocks, among the nodes of the node map. */
extern int nvl72_leave_to_slurm(topology_eval_t* eval);
/* Whether Slurm has a way of its own for the job, which is one of a single node (26.05). */
extern bool nvl72_takes_one_node(const topology_eval_t* eval);
/* The same, for a job of `least` nodes or more (0: in Slurm's way for one node), on all nodes of
 * the node map or not at all; the offers are changed in any case. */
extern bool nvl72_take_all_as_slurm(topology_eval_t* eval, uint32_t least);

/* adapt.c: whether Slurm's own algorithms lay out a job that may have fewer nodes: they may start
 * it on other nodes than those of one count. */
extern bool nvl72_searches_range(const nvl72_case_t* c);
/* Whether fewer nodes than the question names, which were not tried, may do for the job. */
extern bool nvl72_fewer_may_do(const nvl72_case_t* c);
/* Changes the question after a layout that failed, or for which fewer nodes may do; an error when
 * there is nothing to change. */
extern int nvl72_adapt(nvl72_case_t* c, nvl72_layout_t layout, const nvl72_findings_t* findings);

#if NVL72_HAS_JOB_INFO
extern void nvl72_job_info_start(job_record_t* job);
/* The reverse: the record has none afterwards. */
extern void nvl72_job_info_drop(job_record_t* job);
extern void nvl72_job_info_record(job_record_t* job, const nvl72block_answer* answer,
                                  uint32_t segment_size);
#else
#define nvl72_job_info_start(job) ((void)(job))
#define nvl72_job_info_record(job, answer, segment_size) ((void)(segment_size))
#endif
#if NVL72_HAS_HRES
extern void nvl72_hres_reset(job_record_t* job);
/* Gives a copy of a job's record amounts of its own, with memory from `copy`. */
extern void nvl72_hres_copy(job_record_t* job, void* (*copy)(const void* from, size_t size));
/* Keeps no more candidates than each leaf of the job's hierarchical resource can serve. */
extern void nvl72_hres_limit(nvl72_case_t* c);
#else
#define nvl72_hres_reset(job) ((void)(job))
#define nvl72_hres_limit(c) ((void)(c))
#endif

#endif
