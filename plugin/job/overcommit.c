/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPUs that a job must have in all, which --overcommit makes fewer than its tasks ask for.
 *
 * With --cpus-per-task (also of one CPU) Slurm before 26.11 distributes the CPUs of all tasks
 * nevertheless. A job that can never have so many waits there, as with Slurm's own plugins: its
 * nodes are found with the CPUs that Slurm counts, and the distribution of tasks fails.
 */
#include <stdlib.h>

#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

/* Whether the user named tasks that may be more than the CPUs. */
static bool _has_tasks_to_share(const job_record_t* job) {
    const job_details_t* details = job->details;

    return details->overcommit && details->num_tasks && (details->num_tasks != NO_VAL) &&
           (job->bit_flags & JOB_NTASKS_SET);
}

static bool _limits_cpus(const part_record_t* part) {
    return part &&
           ((part->max_cpus_per_node != INFINITE) || (part->max_cpus_per_socket != INFINITE));
}

/*
 * Whether more CPUs than those counted will be the job's: what a partition lets a job have of a
 * node's CPUs (MaxCPUsPerNode, MaxCPUsPerSocket) is counted, and a whole node gives the job all of
 * them. More nodes have more CPUs, so it matters where their number is fixed, or as a last resort.
 */
static bool _counts_too_few_cpus(const nvl72_case_t* c) {
    const job_record_t* job = c->job;

    return nvl72_has_whole_nodes(job) &&
           (c->as_slurm || (job->details->max_nodes == job->details->min_nodes)) &&
           _limits_cpus(job->part_ptr);
}

extern bool nvl72_may_exceed_limits(const nvl72_case_t* c) {
    return c->job->gres_list_req && !c->request.sized_by_totals && _limits_cpus(c->job->part_ptr);
}

extern bool nvl72_has_cpus_of_segments(const nvl72_case_t* c) {
    return c->keeps_cpus && c->job->details->segment_size;
}

/* Whether each candidate has so many CPUs, however few of them the partition's limit counts: whole
 * nodes give the job all of theirs. */
static bool _each_whole_node_has(const nvl72_case_t* c, uint64_t cpus) {
    if (!nvl72_has_whole_nodes(c->job) || !_limits_cpus(c->job->part_ptr)) return false;
    for (int i = nvl72_next_node(c->state.usable, 0); i >= 0;
         i = nvl72_next_node(c->state.usable, i + 1))
        if (node_record_table_ptr[i]->cpus_efctv < cpus) return false;
    return true;
}

/* With --cpus-per-task, as far as Slurm gives each task those; on whole nodes it gives each one. */
extern uint32_t nvl72_least_cpus(const nvl72_case_t* c) {
    const job_record_t* job = c->job;
    const job_details_t* details = job->details;
    uint64_t of_tasks = (uint64_t)details->num_tasks * nvl72_cpus_a_task(job);
    /* More CPUs need more nodes; where their number is fixed the job has those there are. */
    bool has_those_there_are =
        !nvl72_has_whole_nodes(job) || (details->max_nodes == details->min_nodes);

    if (nvl72_has_cpus_of_segments(c)) {
        uint32_t segments = MAX(c->least_nodes / details->segment_size, 1);

        return details->min_cpus / segments * segments;
    }
    if (!_has_tasks_to_share(job) || c->share_cpus || _counts_too_few_cpus(c) ||
        (NVL72_OVERCOMMITS(job) && has_those_there_are) || _each_whole_node_has(c, of_tasks))
        return details->min_cpus;
    return MAX(details->min_cpus, MIN(of_tasks, UINT32_MAX));
}

/* Every node has a CPU for the job, so that few jobs need the sum. */
extern bool nvl72_case_holds_cpus(const nvl72_case_t* c) {
    uint32_t least = nvl72_least_cpus(c);
    nvl72block_view nodes = nvl72block_answer_nodes(c->answer);
    uint64_t cpus = 0;

    if (least <= c->request.min_nodes) return true;
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        cpus += nvl72_usable_cpus(c->job, c->eval->avail_res_array[i]->avail_cpus);
    return cpus >= least;
}

static int _compare_descending(const void* left, const void* right) {
    uint32_t l = *(const uint32_t*)left, r = *(const uint32_t*)right;

    return (l < r) - (l > r);
}

/* The CPUs of a candidate for the job once no other job has cores there. */
static uint32_t _cpus_when_idle(const topology_eval_t* eval, uint32_t node) {
    return nvl72_offers_all_cores(eval, node) ? eval->avail_res_array[node]->avail_cpus
                                              : node_record_table_ptr[node]->cpus_efctv;
}

/* The CPUs of as many candidates as the job may have, the largest ones. */
static uint64_t _most_cpus(const topology_eval_t* eval) {
    nvl72block_view nodes = nvl72_view(eval->node_map);
    uint32_t* cpus = xcalloc(bit_set_count(eval->node_map) + 1, sizeof(*cpus));
    uint32_t count = 0;
    uint64_t sum = 0;

    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        cpus[count++] = _cpus_when_idle(eval, i);
    qsort(cpus, count, sizeof(*cpus), _compare_descending);
    for (uint32_t i = 0; (i < count) && (i < eval->max_nodes); i++)
        sum += nvl72_usable_cpus(eval->job_ptr, cpus[i]);
    xfree(cpus);
    return sum;
}

/* Only for tests of a job that is, or becomes, one of the queue: a forecast tells a start. */
extern bool nvl72_waits_for_cpus_of_tasks(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;

    return _has_tasks_to_share(job) && !NVL72_OVERCOMMITS(job) &&
           !xstrstr(job->tres_per_task, "gres") && nvl72_is_for_a_start(job) &&
           (_most_cpus(eval) < (uint64_t)job->details->num_tasks * nvl72_cpus_a_task(job));
}
