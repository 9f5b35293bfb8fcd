/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is written of a decision: nvl72block/shadow_record.hpp has the fields. Names of jobs and
 * users are not among them.
 */
#include <time.h>

#include "demand/demand.h"
#include "job/job.h"
#include "shadow/shadow.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/part_record.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/interfaces/gres.h"
#include "src/slurmctld/slurmctld.h"

#define NVL72_LONGEST_DEMAND 256 /* bytes of its text */
#define NVL72_MOST_WEIGHTS 16    /* groups of nodes that weigh the same; more are not written */

static void _nodes(nvl72block_record* record, const char* key, bitstr_t* nodes) {
    if (nodes) nvl72block_record_nodes(record, key, nvl72_view(nodes));
}

static void _positive(nvl72block_record* record, const char* key, uint64_t number) {
    if (number && (number != NO_VAL) && (number != NO_VAL16))
        nvl72block_record_number(record, key, number);
}

/* All that is asked for by number or kind, as Slurm writes it. */
static void _gres(nvl72block_record* record, const job_record_t* job) {
    nvl72block_record_text(record, "tres.job", job->tres_per_job);
    nvl72block_record_text(record, "tres.node", job->tres_per_node);
    nvl72block_record_text(record, "tres.socket", job->tres_per_socket);
    nvl72block_record_text(record, "tres.task", job->tres_per_task);
}

static void _request(nvl72block_record* record, const job_record_t* job,
                     const nvl72_question_t* question) {
    const job_details_t* details = job->details;

    nvl72block_record_number(record, "min", question->min_nodes);
    nvl72block_record_number(record, "max", question->max_nodes);
    nvl72block_record_number(record, "req", question->req_nodes);
    _positive(record, "segment", details->segment_size);
    _positive(record, "exclusive", IS_JOB_WHOLE_TOPO(job) ? 2 : nvl72_has_whole_nodes(job));
    _positive(record, "spread", NVL72_SPREAD(job));
    _positive(record, "consolidate", NVL72_CONSOLIDATE(job));
    _positive(record, "switches", job->req_switch);
    _positive(record, "tasks", (job->bit_flags & JOB_NTASKS_SET) ? details->num_tasks : 0);
    _positive(record, "tasks.node", details->ntasks_per_node);
    _positive(record, "cpus.task", details->cpus_per_task);
    _positive(record, "min.cpus", details->min_cpus);
    _positive(record, "gpus", nvl72_total_gpus(job));
    _nodes(record, "required", details->req_node_bitmap);
    _gres(record, job);
}

/* Free for other jobs, whether this one may have them or not. */
static void _idle(nvl72block_record* record) {
    bitstr_t* idle = bit_copy(idle_node_bitmap);

    bit_and(idle, avail_node_bitmap);
    _nodes(record, "idle", idle);
    FREE_NULL_BITMAP(idle);
}

/* Of the candidates; nothing where all weigh the same. Each round takes a weight's nodes out. */
static void _weights(nvl72block_record* record, bitstr_t* candidates) {
    bitstr_t *rest, *group;

    if (!nvl72_weights_differ(nvl72_view(candidates))) return;
    rest = bit_copy(candidates);
    group = bit_alloc(node_record_count);
    for (int round = 0, first; (round < NVL72_MOST_WEIGHTS) && ((first = bit_ffs(rest)) >= 0);
         round++) {
        uint64_t weight = node_record_table_ptr[first]->sched_weight;

        bit_clear_all(group);
        for (int i = first; next_node_bitmap(rest, &i); i++)
            if (node_record_table_ptr[i]->sched_weight == weight) bit_set(group, i);
        bit_and_not(rest, group);
        nvl72block_record_weight(record, "weights", weight, nvl72_view(group));
    }
    FREE_NULL_BITMAP(group);
    FREE_NULL_BITMAP(rest);
}

static void _state(nvl72block_record* record, nvl72_shadow_t* shadow,
                   const nvl72_question_t* question) {
    const nvl72block_demand* demand = nvl72_demand_in_force(shadow->context->demand);
    nvl72block_topology* topology = nvl72_context_topology(shadow->context);
    char text[NVL72_LONGEST_DEMAND];

    nvl72block_log_describe(shadow->log, record, topology, shadow->options,
                            NVL72BLOCK_SLURM_VERSION);
    nvl72block_topology_release(topology);
    nvl72block_demand_text(demand, text, sizeof(text));
    nvl72block_record_text(record, "demand", text);
    _nodes(record, "candidates", question->candidates);
    _idle(record);
    _positive(record, "whole", question->all_idle);
    _weights(record, question->candidates);
}

extern nvl72block_record* nvl72_shadow_record(nvl72_shadow_t* shadow, const job_record_t* job,
                                              const nvl72_question_t* question,
                                              const nvl72_ours_t* ours,
                                              const nvl72_given_t* block) {
    nvl72block_record* record = nvl72block_record_create("decision");

    nvl72block_record_number(record, "t", question->asked);
    nvl72block_record_number(record, "job", question->job_id);
    _positive(record, "array", question->array_job_id);
    nvl72block_record_text(record, "by", question->by_backfill ? "backfill" : "main");
    _nodes(record, "block", block->nodes);
    _nodes(record, "nvl72block", ours->given.nodes);
    _positive(record, "waits", ours->waits);
    if (ours->given.rc)
        nvl72block_record_text(record, "why",
                               ours->why[0] ? ours->why : slurm_strerror(ours->given.rc));
    nvl72block_record_number(record, "ns.block", block->nanoseconds);
    nvl72block_record_number(record, "ns.nvl72block", ours->given.nanoseconds);
    _request(record, job, question);
    _state(record, shadow, question);
    return record;
}

static int _add_allocated(void* x, void* argument) {
    const gres_state_t* gres = x;
    const gres_job_state_t* given = gres->gres_data;
    uint64_t* gpus = argument;

    if ((gres->plugin_id != gres_get_gpu_plugin_id()) || !given->gres_cnt_node_alloc)
        return SLURM_SUCCESS;
    for (uint32_t i = 0; i < given->node_cnt; i++) *gpus += given->gres_cnt_node_alloc[i];
    return SLURM_SUCCESS;
}

extern void nvl72_shadow_record_start(nvl72block_record* record, const job_record_t* job) {
    uint64_t gpus = 0;

    if (job->gres_list_alloc) (void)list_for_each(job->gres_list_alloc, _add_allocated, &gpus);
    _positive(record, "cpus.block", job->total_cpus);
    _positive(record, "gpus.block", gpus);
}
