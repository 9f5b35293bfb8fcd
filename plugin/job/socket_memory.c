/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What whole sockets and nodes cost in memory. Under CR_Socket_Memory a job gets all CPUs of each
 * socket that one of its tasks lies on, and with --mem-per-cpu (or DefMemPerCPU) the memory of all
 * of them; one with whole nodes that of all their CPUs, also those that the partition limits.
 * Slurm compares that with the node's memory only after the nodes are chosen, and a job that is
 * placed on too small a node fails to start at each attempt. So no node is counted on for more CPUs
 * than it has memory for in this way.
 */
#include "job/job.h"
#include "slurm/facts.h"
#include "slurm/planted.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/interfaces/gres.h"
#include "src/slurmctld/slurmctld.h"

static int _names_memory_of_gres(void* x, void* key) {
    const gres_state_t* gres = x;
    const gres_job_state_t* wanted = gres->gres_data;

    return wanted->mem_per_gres || wanted->def_mem_per_gres;
}

/* Slurm takes the memory of GPUs, where it is named, instead of that of CPUs. A reservation takes
 * none, nor does a job for whose CPUs none is named. */
static bool _pays_for_cpus(const nvl72_case_t* c) {
    const job_record_t* job = c->job;
    uint64_t memory = job->details->pn_min_memory;

    return job->job_id && (c->eval->cr_type & NVL72_BY_MEMORY) && (memory & MEM_PER_CPU) &&
           (memory & ~MEM_PER_CPU) &&
           ((job->bit_flags & JOB_MEM_SET) || !job->gres_list_req ||
            !list_find_first(job->gres_list_req, _names_memory_of_gres, NULL));
}

/* CPUs that the node has memory for when no other job is there. */
static uint64_t _memory_for(const nvl72_case_t* c, const node_record_t* record) {
    uint64_t memory = record->real_memory - MIN(record->real_memory, record->mem_spec_limit);

    return memory / (c->job->details->pn_min_memory & ~MEM_PER_CPU);
}

/* One CPU per task, on a core of its own: then Slurm counts cores where it counts memory. */
static bool _is_offered_cores(const job_details_t* details) {
    return (details->cpus_per_task == 1) && details->mc_ptr &&
           (details->mc_ptr->ntasks_per_core == 1);
}

static bool _counts_tasks_per_socket(const job_details_t* details) {
    const multi_core_data_t* wish = details->mc_ptr;

    return wish && wish->ntasks_per_socket && (wish->ntasks_per_socket != INFINITE16);
}

/* The offers to jobs with GRES do not count tasks. */
static bool _has_other_limits(const job_record_t* job) {
    bool counts_tasks = job->details->ntasks_per_node || _counts_tasks_per_socket(job->details);

    return (counts_tasks && !job->gres_list_req) || !job->part_ptr ||
           (job->part_ptr->max_cpus_per_node != INFINITE);
}

/* A socket's cores from the first that is free: what the job is given of it. */
static uint32_t _cores_taken(bitstr_t* cores, uint32_t node, int socket) {
    const node_record_t* record = node_record_table_ptr[node];
    int end = (socket + 1) * record->cores;

    for (int core = socket * record->cores; core < end; core++)
        if (bit_test(cores, core)) return end - core;
    return 0;
}

/* Slurm lowers an offer until there is memory for it, by its least allocation: a socket's CPUs, or
 * a core's with --threads-per-core or --ntasks-per-core. Of jobs with GRES the helper that selects
 * cores overwrites it. */
static uint64_t _step_of_offer(const nvl72_case_t* c, uint32_t node) {
    const node_record_t* record = node_record_table_ptr[node];
    uint64_t socket = (uint64_t)record->cores * record->tpc;
    uint16_t least = c->eval->avail_res_array[node]->min_cpus;

    return (c->job->gres_list_req || !least) ? socket : MIN(socket, least);
}

/*
 * CPUs that the node has memory for, at most. How much of it other jobs have taken shows only in
 * Slurm's offer, and only where nothing else limits that.
 */
static uint64_t _most_in_memory(const nvl72_case_t* c, uint32_t node, uint32_t cpus_per_core) {
    const job_details_t* details = c->job->details;
    const node_record_t* record = node_record_table_ptr[node];
    const avail_res_t* offer = c->eval->avail_res_array[node];
    uint64_t most = _memory_for(c, record);
    uint64_t slack = _step_of_offer(c, node) + nvl72_cpus_a_task(c->job) - 2;
    uint32_t free_cpus = 0;

    for (int s = 0; offer->avail_cores_per_sock && (s < offer->sock_cnt); s++)
        free_cpus += offer->avail_cores_per_sock[s] * cpus_per_core;
    /* An offer is of whole tasks. */
    free_cpus -= free_cpus % nvl72_cpus_a_task(c->job);
    if (_has_other_limits(c->job) || (offer->avail_cpus >= free_cpus)) return most;
    if (_is_offered_cores(details))
        return MIN(most, ((uint64_t)offer->avail_cpus + 1) * record->tpc - 1);
    return MIN(most, offer->avail_cpus + slack);
}

/* CPUs of so many on one socket that the job's tasks can use. */
static uint32_t _usable_on_socket(const job_details_t* details, uint32_t cpus) {
    uint32_t each = MAX(details->cpus_per_task, 1);

    if (_counts_tasks_per_socket(details))
        return MIN(cpus, details->mc_ptr->ntasks_per_socket * each);
    return cpus - (cpus % each);
}

/* Tasks of one CPU go round the sockets, one core on each in turn, unless cores are filled in
 * blocks or the tasks of a socket are counted. */
static bool _goes_round_sockets(const nvl72_case_t* c) {
    const job_details_t* details = c->job->details;

    return (details->cpus_per_task <= 1) && !nvl72_fills_sockets(c) &&
           !_counts_tasks_per_socket(details);
}

/* Of an idle node no other job has a socket. */
static bool _counts_without_memory(const nvl72_case_t* c, uint32_t node) {
    return (c->any_memory && (!idle_node_bitmap || !bit_test(idle_node_bitmap, node))) ||
           nvl72_planted("memory");
}

extern void nvl72_memory_note(const nvl72_case_t* c, uint32_t node, nvl72_memory_t* memory) {
    const node_record_t* record = node_record_table_ptr[node];

    *memory = (nvl72_memory_t){0};
    if (_counts_without_memory(c, node) || !_pays_for_cpus(c)) return;
    if (nvl72_has_whole_nodes(c->job)) {
        memory->lacks = _memory_for(c, record) < nvl72_cpus_of_threads(c->job, node);
        return;
    }
    if (!(c->eval->cr_type & NVL72_BY_SOCKET) || !c->eval->avail_core || !c->eval->avail_core[node])
        return;
    memory->cpus = _most_in_memory(c, node, job_mgr_determine_cpus_per_core(c->job->details, node));
    memory->cores = c->eval->avail_core[node];
    /* Selecting takes none of a job without GRES. */
    if (c->job->gres_list_req) memory->cores = bit_copy(memory->cores);
}

/* The job gets whole sockets, but of those only where cores are selected: GPUs bound to the cores
 * of one socket can leave out the other. */
static uint32_t _cpus_of_sockets(const nvl72_case_t* c, uint32_t node,
                                 const nvl72_memory_t* memory) {
    const node_record_t* record = node_record_table_ptr[node];
    const multi_core_data_t* wish = c->job->details->mc_ptr;
    uint32_t per_core = job_mgr_determine_cpus_per_core(c->job->details, node);
    uint32_t counted = record->tpc, sockets = 0, cpus = 0;
    uint64_t left = memory->cpus;

    if (wish && wish->threads_per_core && (wish->threads_per_core < counted))
        counted = wish->threads_per_core;
    /* A task of more CPUs than a socket has gets its cores only. */
    if (c->job->details->cpus_per_task > record->cores * per_core) return left - (left % counted);
    for (int s = 0; s < record->tot_sockets; s++) {
        uint32_t cores = _cores_taken(memory->cores, node, s);

        if (!nvl72_cores_on_socket(c, node, s)) continue;
        if (cores * counted > left) return _goes_round_sockets(c) ? sockets * per_core : cpus;
        left -= cores * counted;
        sockets++;
        cpus += _usable_on_socket(c->job->details, cores * per_core);
    }
    return UINT32_MAX;
}

/* With --overcommit Slurm selects a node's cores for one CPU, whatever tasks and CPUs it counts,
 * unless tasks have several. */
static bool _lies_on_one_socket(const job_details_t* details) {
    return details->overcommit && (details->cpus_per_task <= 1);
}

extern uint32_t nvl72_cpus_in_memory(const nvl72_case_t* c, uint32_t node, nvl72_memory_t* memory) {
    uint32_t cpus = memory->cores ? _cpus_of_sockets(c, node, memory) : UINT32_MAX;
    const node_record_t* record = node_record_table_ptr[node];

    if (memory->lacks) return 0;
    if (cpus && _lies_on_one_socket(c->job->details)) cpus = UINT32_MAX;
    /* Of a socket that another job has the node needs no memory. */
    if (c->lacks_memory && (cpus < UINT32_MAX) && (memory->cpus >= record->cores * record->tpc))
        *c->lacks_memory = true;
    if (c->job->gres_list_req) FREE_NULL_BITMAP(memory->cores);
    return cpus;
}
