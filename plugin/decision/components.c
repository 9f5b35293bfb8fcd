/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Components of a heterogeneous job. Backfill tests them one by one, and starts them together.
 * Where the first one fits best there may be no room for those after it, and then the job waits,
 * though elsewhere all of them would fit. So these are looked for beside it; and if they have room
 * only elsewhere, their nodes are left to them. What Slurm will offer them of a node is not known
 * yet: it counts with what it has while no job is there.
 */
#include "comment/comment.h"
#include "decision/decision.h"
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/interfaces/gres.h"
#include "src/slurmctld/slurmctld.h"

/* The component that was given nodes last, and in which partition. Every caller that evaluates a
 * job with a number holds Slurm's job write lock. */
static struct {
    uint32_t job;
    const part_record_t* partition;
} given;

#define NVL72_COMPONENTS 4 /* that are looked for; up to four questions to the engine each */

/* The one after it, whose number is the next; NULL: none. */
static job_record_t* _next(const job_record_t* component) {
    job_record_t* next = find_job_record(component->job_id + 1);

    return (next && (next->het_job_id == component->het_job_id) && IS_JOB_PENDING(next)) ? next
                                                                                         : NULL;
}

/* Idle nodes of a component's partition, with its features as far as Slurm tells; `shared`: besides
 * them, if it shares nodes with any other job, those in use of which Slurm offers the first
 * component a part. */
static bitstr_t* _offered(const topology_eval_t* eval, job_record_t* component, bool shared) {
    topology_eval_t other = {.job_ptr = component, .node_map = eval->node_map};
    bitstr_t* nodes = nvl72_ever_usable(&other);
    bitstr_t* offered = bit_copy(idle_node_bitmap);

    if (shared && !component->details->whole_node && !nvl72_has_whole_nodes(component))
        bit_or(offered, eval->node_map);
    (void)nvl72_leave_nodes_with_features(component, nodes);
    bit_and(nodes, offered);
    bit_and(nodes, avail_node_bitmap);
    FREE_NULL_BITMAP(offered);
    nvl72_leave_suitable(component, nodes);
    return nodes;
}

/* What a component can have of each node while no job is there. */
typedef struct {
    uint32_t* cpus;
    uint32_t* gpus; /* of all types; NULL where the component has no total of them */
} _amounts_t;

static _amounts_t _most_of(const job_record_t* component, nvl72block_view nodes) {
    _amounts_t most = {.cpus = xcalloc(node_record_count, sizeof(*most.cpus))};

    if (nvl72_total_gpus(component)) most.gpus = xcalloc(node_record_count, sizeof(*most.gpus));
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1)) {
        most.cpus[i] = nvl72_usable_cpus(component, nvl72_most_cpus(component, i));
        if (most.gpus)
            most.gpus[i] = gres_node_config_cnt(node_record_table_ptr[i]->gres_list, "gpu");
    }
    return most;
}

/* With --exclusive=topo no other job starts in the base blocks of its nodes. */
static void _complete(const nvl72block_topology* topology, const job_record_t* component,
                      bitstr_t* nodes) {
    if (IS_JOB_WHOLE_TOPO(component))
        nvl72block_topology_complete(topology, nvl72_words(nodes), bit_size(nodes));
}

/* Removes what others have, `taken` or out of service: nodes, or their base blocks. */
static void _leave_not_taken(const nvl72block_topology* topology, const job_record_t* component,
                             bitstr_t* taken, bitstr_t* nodes) {
    bitstr_t* others = bit_copy(taken);

    if (IS_JOB_WHOLE_TOPO(component)) {
        nvl72_take_out_blocks_in_use(topology, nodes);
        bit_or_not(others, avail_node_bitmap);
    }
    _complete(topology, component, others);
    bit_and_not(nodes, others);
    FREE_NULL_BITMAP(others);
}

static void _take(const nvl72block_topology* topology, const job_record_t* component,
                  const nvl72block_answer* answer, bitstr_t* taken) {
    bitstr_t* nodes = bit_alloc(bit_size(taken));

    nvl72_add_nodes(nodes, nvl72block_answer_nodes(answer));
    _complete(topology, component, nodes);
    bit_or(taken, nodes);
    FREE_NULL_BITMAP(nodes);
}

/* Whether a component has room on these nodes; those that it would keep from the others are added
 * to `taken`. */
static bool _takes(const nvl72_context_t* context, nvl72block_topology* topology,
                   const job_record_t* component, bitstr_t* nodes, bitstr_t* taken) {
    const job_details_t* details = component->details;
    uint32_t least = MAX(details->min_nodes, 1);
    uint32_t most = details->max_nodes ? details->max_nodes : (uint32_t)node_record_count;
    _amounts_t amounts = _most_of(component, nvl72_view(nodes));
    nvl72block_request request = {.min_nodes = least,
                                  .max_nodes = MAX(least, most),
                                  .cpus = details->min_cpus,
                                  .gpus = nvl72_total_gpus(component),
                                  .sized_by_totals = most > least,
                                  .segment_size = details->segment_size,
                                  .spread_segments = NVL72_SPREAD(component),
                                  .consolidate_segments = NVL72_CONSOLIDATE(component),
                                  .exclusive = IS_JOB_WHOLE_TOPO(component),
                                  .required = nvl72_view(details->req_node_bitmap),
                                  .options = context->options};
    nvl72block_state state = {
        .usable = nvl72_view(nodes), .cpus = amounts.cpus, .gpus = amounts.gpus};
    nvl72block_answer* answer = nvl72block_place(topology, &request, &state, NULL);
    bool placed = answer && nvl72block_answer_placed(answer);

    if (placed) _take(topology, component, answer, taken);
    nvl72block_answer_free(answer);
    xfree(amounts.cpus);
    xfree(amounts.gpus);
    return placed;
}

/* Whether the components after this one have room on the nodes that are not taken, nor kept for
 * other jobs; theirs are taken then. `shared`: as _offered() has it. */
static bool _have_room(const nvl72_context_t* context, nvl72block_topology* topology,
                       const topology_eval_t* eval, bool shared, bitstr_t* taken) {
    bitstr_t* kept = _offered(eval, eval->job_ptr, false);
    const job_record_t* component = eval->job_ptr;
    job_record_t* next;
    bool placed = true;

    bit_and_not(kept, eval->node_map);
    for (int i = 0; placed && (i < NVL72_COMPONENTS) && (next = _next(component)); i++) {
        bitstr_t* nodes = _offered(eval, next, shared);

        bit_and_not(nodes, kept);
        _leave_not_taken(topology, next, taken, nodes);
        if ((bit_ffs(nodes) < 0) || nvl72block_topology_touches(topology, nvl72_view(nodes)))
            placed = _takes(context, topology, next, nodes, taken);
        FREE_NULL_BITMAP(nodes);
        component = next;
    }
    FREE_NULL_BITMAP(kept);
    return placed;
}

/* The nodes to leave to them, where only elsewhere than on these there is room for them; NULL:
 * none. Nodes in use come second: of these no more is known than that the first component may have
 * a part, and of those outside of its partition nothing.
 */
static bitstr_t* _theirs(const nvl72_context_t* context, nvl72block_topology* topology,
                         const topology_eval_t* eval, bitstr_t* best) {
    bool in_use = !bit_super_set(eval->node_map, idle_node_bitmap);

    for (int shared = 0; shared <= in_use; shared++) {
        bitstr_t* taken = bit_copy(best);
        bool beside = _have_room(context, topology, eval, shared, taken);

        bit_clear_all(taken);
        if (!beside && _have_room(context, topology, eval, shared, taken)) {
            _complete(topology, eval->job_ptr, taken);
            return taken;
        }
        FREE_NULL_BITMAP(taken);
        if (beside) break;
    }
    return NULL;
}

extern bitstr_t* nvl72_nodes_of_components(const nvl72_context_t* context,
                                           nvl72block_topology* topology, topology_eval_t* eval) {
    bitstr_t* best;
    bitstr_t* theirs;

    if (!context || !eval->job_ptr->het_job_id || !_next(eval->job_ptr) ||
        (nvl72_judge_offer(eval) == NVL72_HYPOTHETICAL))
        return NULL;
    best = nvl72_fits_best(context, topology, eval);
    if (!best) return NULL;
    _complete(topology, eval->job_ptr, best);
    theirs = _theirs(context, topology, eval, best);
    FREE_NULL_BITMAP(best);
    return theirs;
}

/*
 * Backfill asks in each partition of a component and keeps nodes for it in each, though it starts
 * in the first that has room: the tests in the others find its start time. The nodes that it was
 * given there would be missing for the other components.
 */
extern bool nvl72_starts_in_another_partition(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;

    return job->het_job_id && (job->bit_flags & BACKFILL_TEST) && job->start_time &&
           (job->start_time <= time(NULL)) && (given.job == job->job_id) &&
           (given.partition != job->part_ptr);
}

extern void nvl72_note_partition(const job_record_t* component) {
    if (!component->het_job_id) return;
    given.job = component->job_id;
    given.partition = component->part_ptr;
}
