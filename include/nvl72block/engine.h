/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The engine as plain C: what the Slurm plugin sees of it. No exception leaves these functions;
 * a failure is a NULL or false result with a code and a message in `error`, which may be NULL when
 * the caller does not care. Every pointer argument that is documented as optional may be NULL.
 */
#ifndef NVL72BLOCK_ENGINE_H
#define NVL72BLOCK_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define NVL72BLOCK_NOEXCEPT noexcept
extern "C" {
#else
#define NVL72BLOCK_NOEXCEPT
#endif

/* ---- Errors -------------------------------------------------------------------------------- */

/* How a call ended. */
typedef enum {
    NVL72BLOCK_OK = 0,
    NVL72BLOCK_BAD_INPUT, /* the configuration or an argument is wrong; the message says where */
    NVL72BLOCK_NO_MEMORY,
    NVL72BLOCK_INTERNAL, /* a fault of the engine */
} nvl72block_code;

/* Filled by every function that takes one: the code is NVL72BLOCK_OK after a success. */
typedef struct {
    nvl72block_code code;
    char message[1024]; /* always terminated; cut off when longer */
} nvl72block_error;

/* Functions whose names end in _save return at once; a thread of the engine's own writes the file,
 * whose mode is 0600, and replaces `path` in one step. Of several texts that wait for one file only
 * the newest is written. A process that ends does not wait: what was not written then is lost.
 * What goes wrong is told to this function, mostly by that thread, which holds no lock. The call
 * itself is false only where nothing can be written at all. */
typedef void (*nvl72block_save_failed)(const char* sentence);

/* ---- Node sets ------------------------------------------------------------------------------ */

/* Bits owned by the caller: bit i lies in word i / 64 at position i % 64, least significant first.
 * words == NULL or bits == 0 is the empty set. */
typedef struct {
    const uint64_t* words;
    size_t bits;
} nvl72block_view;

/* No node of the table. */
#define NVL72BLOCK_NO_NODE UINT32_MAX

/* ---- Options -------------------------------------------------------------------------------- */

/* nvl72block::Options: the Nvl72... words of TopologyParam. Functions that take them read NULL as
 * the defaults. */
typedef struct nvl72block_options nvl72block_options;

/* Reads them from a TopologyParam text; NULL has none. `complain` is optional and receives a
 * sentence about each unknown key or value; the default is used there. */
nvl72block_options* nvl72block_options_read(const char* topology_param,
                                            void (*complain)(void* argument, const char* sentence),
                                            void* argument,
                                            nvl72block_error* error) NVL72BLOCK_NOEXCEPT;
void nvl72block_options_free(nvl72block_options* options) NVL72BLOCK_NOEXCEPT;
/* Whether the word is in force, "Nvl72Explain=on"; key and value as topology_nvl72block(5) spells
 * them. False where there is no such option. */
bool nvl72block_options_have(const nvl72block_options* options,
                             const char* word) NVL72BLOCK_NOEXCEPT;
/* nvl72block::value_of(): "" where there is no such option. */
const char* nvl72block_options_value(const nvl72block_options* options,
                                     const char* key) NVL72BLOCK_NOEXCEPT;
/* What is in force, as words of TopologyParam; cut off when longer than `size` - 1 bytes. */
void nvl72block_options_text(const nvl72block_options* options, char* text,
                             size_t size) NVL72BLOCK_NOEXCEPT;

/* ---- Topology ------------------------------------------------------------------------------- */

/* nvl72block::Cluster with a reference count: immutable, safe to share between threads. */
typedef struct nvl72block_topology nvl72block_topology;

/* nvl72block::no_block: in no block. */
#define NVL72BLOCK_NO_BLOCK UINT32_MAX

/* Receives the nodes that a Nodes= text means; valid during the resolver call only. */
typedef struct nvl72block_nodes nvl72block_nodes;

/* Fills `nodes` with the nodes of `text`, or says what is wrong with nvl72block_nodes_fail(); what
 * is odd but no mistake goes to nvl72block_nodes_warn() and is reported as a warning. */
typedef void (*nvl72block_resolver)(void* argument, const char* text, nvl72block_nodes* nodes);
void nvl72block_nodes_add(nvl72block_nodes* nodes, uint32_t node) NVL72BLOCK_NOEXCEPT;
void nvl72block_nodes_fail(nvl72block_nodes* nodes, const char* sentence) NVL72BLOCK_NOEXCEPT;
void nvl72block_nodes_warn(nvl72block_nodes* nodes, const char* sentence) NVL72BLOCK_NOEXCEPT;

/* nvl72block::Severity. */
typedef enum {
    NVL72BLOCK_NOTE,
    NVL72BLOCK_WARNING,
    NVL72BLOCK_ERROR,
} nvl72block_severity;

/* Receives each finding as one line "topology.conf:3: what is wrong; what to write instead". */
typedef void (*nvl72block_reporter)(void* argument, nvl72block_severity severity, const char* line);

/* How a configuration is read. `report` is optional; `options` NULL means the defaults. */
typedef struct {
    size_t node_count;
    nvl72block_resolver resolve;
    nvl72block_reporter report;
    void* argument; /* handed to both */
    const nvl72block_options* options;
    /* The file is the last good topology of a topology.yaml: NVL72BLOCK_CLIQUES_DERIVE is verify,
     * as in nvl72block_topology_build(). */
    bool saved_of_yaml;
} nvl72block_reader;

/* One base block, as a BlockName line. */
typedef struct {
    const char* name;  /* NULL is reported as a block without a name */
    const char* nodes; /* NULL or "": a block without nodes */
} nvl72block_block;

/* Reads a topology.conf. The error's message is its first finding of severity error. Where the
 * options take the blocks from the cliques there are none until nvl72block_topology_follow(). */
nvl72block_topology* nvl72block_topology_read(const char* path, const nvl72block_reader* reader,
                                              nvl72block_error* error) NVL72BLOCK_NOEXCEPT;

/* Builds the same from a topology.yaml that Slurm has parsed; `source` names it in messages.
 * NVL72BLOCK_CLIQUES_DERIVE is verify there. */
nvl72block_topology* nvl72block_topology_build(const char* source, const nvl72block_block* blocks,
                                               size_t block_count, const uint32_t* sizes,
                                               size_t size_count, const nvl72block_reader* reader,
                                               nvl72block_error* error) NVL72BLOCK_NOEXCEPT;

/* Both tolerate NULL; retain returns its argument. */
nvl72block_topology* nvl72block_topology_retain(nvl72block_topology* topology) NVL72BLOCK_NOEXCEPT;
/* Sets Nvl72Clique to what `topology` was read with, which a topology.yaml decides. Whether that is
 * a change; no others use the options yet. */
bool nvl72block_options_settle(nvl72block_options* options,
                               const nvl72block_topology* topology) NVL72BLOCK_NOEXCEPT;
void nvl72block_topology_release(nvl72block_topology* topology) NVL72BLOCK_NOEXCEPT;

/* Saves the topology as a topology.conf of its own in `path`: see nvl72block_save_failed. */
bool nvl72block_topology_save(const nvl72block_topology* topology, const char* path,
                              nvl72block_save_failed failed,
                              nvl72block_error* error) NVL72BLOCK_NOEXCEPT;

/* A new topology in which `node` lies in `block` (NVL72BLOCK_NO_BLOCK: in none). */
nvl72block_topology* nvl72block_topology_move(const nvl72block_topology* topology, uint32_t node,
                                              uint32_t block,
                                              nvl72block_error* error) NVL72BLOCK_NOEXCEPT;
/* A new topology with one more, empty base block: at its position where names give
 * positions, otherwise at the end. A name that no file may have is refused as there. */
nvl72block_topology* nvl72block_topology_add_block(const nvl72block_topology* topology,
                                                   const char* name,
                                                   nvl72block_error* error) NVL72BLOCK_NOEXCEPT;

/* Questions about a topology. NULL has no nodes, no blocks and no levels. */
/* Nodes of the node table, in blocks or not. */
size_t nvl72block_topology_node_count(const nvl72block_topology* topology) NVL72BLOCK_NOEXCEPT;
/* Base blocks, those kept free included. */
uint32_t nvl72block_topology_block_count(const nvl72block_topology* topology) NVL72BLOCK_NOEXCEPT;
/* Nodes that a base block is planned with. */
uint32_t nvl72block_topology_planning_size(const nvl72block_topology* topology) NVL72BLOCK_NOEXCEPT;
/* Enforced levels, that of the base blocks included. */
uint32_t nvl72block_topology_level_count(const nvl72block_topology* topology) NVL72BLOCK_NOEXCEPT;
/* log2 of the base blocks that a block of the level joins. */
uint32_t nvl72block_topology_level_exponent(const nvl72block_topology* topology,
                                            uint32_t level) NVL72BLOCK_NOEXCEPT;
/* Whether the block is only a position that is kept free; users do not see it. */
bool nvl72block_topology_is_hole(const nvl72block_topology* topology,
                                 uint32_t block) NVL72BLOCK_NOEXCEPT;
/* Whether Slurm lists the aggregated block among its topology. */
bool nvl72block_topology_is_listed(const nvl72block_topology* topology, uint32_t level,
                                   uint32_t aggregate) NVL72BLOCK_NOEXCEPT;
/* NULL when there is no such block. */
const char* nvl72block_topology_block_name(const nvl72block_topology* topology,
                                           uint32_t block) NVL72BLOCK_NOEXCEPT;
/* The Nodes= text as written; NULL when there was none or the block has changed since. */
const char* nvl72block_topology_block_text(const nvl72block_topology* topology,
                                           uint32_t block) NVL72BLOCK_NOEXCEPT;
/* Whether the block's membership was changed after it was read. */
bool nvl72block_topology_block_changed(const nvl72block_topology* topology,
                                       uint32_t block) NVL72BLOCK_NOEXCEPT;
/* The base block called `name`, exactly as written, or NVL72BLOCK_NO_BLOCK. */
uint32_t nvl72block_topology_find_block(const nvl72block_topology* topology,
                                        const char* name) NVL72BLOCK_NOEXCEPT;
/* NVL72BLOCK_NO_BLOCK for a node in no block or beyond the table. */
uint32_t nvl72block_topology_block_of(const nvl72block_topology* topology,
                                      uint32_t node) NVL72BLOCK_NOEXCEPT;
/* Whether a member of `set` lies in a block. */
bool nvl72block_topology_touches(const nvl72block_topology* topology,
                                 nvl72block_view set) NVL72BLOCK_NOEXCEPT;
/* Sets in `words` (`bits` bits) the nodes of the base blocks [first, last). */
void nvl72block_topology_members(const nvl72block_topology* topology, uint32_t first, uint32_t last,
                                 uint64_t* words, size_t bits) NVL72BLOCK_NOEXCEPT;
/* Completes `words` by every base block that it touches. */
void nvl72block_topology_complete(const nvl72block_topology* topology, uint64_t* words,
                                  size_t bits) NVL72BLOCK_NOEXCEPT;

/* ---- Cliques ------------------------------------------------------------------------------- */

/* The NVLink clique of each node; immutable. */
typedef struct nvl72block_cliques nvl72block_cliques;

/* The features of a node, separated by commas; NULL for none. Valid until the next call. */
typedef const char* (*nvl72block_features)(void* argument, uint32_t node);

/* Reads all nodes' cliques from their features. `prefix` is what the features have before
 * <uuid>.<id>; NULL for nothing. */
nvl72block_cliques* nvl72block_cliques_read(size_t node_count, const char* prefix,
                                            nvl72block_features features, void* argument,
                                            nvl72block_error* error) NVL72BLOCK_NOEXCEPT;
/* Tolerates NULL. Topologies made with the cliques stay valid. */
void nvl72block_cliques_free(nvl72block_cliques* cliques) NVL72BLOCK_NOEXCEPT;
/* Whether both say the same of every node. */
bool nvl72block_cliques_same(const nvl72block_cliques* left,
                             const nvl72block_cliques* right) NVL72BLOCK_NOEXCEPT;

/* Whether a node names a clique, rightly or wrongly. */
bool nvl72block_cliques_speak(const nvl72block_cliques* cliques) NVL72BLOCK_NOEXCEPT;

/* How a comparison is told: a summary line, then at most `most` findings and the number of those
 * left out. `argument` is handed to both functions. */
typedef struct {
    const char* (*node_name)(void* argument, uint32_t node); /* never NULL */
    void (*take)(void* argument, const char* line);
    void* argument;
    size_t most;
} nvl72block_teller;

/* Compares blocks and cliques; returns the number of findings. */
size_t nvl72block_cliques_compare(const nvl72block_topology* topology,
                                  const nvl72block_cliques* cliques,
                                  const nvl72block_teller* teller,
                                  nvl72block_error* error) NVL72BLOCK_NOEXCEPT;

/* Cluster::follows_cliques(); false for NULL. */
bool nvl72block_topology_follows_cliques(const nvl72block_topology* topology) NVL72BLOCK_NOEXCEPT;
/* A new topology that follows the cliques as its mode wants it: enforced ones bound its segments,
 * also when its membership changes; or its blocks are the cliques. NULL without an error where the
 * mode leaves the topology alone. */
nvl72block_topology* nvl72block_topology_follow(const nvl72block_topology* topology,
                                                const nvl72block_cliques* cliques,
                                                nvl72block_error* error) NVL72BLOCK_NOEXCEPT;

/* ---- Fragmentation -------------------------------------------------------------------------- */

/* The score that Nvl72Fragmentation names, in nodes, of a state in which the nodes `available` are
 * free; lower is better. 0 on failure. */
uint32_t nvl72block_fragmentation(const nvl72block_topology* topology,
                                  const nvl72block_options* options,
                                  nvl72block_view available) NVL72BLOCK_NOEXCEPT;

/* ---- Demand ---------------------------------------------------------------------------------- */

/* The sizes of slots that the cluster's jobs ask for: stated, or learned from counts of its queue
 * (nvl72block::LearnedDemand). Not for several threads at once. */
typedef struct nvl72block_demand nvl72block_demand;

/* Reads the stated form "16:0.8+4:0.2"; NULL learns. */
nvl72block_demand* nvl72block_demand_create(const char* stated,
                                            nvl72block_error* error) NVL72BLOCK_NOEXCEPT;
/* Tolerates NULL. */
void nvl72block_demand_free(nvl72block_demand* demand) NVL72BLOCK_NOEXCEPT;
/* The rest but nvl72block_demand_text() does nothing, or fails, where it is not. */
bool nvl72block_demand_is_learned(const nvl72block_demand* demand) NVL72BLOCK_NOEXCEPT;

/* nvl72block::QueueJob, field by field; neither `waits` nor `runs`: it is not counted. */
typedef struct {
    bool waits;
    bool runs;
    uint32_t priority;
    int64_t begin; /* seconds since 1970 */
    nvl72block_view reach;
    uint32_t nodes;
    uint32_t segment_size;
    uint64_t cpus;
    bool whole_nodes;
    uint32_t array_tasks;
} nvl72block_queue_job;

/* A count of the queue at `time` (seconds since 1970): begin, a call per job, finish. Begin is
 * false when there is nothing to count. */
bool nvl72block_demand_begin(nvl72block_demand* demand, int64_t time) NVL72BLOCK_NOEXCEPT;
/* Whether the job counts (nvl72block::LearnedDemand::observe). */
bool nvl72block_demand_observe(nvl72block_demand* demand, const nvl72block_topology* topology,
                               double cpus_a_node,
                               const nvl72block_queue_job* job) NVL72BLOCK_NOEXCEPT;
/* The node whose CPUs are `cpus_a_node`; NVL72BLOCK_NO_NODE for none. */
uint32_t nvl72block_demand_measuring_node(const nvl72block_topology* topology) NVL72BLOCK_NOEXCEPT;
void nvl72block_demand_finish(nvl72block_demand* demand,
                              const nvl72block_topology* topology) NVL72BLOCK_NOEXCEPT;

/* What a job that takes `taken` leaves of the slots that the `idle` nodes hold
 * (nvl72block::kept_slots); "" where no demand counts. Cut off when longer than `size` - 1 bytes.
 */
void nvl72block_demand_kept(const nvl72block_demand* demand, const nvl72block_topology* topology,
                            nvl72block_view idle, nvl72block_view taken, char* text,
                            size_t size) NVL72BLOCK_NOEXCEPT;

/* What is in force, in the stated form, or "off"; cut off when longer than `size` - 1 bytes. */
void nvl72block_demand_text(const nvl72block_demand* demand, char* text,
                            size_t size) NVL72BLOCK_NOEXCEPT;

/* Saves what was learned in `path`: see nvl72block_save_failed. */
bool nvl72block_demand_save(const nvl72block_demand* demand, const char* path,
                            nvl72block_save_failed failed,
                            nvl72block_error* error) NVL72BLOCK_NOEXCEPT;
/* Takes it over at `now` (seconds since 1970), from the file or as it waits to be written. False
 * without an error where there is no file; where it cannot be read or is damaged the demand stays
 * as it was. */
bool nvl72block_demand_load(nvl72block_demand* demand, const char* path, int64_t now,
                            nvl72block_error* error) NVL72BLOCK_NOEXCEPT;
/* Takes over, in place of what it knows, a file of that form that `nvl72block learn` wrote, if that
 * has more node-seconds as of `now` (nvl72block::LearnedDemand::adopt). `told` gets one sentence
 * about what was done and why, cut off when longer than `size` - 1 bytes; "" where there is no file
 * or an error. After an error the demand is as it was. */
bool nvl72block_demand_adopt(nvl72block_demand* demand, const char* path, int64_t now, char* told,
                             size_t size, nvl72block_error* error) NVL72BLOCK_NOEXCEPT;

/* ---- Records of shadow mode ------------------------------------------------------------------ */

/* A file of records (nvl72block::ShadowRecord) that takes at most twice `limit` bytes. Appending
 * returns at once, as saving does; `failed` is told of records that are not written. */
typedef struct nvl72block_log nvl72block_log;
nvl72block_log* nvl72block_log_create(const char* path, size_t limit, nvl72block_save_failed failed,
                                      nvl72block_error* error) NVL72BLOCK_NOEXCEPT;
/* Tolerates NULL. */
void nvl72block_log_free(nvl72block_log* log) NVL72BLOCK_NOEXCEPT;

/* One record, field by field. Functions for fields tolerate a NULL record, and do nothing where
 * memory is short: such a record is not appended. */
typedef struct nvl72block_record nvl72block_record;
nvl72block_record* nvl72block_record_create(const char* kind) NVL72BLOCK_NOEXCEPT;
void nvl72block_record_number(nvl72block_record* record, const char* key,
                              uint64_t value) NVL72BLOCK_NOEXCEPT;
/* Nothing for NULL or "". */
void nvl72block_record_text(nvl72block_record* record, const char* key,
                            const char* text) NVL72BLOCK_NOEXCEPT;
/* Adds to what the field has: "18:0-17;20:18-35" in two calls. */
void nvl72block_record_weight(nvl72block_record* record, const char* key, uint64_t weight,
                              nvl72block_view nodes) NVL72BLOCK_NOEXCEPT;
void nvl72block_record_nodes(nvl72block_record* record, const char* key,
                             nvl72block_view nodes) NVL72BLOCK_NOEXCEPT;
/* The memory that it takes, about. Tolerates NULL. */
size_t nvl72block_record_bytes(const nvl72block_record* record) NVL72BLOCK_NOEXCEPT;
/* Tolerates NULL. */
void nvl72block_record_free(nvl72block_record* record) NVL72BLOCK_NOEXCEPT;
/* Appends the record and frees it; false when it cannot be. */
bool nvl72block_log_append(nvl72block_log* log, nvl72block_record* record) NVL72BLOCK_NOEXCEPT;
/* Appends what the topology is, unless the last call was for the same, and adds its id to the
 * record. Files of the log begin with it from now on. */
void nvl72block_log_describe(nvl72block_log* log, nvl72block_record* record,
                             nvl72block_topology* topology, const char* options,
                             const char* slurm) NVL72BLOCK_NOEXCEPT;

/* ---- Placement ------------------------------------------------------------------------------ */

/* nvl72block::Request, field by field. */
typedef struct {
    uint32_t min_nodes;
    uint32_t max_nodes;
    uint32_t segment_size;
    bool spread_segments;
    bool consolidate_segments;
    bool exclusive;
    uint32_t max_base_blocks;
    nvl72block_view required;
    uint64_t cpus;
    uint64_t gpus;
    bool sized_by_totals;
    const nvl72block_options* options; /* Nvl72Policy */
    const nvl72block_demand* demand;   /* for Nvl72Policy=demand; optional */
    uint64_t budget; /* steps that the decision may take; 0: the engine's default */
} nvl72block_request;

/* nvl72block::State, field by field. The arrays are optional; each has node_count entries. */
typedef struct {
    nvl72block_view usable;
    const uint64_t* weight;
    const uint32_t* cpus;
    const uint32_t* gpus;
    nvl72block_view drained;
    nvl72block_view excluded;
    nvl72block_view idle; /* empty: the usable nodes, as in tests of a future start */
} nvl72block_state;

/* nvl72block::RefusalReason, in the same order. */
typedef enum {
    NVL72BLOCK_BAD_REQUEST,
    NVL72BLOCK_NOT_ENOUGH_NODES,
    NVL72BLOCK_REQUIRED_NOT_USABLE,
    NVL72BLOCK_REQUIRED_WITHOUT_ISLAND,
    NVL72BLOCK_REQUIRED_NOT_IN_BLOCK,
    NVL72BLOCK_REQUIRED_OUTSIDE_TOO_FEW,
    NVL72BLOCK_REQUIRED_DO_NOT_FIT,
    NVL72BLOCK_NO_BLOCK_FITS,
    NVL72BLOCK_SEGMENTS_DO_NOT_FIT,
    NVL72BLOCK_TOO_MANY_BASE_BLOCKS,
    NVL72BLOCK_NOT_ENOUGH_CAPACITY,
    NVL72BLOCK_NODE_LIMIT_TOO_LOW,
    NVL72BLOCK_TASKS_DO_NOT_FIT,
    NVL72BLOCK_NO_SUITABLE_NODE,
    NVL72BLOCK_REQUIRED_TOO_LARGE,
    NVL72BLOCK_REQUIRED_NOT_SUITABLE,
    NVL72BLOCK_NOT_ENOUGH_FREE,
    NVL72BLOCK_KEPT_FOR_OTHERS,
    NVL72BLOCK_LAYOUT_LACKS_CPUS,
    NVL72BLOCK_LAYOUT_LACKS_GRES,
    NVL72BLOCK_GRES_DO_NOT_DIVIDE,
    NVL72BLOCK_LAYOUTS_FAILED,
    NVL72BLOCK_WAITS_FOR_FEWER_BLOCKS,
    NVL72BLOCK_ENGINE_FAILED,
} nvl72block_reason;

/* A refusal that nvl72block_place() does not give; nvl72block::JobNumbers, field by field. */
typedef struct {
    nvl72block_reason reason;
    uint32_t allowed_nodes;
    uint32_t tasks;
    uint32_t tasks_per_node;
    uint32_t kept_nodes;
    bool shares_nodes;
    bool unused_blocks;
    uint32_t allowed_blocks;
    uint32_t blocks_now;
    uint32_t wait_seconds;
} nvl72block_refusal;

/* A placement or a refusal. */
typedef struct nvl72block_answer nvl72block_answer;

/* nvl72block::place(). NULL only on failure; a refusal is an answer. */
nvl72block_answer* nvl72block_place(const nvl72block_topology* topology,
                                    const nvl72block_request* request,
                                    const nvl72block_state* state,
                                    nvl72block_error* error) NVL72BLOCK_NOEXCEPT;
/* Whether the job, with these nodes to choose from and nothing known of their CPUs and GPUs, has to
 * wait for other cliques: it fits where they are as planned (Cluster::topology_as_planned()), and
 * not as they are. False on failure. */
bool nvl72block_waits_for_cliques(const nvl72block_topology* topology,
                                  const nvl72block_request* request,
                                  nvl72block_view nodes) NVL72BLOCK_NOEXCEPT;
/* nvl72block::refuse(). NULL where the refusal is not true, and on failure. */
nvl72block_answer* nvl72block_refuse(const nvl72block_topology* topology,
                                     const nvl72block_request* request,
                                     const nvl72block_state* state,
                                     const nvl72block_refusal* refusal) NVL72BLOCK_NOEXCEPT;
/* Tolerates NULL. What was read from the answer is invalid after it. */
void nvl72block_answer_free(nvl72block_answer* answer) NVL72BLOCK_NOEXCEPT;

/* Whether it is a placement. */
bool nvl72block_answer_placed(const nvl72block_answer* answer) NVL72BLOCK_NOEXCEPT;
/* The chosen nodes, owned by the answer; empty for a refusal. */
nvl72block_view nvl72block_answer_nodes(const nvl72block_answer* answer) NVL72BLOCK_NOEXCEPT;
/* A placement without segments is one; 0 for a refusal. */
size_t nvl72block_answer_segment_count(const nvl72block_answer* answer) NVL72BLOCK_NOEXCEPT;
/* The nodes of one segment, ascending; NULL with count 0 for no such segment. */
const uint32_t* nvl72block_answer_segment(const nvl72block_answer* answer, size_t segment,
                                          size_t* count) NVL72BLOCK_NOEXCEPT;
/* Base blocks used. */
size_t nvl72block_answer_block_count(const nvl72block_answer* answer) NVL72BLOCK_NOEXCEPT;
/* Whole base blocks that the placement breaks; with an exclusive job none counts. */
size_t nvl72block_answer_broken_count(const nvl72block_answer* answer) NVL72BLOCK_NOEXCEPT;
/* Placement::proven or Refusal::proven. */
bool nvl72block_answer_proven(const nvl72block_answer* answer) NVL72BLOCK_NOEXCEPT;
/* Which rule failed; of a refusal only. */
nvl72block_reason nvl72block_answer_reason(const nvl72block_answer* answer) NVL72BLOCK_NOEXCEPT;
/* Refusal::permanent; false for a placement. */
bool nvl72block_answer_permanent(const nvl72block_answer* answer) NVL72BLOCK_NOEXCEPT;
/* The refusal in one line, with its numbers; "" for a placement. Owned by the answer, never NULL.
 */
const char* nvl72block_answer_sentence(nvl72block_answer* answer) NVL72BLOCK_NOEXCEPT;

/* ---- Suggestions ----------------------------------------------------------------------------- */

/* nvl72block::JobFacts, field by field. */
typedef struct {
    uint32_t least_nodes;
    uint32_t tasks;
    bool may_share_blocks;             /* --exclusive=topo is the job's own option */
    nvl72block_view without_exclusive; /* what would be usable without it */
} nvl72block_job_facts;

/* nvl72block::suggested_changes(): hands each option with which the job would be placed, such as
 * "--nodes=32 --ntasks=64" or "without --exclusive=topo", to `take`. Nothing on failure. */
void nvl72block_suggest(const nvl72block_topology* topology, const nvl72block_request* request,
                        const nvl72block_state* state, const nvl72block_job_facts* job,
                        void (*take)(void* argument, const char* option),
                        void* argument) NVL72BLOCK_NOEXCEPT;

/* ---- Candidates that a job does without ------------------------------------------------------ */

/* nvl72block::Candidate: a node and what it offers a job. */
typedef struct {
    uint32_t node;   /* index in the node table */
    uint32_t group;  /* the candidates that share a limit */
    uint64_t weight; /* less is better */
    uint32_t gpus;
    uint32_t cpus;
    bool required;
} nvl72block_candidate;

/* Which of `count` candidates, in any order, are more than their groups serve: group g serves
 * `room[g]` nodes, none if g >= groups. Served first are the required, then the lightest, then
 * those with the most GPUs, the most CPUs, the lowest index; required ones are never surplus.
 * Writes the nodes of the others to `surplus`, which has space for `count`, and returns their
 * number: 0 on failure. */
size_t nvl72block_surplus(const nvl72block_candidate* candidates, size_t count,
                          const uint32_t* room, size_t groups, uint32_t* surplus,
                          nvl72block_error* error) NVL72BLOCK_NOEXCEPT;

/* The node that a placement loses least by: of `count` chosen ones that are not required the one
 * with the fewest GPUs, then the fewest CPUs, then the lowest index. NVL72BLOCK_NO_NODE if all are
 * required, and on failure. Weights and groups do not matter. */
uint32_t nvl72block_weakest(const nvl72block_candidate* chosen, size_t count,
                            nvl72block_error* error) NVL72BLOCK_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
