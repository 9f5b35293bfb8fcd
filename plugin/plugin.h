/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the plugin's files share: the context behind a topology, and who does what.
 */
#ifndef NVL72_PLUGIN_H
#define NVL72_PLUGIN_H

#include <pthread.h>

#include "nvl72block/engine.h"
#include "release.h"

/* ---- Options (options.c): the Nvl72… words of TopologyParam -------------------------------- */

typedef nvl72block_options nvl72_options_t;

/* Of slurm.conf. Unknown Nvl72… words and values leave the default, and are logged as errors unless
 * `quiet`. */
extern nvl72_options_t nvl72_read_options(bool quiet);

/* ---- Blocks as users see them (records.c) --------------------------------------------------- */

/* A base block or an aggregated block. */
typedef struct {
    char* name;
    char* nodes;    /* NULL: the line has no Nodes field */
    uint32_t first; /* base blocks [first, last) */
    uint32_t last;
    uint32_t size;
    uint16_t index;
    bool aggregated;
} nvl72_record_t;

typedef struct {
    nvl72block_topology* topology; /* with a reference of their own */
    uint32_t count;
    nvl72_record_t* record;
    bool nodes_named;
} nvl72_records_t;

/* Takes over the caller's reference. Reads nothing of Slurm's, so no lock of Slurm's is needed. */
extern nvl72_records_t* nvl72_records_create(nvl72block_topology* topology);
/* Writes down the nodes of each record. The caller holds Slurm's node lock, for reading or writing.
 */
extern void nvl72_records_name_nodes(nvl72_records_t* records);
/* NULL when there is no such block. */
extern const nvl72_record_t* nvl72_records_find(const nvl72_records_t* records, const char* name);
extern void nvl72_records_destroy(nvl72_records_t* records);

/* ---- The context (context.c): one configured topology ---------------------------------------- */

/* The nodes' cliques as they were read last. */
typedef struct {
    pthread_mutex_t lock;
    nvl72block_cliques* cliques;
    uint64_t seen_changes; /* nvl72_feature_changes() when the nodes were read; 0 at first */
    bool unreported;       /* a change was not logged yet */
    time_t reports_since;  /* begin of the period that `reports` counts */
    unsigned reports;
} nvl72_watch_t;
typedef struct nvl72_configured nvl72_configured_t;
typedef struct nvl72_demand nvl72_demand_t;

typedef struct {
    pthread_rwlock_t lock; /* guards `topology`; readers take a reference and let go */
    nvl72block_topology* topology;
    pthread_mutex_t records_lock; /* guards `records` and what they point to */
    nvl72_records_t* records;     /* made when first asked for, freed by a change */
    nvl72_options_t options;
    nvl72_watch_t* watch;           /* of the nodes' cliques; NULL where they do not count */
    nvl72_configured_t* configured; /* blocks by node lines (configured_blocks.c); NULL for none */
    nvl72_demand_t* demand;         /* what slots are wanted (demand.c); NULL where none counts */
    uint64_t heard_refusal;         /* the last refusal that it knows of (membership.c) */
} nvl72_context_t;

/* 24.11's only context; unused in later Slurm versions. */
extern nvl72_context_t* nvl72_only_context;

/* Takes over the caller's reference. */
extern nvl72_context_t* nvl72_context_create(nvl72block_topology* topology,
                                             const nvl72_options_t* options);
/* Tolerates NULL. */
extern void nvl72_context_destroy(nvl72_context_t* context);
/* The current topology with a reference for the caller; NULL for no context. */
extern nvl72block_topology* nvl72_context_topology(nvl72_context_t* context);
/* Puts a changed topology into force; takes over the caller's reference. */
extern void nvl72_context_replace(nvl72_context_t* context, nvl72block_topology* topology);
/* The records, locked until nvl72_context_release_records(); NULL for no context (then don't
 * release). */
extern nvl72_records_t* nvl72_context_lock_records(nvl72_context_t* context);
extern void nvl72_context_release_records(nvl72_context_t* context);

/* ---- Bitmaps (bitmap.c) ---------------------------------------------------------------------- */

/* A bitmap's bits in place, as the engine reads them; the empty set for NULL. */
extern nvl72block_view nvl72_view(bitstr_t* bitmap);
/* The words behind a bitmap, least significant bit first. */
extern uint64_t* nvl72_words(bitstr_t* bitmap);
/* The first node of a set from `from` on, -1 after the last. Inline: in a loop over thousands of
 * nodes a call into Slurm a node shows in the time of a decision. */
static inline int nvl72_next_node(nvl72block_view nodes, int from) {
    size_t word = from / 64;
    size_t node;
    uint64_t rest;

    if ((size_t)from >= nodes.bits) return -1;
    rest = nodes.words[word] >> (from % 64) << (from % 64);
    while (!rest) {
        if (++word * 64 >= nodes.bits) return -1;
        rest = nodes.words[word];
    }
    node = (word * 64) + __builtin_ctzll(rest);
    return (node < nodes.bits) ? (int)node : -1;
}
static inline uint32_t nvl72_count_nodes(nvl72block_view nodes) {
    uint32_t count = 0;

    for (size_t i = 0; i < (nodes.bits + 63) / 64; i++)
        count += __builtin_popcountll(nodes.words[i]);
    return count;
}
/* Whether this Slurm's bitmaps look as nvl72_words() assumes. */
extern bool nvl72_bitmaps_fit(void);

/* An empty bitmap that belongs to the calling thread (thread_bitmap.c): valid until its next call
 * here or its end. NULL when the process has no room for it. */
extern bitstr_t* nvl72_thread_bitmap(size_t bits);

/* ---- Configuration (build_config.c, yaml_config.c) ------------------------------------------- */

/* Where a topology is written down. */
typedef struct {
    const char* path; /* topology.conf */
    void* yaml;       /* topology.yaml's part, or NULL */
    const char* name;
    bool quiet; /* findings are not logged: another reading will do that */
} nvl72_source_t;

/* NULL when the configuration is wrong: `problem` is the first error, for the caller to log; all
 * other findings have been logged. */
extern nvl72block_topology* nvl72_load(const nvl72_source_t* source, const nvl72_options_t* options,
                                       nvl72block_error* problem);
/* A context for what nvl72_load() has made, with all that belongs to it; logs what has been
 * started. Takes over the caller's reference. */
extern nvl72_context_t* nvl72_context_open(const nvl72_source_t* source,
                                           const nvl72_options_t* options,
                                           nvl72block_topology* topology);
#if NVL72_HAS_YAML
extern nvl72block_topology* nvl72_yaml_build(const nvl72_source_t* source,
                                             const nvl72block_reader* reader,
                                             nvl72block_error* error);
/* Keeps `scontrol show topoconf` true when block `block` has other nodes now. */
extern void nvl72_yaml_update(const nvl72_source_t* source, uint32_t block, const char* nodes);
extern void nvl72_yaml_add_block(const nvl72_source_t* source, const char* name);
#else
#define nvl72_yaml_build(source, reader, error) NULL
#endif

/* Whether this slurmctld is a try of `scontrol reconfigure`: if it ends, the one before goes on
 * with its configuration, and the user learns of the failure. A slurmctld in the foreground (-D)
 * has replaced itself, and nothing is left of it. */
extern bool nvl72_may_end(void);

/* ---- Membership (membership.c, configured_blocks.c) -------------------------------------------
 */

#if NVL72_HAS_YAML
/* Remembers the block that the node's line in slurm.conf names, as long as Slurm has that text.
 * `topology` is the name of the context's topology. The caller holds Slurm's node write lock. */
extern void nvl72_configured_note(nvl72_context_t* context, const node_record_t* node,
                                  const char* topology);
/* The block that was noted, or NULL; valid until the next note. Locked as above. */
extern char* nvl72_configured_block(const nvl72_context_t* context, const node_record_t* node);
extern void nvl72_configured_free(nvl72_configured_t* configured);
/* Puts a node where another plugin has put it; `unit` NULL or not a block of ours: in no block. The
 * configuration that Slurm shows is not touched. Locked as above. */
extern void nvl72_membership_follow(nvl72_context_t* context, const node_record_t* node,
                                    const char* unit);
#else
#define nvl72_configured_free(configured) ((void)(configured))
#endif

/* ---- Changes of features (feature_changes.c) ---------------------------------------------------
 */

/* A number, at least 1, that moves whenever the features of some node have been set or nodes have
 * come. The caller holds Slurm's node lock, for reading or writing. */
extern uint64_t nvl72_feature_changes(void);
/* Slurm has read its configuration anew, or will: what was known of its lists counts no more. */
extern void nvl72_features_forget(void);

/* ---- Cliques (cliques.c, clique_report.c, follow_cliques.c): what the nodes' features say ------
 */

/* What the cliques make of a topology that was read without them; takes over the caller's
 * reference.
 */
extern nvl72block_topology* nvl72_cliques_follow(nvl72block_topology* topology,
                                                 const nvl72_options_t* options,
                                                 nvl72block_error* problem);
/* NULL when the cliques cannot be read, which is logged. */
extern nvl72_watch_t* nvl72_watch_create(const nvl72_options_t* options);
/* Tolerates NULL. */
extern void nvl72_watch_destroy(nvl72_watch_t* watch);
/* Reads the cliques again if the features of a node have changed; whether the cliques have, too.
 * Locks: as nvl72_cliques_refresh(), and the watch's own. */
extern bool nvl72_watch_renew(nvl72_watch_t* watch, const nvl72_options_t* options);
/* Logs a change that was not logged yet, unless there was too much to log lately. */
extern void nvl72_watch_report(nvl72_watch_t* watch, const nvl72block_topology* topology);
/* At first: no messages about cliques where no node names one, unless Nvl72Clique= was set. */
extern void nvl72_watch_report_first(nvl72_watch_t* watch, nvl72block_clique_mode mode,
                                     const nvl72block_topology* topology);
/* From now on the context's topology follows the nodes' cliques; logs what they say. */
extern void nvl72_cliques_watch(nvl72_context_t* context);
/* Puts into force what has changed since; costs next to nothing when nothing has. The caller holds
 * Slurm's node lock, for reading or writing. Tolerates NULL. */
extern void nvl72_cliques_refresh(nvl72_context_t* context);
/* Whether blocks come from the cliques, so that nobody else can move a node. */
extern bool nvl72_cliques_rule(const nvl72_context_t* context);

/* What an administrator can do where state is not saved. */
#define NVL72_SAVE_REMEDY                                                                       \
    "see that StateSaveLocation answers, has room and lets SlurmUser write; it is tried again " \
    "later"

/* ---- Demand (demand.c): what the cluster's jobs ask for -----------------------------------------
 */

/* As stated, or learned before and kept in StateSaveLocation. NULL where no demand counts: by the
 * options, and outside of slurmctld. */
extern nvl72_demand_t* nvl72_demand_create(const nvl72_source_t* source,
                                           const nvl72_options_t* options);
/* Keeps what was learned. Tolerates NULL. */
extern void nvl72_demand_destroy(nvl72_demand_t* known);
/* Counts the queue again if it is time to. The caller holds Slurm's job write lock and its node
 * lock. Tolerates NULL. */
extern void nvl72_demand_refresh(nvl72_demand_t* known, const nvl72block_topology* topology);
/* For requests to the engine; NULL for NULL. */
extern const nvl72block_demand* nvl72_demand_in_force(const nvl72_demand_t* known);

/* ---- Showing (show_topology.c) --------------------------------------------------------------- */

typedef struct nvl72_topoinfo nvl72_topoinfo_t;
extern nvl72_topoinfo_t* nvl72_topoinfo_create(nvl72_context_t* context);
/* 24.11's way: `word` is a block's name or a node list. */
extern int nvl72_print_named(const nvl72_topoinfo_t* info, char* word, char** out);
/* Later: the block must be `unit` and hold `nodes`; either may be NULL. */
extern int nvl72_print_matching(const nvl72_topoinfo_t* info, char* nodes, char* unit, char** out);

/* ---- Placing a job (evaluate.c, prepare.c, job_request.c, ask_engine.c, lay_out.c, adapt.c ...)
 */

/* Questions that one pass of a decision may ask the engine; evaluate.c says how many passes. */
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
    uint64_t* weight;     /* behind state.weight and so on; NULL when it does not matter */
    uint32_t* cpus;
    uint32_t* gpus;
    nvl72block_answer* answer; /* the engine's last one */
    uint32_t questions;        /* asked so far */
    uint32_t step;             /* by which the node count changes next; 0: it has not yet */
    bool adapted;              /* the question was changed after a layout that failed */
    bool share_cpus;           /* the job's tasks need no CPUs of their own */
    bool* spared;              /* set where what a node lacks counts; NULL: as Slurm counts it */
    bool failed;               /* by a fault of the engine */
    bool gave_up;              /* `answer` is a refusal of the plugin's own */
} nvl72_case_t;

/* What an evaluation came to, beyond its code. */
typedef struct {
    bool failed;   /* by a fault of ours */
    int waits;     /* accepted, but Slurm will not start the job, for the reason of this code */
    char why[512]; /* the refusal in one sentence; "" for none */
} nvl72_verdict_t;

/* Slurm's call: nvl72_answer(), and the job is told why it waits. */
extern int nvl72_evaluate(nvl72_context_t* context, topology_eval_t* eval);
/* Places the job in the topology, which may be NULL. */
extern int nvl72_answer(nvl72_context_t* context, nvl72block_topology* topology,
                        topology_eval_t* eval, nvl72_verdict_t* verdict);

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
/* The GPUs that a job asks for in all, not per node. */
extern uint64_t nvl72_total_gpus(const job_record_t* job);
/* Whether the job gets whole nodes, by its own wish or by its partition. */
extern bool nvl72_has_whole_nodes(const job_record_t* job);
/* Whether the job may have cores that other jobs have, too. */
extern bool nvl72_may_share_cores(const job_record_t* job);
/* Whether no job has cores of a node, or none will have by the time that is asked about: all cores
 * but the specialized ones are offered. Where jobs may share cores, those in use are, too. */
extern bool nvl72_offers_all_cores(const topology_eval_t* eval, uint32_t node);
/* overcommit.c: the CPUs that a job must have in all. */
extern uint32_t nvl72_least_cpus(const nvl72_case_t* c);
/* Whether the answer's nodes offer the job as many CPUs as it needs in all. */
extern bool nvl72_case_holds_cpus(const nvl72_case_t* c);
/* Whether a job of the queue has more tasks than its nodes will ever have CPUs for, which Slurm
 * accepts with --overcommit and --cpus-per-task, but does not start. */
extern bool nvl72_waits_for_cpus_of_tasks(const topology_eval_t* eval);
/* Whether Slurm asks for the nodes of `-C 'feature*2'` only, and for the job's other nodes around
 * them later. */
extern bool nvl72_is_asked_for_a_feature(const topology_eval_t* eval);
/* Whether Slurm gives a job the cores of a node socket after socket, not of all in turn. A node
 * without a task keeps its cores then. */
extern bool nvl72_fills_sockets(const nvl72_case_t* c);
/* CPUs of each task, at least 1. */
extern uint32_t nvl72_cpus_a_task(const job_record_t* job);
/* CPUs of so many that a job with several CPUs per task can use on a node. */
extern uint32_t nvl72_usable_cpus(const job_record_t* job, uint32_t cpus);

/* drained_nodes.c: the nodes of a job's partition that are out of service, for sentences. The
 * caller frees them, and holds Slurm's node lock for writing. */
extern bitstr_t* nvl72_drained(const job_record_t* job);
/* Removes those that are out of service, of all partitions. Under the same lock. */
extern void nvl72_take_out_drained(bitstr_t* nodes);
/* At the plugin's end. */
extern void nvl72_drained_forget(void);

/* backfill_tests.c: whether this evaluation is the first of backfill's test of a job. */
extern bool nvl72_is_first_backfill_test(void);
/* Whether backfill leaves times out for want of nodes only. */
extern bool nvl72_waits_for_nodes_only(const job_record_t* job);
/* Nodes of such a job's partition that are free for it, whoever they are kept for. The caller frees
 * the bitmap. */
extern bitstr_t* nvl72_free_nodes(const job_record_t* job);

/* kept_nodes.c: removes nodes that a job with --exclusive=topo keeps from others; how many. */
extern uint32_t nvl72_take_out_blocked(bitstr_t* nodes);
/* Removes nodes with a job that has them for itself. */
extern void nvl72_take_out_unshared(bitstr_t* nodes);
/* Removes the nodes of base blocks in which a job is. */
extern void nvl72_take_out_blocks_in_use(const nvl72block_topology* topology, bitstr_t* nodes);

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

/* ask_engine.c: the best nodes as far as is known; the answer stays in the case. */
extern int nvl72_ask(nvl72_case_t* c);

/* node_offer.c: called before the offer, cores and GRES of a node are changed, where they belong to
 * somebody else and have to be copied; NULL where they may be changed as they are. */
extern void (*nvl72_own_offer)(topology_eval_t* eval, uint32_t node);

/* What selecting a node's cores changes of its offer. */
typedef struct {
    uint32_t node;
    uint16_t cpus;
    bitstr_t* cores; /* NULL for jobs without GRES */
    struct nvl72_kept_gres* gres;
    uint32_t gres_count;
} nvl72_kept_t;
extern void nvl72_keep(const nvl72_case_t* c, uint32_t node, nvl72_kept_t* kept);
extern void nvl72_put_back(const nvl72_case_t* c, const nvl72_kept_t* kept);
extern void nvl72_kept_free(nvl72_kept_t* kept);
/* Selects a node's cores for a job of so many nodes; eval->avail_cpus is what they hold. */
extern void nvl72_select_cores(const nvl72_case_t* c, uint32_t node, uint32_t nodes);
/* CPUs of the cores that are selected for the job. */
extern uint32_t nvl72_cpus_selected(const nvl72_case_t* c, uint32_t node);
/* CPUs that the job can use on the cores that are selected for it; any number where it overcommits
 * and has a core. */
extern uint32_t nvl72_cpus_on_cores(const nvl72_case_t* c, uint32_t node);

/* GPUs on the selected cores for a job that asks for a total of them. */
extern uint32_t nvl72_offered_gpus(const avail_res_t* offer);
/* Tasks that a node's GRES are enough for, by --gpus-per-task and its like; UINT32_MAX without. */
extern uint32_t nvl72_tasks_with_gres(const avail_res_t* offer);

/* socket_memory.c: what a node's memory allows a job that gets whole sockets. */
typedef struct {
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
/* Whether Slurm will allocate GPUs that other jobs have, if the job has so many CPUs there. */
extern bool nvl72_takes_gres_of_others(const nvl72_case_t* c, uint32_t node, uint32_t cpus);
/* Whether Slurm will allocate as many GPUs on the answer's nodes as the job asks for in all. */
extern bool nvl72_gives_total_gres(const nvl72_case_t* c);

typedef enum {
    NVL72_LAID_OUT,
    NVL72_BAD_NODES,     /* some are of no use to the job after all */
    NVL72_SHORT_OF_CPUS, /* together they have too few */
    NVL72_SHORT_OF_GRES,
    NVL72_GRES_INDIVISIBLE, /* per-job GRES that do not divide by the segments, for good */
} nvl72_layout_t;

/* What laying out has found, for the next question to the engine. */
typedef struct {
    bitstr_t* bad; /* nodes without use; only with NVL72_BAD_NODES */
} nvl72_findings_t;

/* The eval's node map becomes the answer. */
extern void nvl72_show_chosen(nvl72_case_t* c);
/* Gives the answer's nodes their cores, CPUs and GRES; undoes everything unless it succeeds. */
extern nvl72_layout_t nvl72_lay_out(nvl72_case_t* c, nvl72_findings_t* findings);

/* adapt.c: changes the question after a layout that failed; an error when there is nothing to
 * change. */
extern int nvl72_adapt(nvl72_case_t* c, nvl72_layout_t layout, const nvl72_findings_t* findings);

/* ---- What an evaluation is for (purpose.c) ----------------------------------------------------
 */

/* What the nodes offered to a job are. */
typedef enum {
    NVL72_FREE_NOW,
    NVL72_PARTLY_BUSY, /* shared nodes, some of which run jobs: the cores have to be compared */
    NVL72_HYPOTHETICAL,
} nvl72_offer_t;

/* Whether the evaluated record is a job of the queue that may be meant to start now. The caller of
 * Slurm's holds the job write lock and the node lock, here and below. */
extern bool nvl72_is_for_a_start(const job_record_t* job);
/* Of the candidates, before the evaluation. */
extern nvl72_offer_t nvl72_judge_offer(const topology_eval_t* eval);
/* Whether all that is offered is free now. Can cost a look at each running job, so it is asked
 * last. */
extern bool nvl72_is_of_now(const topology_eval_t* eval, nvl72_offer_t offer);

/* ---- Why a job waits (explain.c): the job's system_comment -------------------------------------
 */

/* Around each evaluation; the caller of Slurm's holds the job write lock where the job has a
 * number. */
extern void nvl72_explain_begin(nvl72_context_t* context, topology_eval_t* eval);
extern void nvl72_explain_end(const topology_eval_t* eval, const nvl72block_topology* topology,
                              int rc);
/* Whether a refusal would become a sentence. */
extern bool nvl72_explain_awaits(const topology_eval_t* eval);
/* Keeps the sentence of a pass that was refused. */
extern void nvl72_explain_refusal(nvl72_case_t* c);

/* suggest.c: takes idle nodes as Slurm offers them, before an evaluation has prepared anything. */
extern void nvl72_case_take_offers(nvl72_case_t* c, bitstr_t* nodes);
/* suggest.c: what would start instead of a job that was refused, on its candidates: "; starts with
 * --nodes=32 or --segment=8" in less than `room` bytes, or "". `in_any_block` are what the job
 * could get without --exclusive=topo; NULL: its candidates. */
#define NVL72_STARTS_WITH "; starts with"
extern void nvl72_suggest(nvl72_case_t* c, bitstr_t* in_any_block, char* text, size_t room);

/* ---- What the job keeps (job_info.c) and hierarchical resources (hierarchical.c) --------------
 */

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

/* ---- Shadow mode (the folder shadow) -----------------------------------------------------------
 */

/* From now on Slurm's own topology/block decides; false where it cannot, which is logged. */
extern bool nvl72_shadow_start(void);

/* ---- Entry points that Slurm looks up ----------------------------------------------------------
 */

extern const char plugin_name[];
extern const char plugin_type[];
extern const uint32_t plugin_version;
extern const uint32_t plugin_id;
extern const bool supports_exclusive_topo;

extern int init(void);
extern int fini(void);

/* The functions that Slurm looks up, as pointers (entry_points.c). */
#define NVL72_ENTRY_FIELD(type, name, exported, parameters, arguments) type(*name) parameters;
typedef struct {
    NVL72_ENTRIES(NVL72_ENTRY_FIELD)
} nvl72_entries_t;

/* Those of this plugin. */
#define NVL72_ENTRY_DECLARATION(type, name, exported, parameters, arguments) \
    extern type nvl72_own_##name parameters;
NVL72_ENTRIES(NVL72_ENTRY_DECLARATION)

/* What Slurm gets from now on: the plugin's own ones, unless somebody else has been put into force.
 */
extern void nvl72_put_in_force(const nvl72_entries_t* entries);

#endif
