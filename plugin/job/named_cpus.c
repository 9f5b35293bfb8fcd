/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPUs that --cpus-per-gpu or DefCpuPerGPU names for the GPUs of a job's total. Where
 * DefCpuPerGPU names more than the one node of a job ever has, the job gets the CPUs that there
 * are: it is a default, and Slurm 26.05 starts such jobs, too.
 */
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/part_record.h"
#include "src/interfaces/gres.h"

static uint64_t _cpus_of_each(const gres_state_t* gres) {
    const gres_job_state_t* wanted = gres->gres_data;

    return wanted->cpus_per_gres ? wanted->cpus_per_gres : wanted->def_cpus_per_gres;
}

static int _names_cpus(void* x, void* key) {
    return _cpus_of_each(x) != 0;
}

extern bool nvl72_names_cpus_of_gres(const job_record_t* job) {
    return job->gres_list_req && list_find_first(job->gres_list_req, _names_cpus, NULL);
}

static int _add_named_cpus(void* x, void* sum) {
    const gres_state_t* gres = x;
    const gres_job_state_t* wanted = gres->gres_data;

    *(uint64_t*)sum += wanted->gres_per_job * _cpus_of_each(gres);
    return 0;
}

extern uint64_t nvl72_named_cpus(const job_record_t* job) {
    uint64_t named = 0;

    if (job->gres_list_req) (void)list_for_each(job->gres_list_req, _add_named_cpus, &named);
    return named;
}

static int _raise_to_cpus_of_task(void* x, void* most) {
    const gres_state_t* gres = x;
    const gres_job_state_t* wanted = gres->gres_data;

    *(uint64_t*)most = MAX(*(uint64_t*)most, wanted->gres_per_task * _cpus_of_each(gres));
    return 0;
}

extern uint64_t nvl72_named_cpus_of_task(const job_record_t* job) {
    uint64_t most = 1;

    if (job->gres_list_req) (void)list_for_each(job->gres_list_req, _raise_to_cpus_of_task, &most);
    return most;
}

extern uint32_t nvl72_most_cpus(const job_record_t* job, uint32_t node) {
    const node_record_t* record = node_record_table_ptr[node];
    const part_record_t* part = job->part_ptr;
    uint32_t most = nvl72_cpus_of_threads(job, node);

    if (!part) return most;
    if (part->max_cpus_per_socket != INFINITE) {
        uint32_t cores = part->max_cpus_per_socket / record->tpc;

        most = MIN(most, record->tot_sockets * cores * record->tpc);
    }
    if (most <= part->max_cpus_per_node) return most;
    return (job->details->whole_node & WHOLE_NODE_REQUIRED) ? 0 : part->max_cpus_per_node;
}

static int _exceeds_default(void* x, void* key) {
    const gres_state_t* gres = x;
    const gres_job_state_t* wanted = gres->gres_data;
    uint32_t cpus = *(const uint32_t*)key;

    return !wanted->cpus_per_gres && wanted->def_cpus_per_gres &&
           (wanted->gres_per_job > cpus / wanted->def_cpus_per_gres);
}

extern bool nvl72_default_cpus_exceed_node(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    uint32_t most = 0;
    bitstr_t* nodes;

    /* One without tasks of its own Slurm accepts, and then tries forever. */
    if (!nvl72_takes_one_node(eval) || !(job->bit_flags & JOB_NTASKS_SET) || !job->part_ptr ||
        !nvl72_names_cpus_of_gres(job))
        return false;
    nodes = nvl72_ever_usable(eval);
    for (int i = nvl72_next_node(nvl72_view(nodes), 0); i >= 0;
         i = nvl72_next_node(nvl72_view(nodes), i + 1))
        most = MAX(most, nvl72_most_cpus(job, (uint32_t)i));
    FREE_NULL_BITMAP(nodes);
    return list_find_first(job->gres_list_req, _exceeds_default, &most);
}
