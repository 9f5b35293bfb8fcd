/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What an evaluation is for. Slurm does not tell a topology plugin (24.11 to 26.05): the same
 * request comes for a start now, for a test whether the job could ever run, for a preemption and
 * for a forecast. Backfill's tests have a flag, and reservations come without a job number. The
 * others are told by the offer: what is not free now is offered for no start now. A forecast on
 * free nodes is taken for a start; the record of its job is removed afterwards.
 */
#include "comment/comment.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/interfaces/preempt.h"

/* Whether cores in use may be offered for a start now. */
static bool _may_get_cores_in_use(const job_record_t* job) {
    return nvl72_may_share_cores(job) || (slurm_conf.preempt_mode & PREEMPT_MODE_GANG);
}

/* A job that has a node for itself keeps it from every start now. */
static bool _has_unshared(const topology_eval_t* eval) {
    nvl72block_view nodes = nvl72_view(eval->node_map);

    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        if (!bit_test(idle_node_bitmap, i) && node_record_table_ptr[i]->no_share_job_cnt)
            return true;
    return false;
}

extern nvl72_offer_t nvl72_judge_offer(const topology_eval_t* eval) {
    if (!bit_super_set(eval->node_map, avail_node_bitmap)) return NVL72_HYPOTHETICAL;
    if (bit_super_set(eval->node_map, idle_node_bitmap)) return NVL72_FREE_NOW;
    if (nvl72_has_whole_nodes(eval->job_ptr) || _may_get_cores_in_use(eval->job_ptr))
        return NVL72_HYPOTHETICAL;
    return _has_unshared(eval) ? NVL72_HYPOTHETICAL : NVL72_PARTLY_BUSY;
}

/* Whether one of a job's cores on a node, which begin at `first` in its bitmap, is offered. */
static bool _is_core_offered(bitstr_t* in_use, uint32_t first, uint32_t cores, bitstr_t* offered) {
    if (!offered || (bit_size(offered) < cores)) return true; /* all of them, as far as is known */
    for (uint32_t core = 0; core < cores; core++)
        if (bit_test(in_use, first + core) && bit_test(offered, core)) return true;
    return false;
}

/* A running job's cores are in one bitmap, node after node. Stops at one that is offered. */
static int _finds_core_offered(void* x, void* arg) {
    const job_record_t* job = x;
    const topology_eval_t* eval = arg;
    const job_resources_t* in_use = job->job_resrcs;
    nvl72block_view nodes;
    uint32_t first = 0;

    if (!IS_JOB_RUNNING(job) || !in_use || !in_use->node_bitmap || !in_use->core_bitmap ||
        !bit_overlap_any(in_use->node_bitmap, eval->node_map))
        return 0;
    nodes = nvl72_view(in_use->node_bitmap);
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1)) {
        uint32_t cores = node_record_table_ptr[i]->tot_cores;

        if (first + cores > bit_size(in_use->core_bitmap)) return 1;
        if (bit_test(eval->node_map, i) &&
            _is_core_offered(in_use->core_bitmap, first, cores, eval->avail_core[i]))
            return 1;
        first += cores;
    }
    return 0;
}

extern bool nvl72_is_of_now(const topology_eval_t* eval, nvl72_offer_t offer) {
    if (offer != NVL72_PARTLY_BUSY) return offer == NVL72_FREE_NOW;
    return job_list && !list_find_first(job_list, _finds_core_offered, (void*)eval);
}

static int _add_nodes(void* x, void* arg) {
    const job_record_t* victim = x;

    if (victim->node_bitmap) bit_or(arg, victim->node_bitmap);
    return SLURM_SUCCESS;
}

static bitstr_t* _nodes_of(const topology_eval_t* eval, list_t* victims) {
    bitstr_t* nodes = bit_alloc(bit_size(eval->node_map));

    if (victims) (void)list_for_each(victims, _add_nodes, nodes);
    return nodes;
}

/* The nodes of a job that may be preempted are no obstacle. */
static bool _has_unshared_of_others(const topology_eval_t* eval, list_t* victims) {
    bitstr_t* no_obstacles = _nodes_of(eval, victims);
    bool found;

    bit_or(no_obstacles, idle_node_bitmap);
    found = !bit_super_set(eval->node_map, no_obstacles);
    FREE_NULL_BITMAP(no_obstacles);
    return found;
}

typedef struct {
    const topology_eval_t* eval;
    list_t* victims;
} nvl72_beside_t;

static int _is_same(void* x, void* key) {
    return x == key;
}

static int _finds_core_of_other(void* x, void* arg) {
    const nvl72_beside_t* beside = arg;

    if (beside->victims && list_find_first(beside->victims, _is_same, x)) return 0;
    return _finds_core_offered(x, (void*)beside->eval);
}

extern bool nvl72_is_no_start(const topology_eval_t* eval) {
    nvl72_beside_t beside = {.eval = eval};
    nvl72_offer_t offer;
    bool found;

    if (!bit_super_set(eval->node_map, avail_node_bitmap)) return true;
    if (_may_get_cores_in_use(eval->job_ptr)) return false;
    offer = nvl72_judge_offer(eval);
    if (offer == NVL72_FREE_NOW) return false;
    beside.victims = slurm_find_preemptable_jobs(eval->job_ptr);
    found = (offer == NVL72_PARTLY_BUSY)
                ? job_list && list_find_first(job_list, _finds_core_of_other, &beside)
                : _has_unshared_of_others(eval, beside.victims);
    FREE_NULL_LIST(beside.victims);
    return found;
}

extern bitstr_t* nvl72_nodes_to_preempt(const topology_eval_t* eval) {
    bitstr_t* nodes = NULL;
    list_t* victims;

    if (!nvl72_is_for_a_start(eval->job_ptr)) return NULL;
    victims = slurm_find_preemptable_jobs(eval->job_ptr);
    if (victims && !nvl72_is_no_start(eval)) nodes = _nodes_of(eval, victims);
    FREE_NULL_LIST(victims);
    return nodes;
}
