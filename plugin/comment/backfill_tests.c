/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which of backfill's tests is that of a start now. Backfill tests a job at several times, the
 * earliest first, on the nodes that jobs of higher priority leave it then, and counts the jobs that
 * it tests. It leaves out times at which too few nodes are left.
 */
#include "comment/comment.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/part_record.h"

/* slurmctld has it; the commands that load the plugin do not, and never come here. */
extern diag_stats_t slurmctld_diag_stats __attribute__((weak));

extern bool nvl72_is_first_backfill_test(void) {
    static uint32_t cycle, tested;
    bool first = (slurmctld_diag_stats.bf_cycle_counter != cycle) ||
                 (slurmctld_diag_stats.bf_last_depth_try != tested);

    cycle = slurmctld_diag_stats.bf_cycle_counter;
    tested = slurmctld_diag_stats.bf_last_depth_try;
    return first;
}

extern bool nvl72_is_tried_by_backfill(const job_record_t* job) {
    return slurmctld_diag_stats.bf_active && (job->bit_flags & BACKFILL_SCHED);
}

extern bool nvl72_waits_for_nodes_only(const job_record_t* job) {
    const job_details_t* details = job->details;

    return !job->resv_name && !job->license_list && !details->feature_list &&
           !details->req_node_bitmap && job->part_ptr && job->part_ptr->node_bitmap;
}

extern bitstr_t* nvl72_free_nodes(const job_record_t* job) {
    bitstr_t* nodes = bit_copy(job->part_ptr->node_bitmap);

    bit_and(nodes, avail_node_bitmap);
    bit_and(nodes, idle_node_bitmap);
    if (job->details->exc_node_bitmap) bit_and_not(nodes, job->details->exc_node_bitmap);
    (void)nvl72_take_out_blocked(nodes);
    return nodes;
}
