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

static uint64_t _cpus_of_tasks(const job_record_t* job) {
    return (uint64_t)job->details->num_tasks * nvl72_cpus_a_task(job);
}

extern bool nvl72_fills_whole_nodes(const job_record_t* job) {
    return _has_tasks_to_share(job) && nvl72_has_whole_nodes(job);
}

extern bool nvl72_may_exceed_limits(const nvl72_case_t* c) {
    return c->job->gres_list_req && !c->request.sized_by_totals && _limits_cpus(c->job->part_ptr);
}

extern bool nvl72_counts_more_than_offered(const topology_eval_t* eval, nvl72block_view nodes) {
    if (!(eval->cr_type & NVL72_BY_SOCKET) || nvl72_has_whole_nodes(eval->job_ptr)) return false;
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        if (eval->avail_res_array[i]->avail_cpus < eval->job_ptr->details->pn_min_cpus) return true;
    return false;
}

extern bool nvl72_has_cpus_of_segments(const nvl72_case_t* c) {
    return c->keeps_cpus && c->job->details->segment_size;
}

static uint32_t _with_cpus_of_tasks(const job_record_t* job) {
    return MAX(job->details->min_cpus, MIN(_cpus_of_tasks(job), UINT32_MAX));
}

extern uint32_t nvl72_least_offered_cpus(const nvl72_case_t* c) {
    const job_details_t* details = c->job->details;

    if (nvl72_has_cpus_of_segments(c)) {
        uint32_t segments = MAX(c->least_nodes / details->segment_size, 1);

        return details->min_cpus / segments * segments;
    }
    if (!_has_tasks_to_share(c->job) || c->share_cpus || NVL72_OVERCOMMITS(c->job) ||
        nvl72_fills_whole_nodes(c->job))
        return details->min_cpus;
    return _with_cpus_of_tasks(c->job);
}

extern uint32_t nvl72_least_cpus(const nvl72_case_t* c) {
    if (nvl72_fills_whole_nodes(c->job) && !c->share_cpus && !nvl72_has_cpus_of_segments(c))
        return _with_cpus_of_tasks(c->job);
    return nvl72_least_offered_cpus(c);
}

extern uint32_t nvl72_cpus_of_node(const nvl72_case_t* c, uint32_t node, uint32_t offered) {
    if (offered && nvl72_fills_whole_nodes(c->job) && !c->share_cpus)
        offered = nvl72_cpus_of_whole_node(c->job, node, offered);
    return nvl72_usable_cpus(c->job, offered);
}

/* Every node has a CPU for the job, so that few jobs need the sum. */
extern bool nvl72_case_holds_cpus(const nvl72_case_t* c) {
    uint32_t least = nvl72_least_cpus(c);
    nvl72block_view nodes = nvl72block_answer_nodes(c->answer);
    uint64_t cpus = 0;

    if (least <= c->request.min_nodes) return true;
    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        cpus += nvl72_cpus_of_node(c, i, c->eval->avail_res_array[i]->avail_cpus);
    return cpus >= least;
}

static int _compare_descending(const void* left, const void* right) {
    uint32_t l = *(const uint32_t*)left, r = *(const uint32_t*)right;

    return (l < r) - (l > r);
}

/* The CPUs of a candidate for the job once no other job has cores there. */
static uint32_t _cpus_when_idle(const topology_eval_t* eval, uint32_t node) {
    uint32_t cpus = nvl72_offers_all_cores(eval, node) ? eval->avail_res_array[node]->avail_cpus
                                                       : node_record_table_ptr[node]->cpus_efctv;

    return nvl72_fills_whole_nodes(eval->job_ptr)
               ? nvl72_cpus_of_whole_node(eval->job_ptr, node, cpus)
               : cpus;
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

    return _has_tasks_to_share(job) && (!NVL72_OVERCOMMITS(job) || nvl72_fills_whole_nodes(job)) &&
           !xstrstr(job->tres_per_task, "gres") && nvl72_is_for_a_start(job) &&
           (_most_cpus(eval) < _cpus_of_tasks(job));
}
