/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes that are of use to a job while no other job is there.
 */
#include "decision/decision.h"
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/node_conf.h"
#include "src/interfaces/gres.h"
#include "src/slurmctld/slurmctld.h"

/* What Slurm's filter leaves out: limits of the partition, and GRES. */
static bool _suits(const job_record_t* job, uint32_t node) {
    const node_record_t* record = node_record_table_ptr[node];
    const job_details_t* details = job->details;
    uint32_t least = MAX(details->pn_min_cpus, nvl72_cpus_a_task(job));

    return (nvl72_most_cpus(job, node) >= (details->overcommit ? 1 : least)) &&
           gres_job_test(job->gres_list_req, record->gres_list, true, 0, 0, job->job_id,
                         record->name);
}

/* Nodes of one configuration are alike, and mostly follow each other. */
static void _leave_suiting(const job_record_t* job, bitstr_t* nodes) {
    nvl72block_view all = nvl72_view(nodes);
    const config_record_t* last = NULL;
    bool suits = false;

    for (int i = nvl72_next_node(all, 0); i >= 0; i = nvl72_next_node(all, i + 1)) {
        const config_record_t* config = node_record_table_ptr[i]->config_ptr;

        if (config != last) suits = _suits(job, i);
        last = config;
        if (!suits) bit_clear(nodes, i);
    }
}

extern void nvl72_leave_suitable(job_record_t* job, bitstr_t* nodes) {
    bitstr_t* filtered = bit_copy(nodes);

    if (!job_req_node_filter(job, filtered, true)) bit_copybits(nodes, filtered);
    FREE_NULL_BITMAP(filtered);
    _leave_suiting(job, nodes);
}
