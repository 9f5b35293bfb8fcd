/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which nodes are out of service: for the sentences that tell why a job waits, and because they
 * belong to no slot. That is in the node records, which are scattered over memory; of the many jobs
 * that a scheduling cycle tries, one reads them.
 */
#include "slurm/clock.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/node_conf.h"
#include "src/common/part_record.h"

/* What was read last. Every placement holds Slurm's node lock for writing, which guards it. */
static struct {
    bitstr_t* absent;
    bitstr_t* drained;
    time_t when;
} seen;

static bool _is_out_of_service(const node_record_t* node) {
    return IS_NODE_DOWN(node) || IS_NODE_DRAIN(node) || IS_NODE_FAIL(node) ||
           IS_NODE_FUTURE(node) || IS_NODE_UNKNOWN(node) || IS_NODE_REBOOT_ISSUED(node) ||
           IS_NODE_POWER_DOWN(node) || IS_NODE_POWERING_DOWN(node) ||
           (IS_NODE_NO_RESPOND(node) && !IS_NODE_POWERING_UP(node) &&
            !IS_NODE_POWERED_DOWN(node)); /* off or booting, it is used all the same */
}

/* Those of the nodes that are out of service. */
static bitstr_t* _read_states(bitstr_t* absent) {
    bitstr_t* drained = bit_copy(absent);
    nvl72block_view nodes = nvl72_view(absent);

    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        if (!node_record_table_ptr[i] || !_is_out_of_service(node_record_table_ptr[i]))
            bit_clear(drained, i);
    return drained;
}

/*
 * While Slurm looks for a job's nodes it takes others out of avail_node_bitmap: those reserved for
 * somebody else, and those of a partition in which a job of higher priority waits. So a node that
 * is not there is asked for its own state, once a second.
 */
static bitstr_t* _drained(void) {
    bitstr_t* absent = bit_copy(avail_node_bitmap);
    time_t now = nvl72_seconds();

    bit_not(absent);
    if ((now != seen.when) || !seen.absent || !bit_equal(absent, seen.absent)) {
        FREE_NULL_BITMAP(seen.drained);
        FREE_NULL_BITMAP(seen.absent);
        seen.drained = _read_states(absent);
        seen.absent = absent;
        seen.when = now;
    } else {
        FREE_NULL_BITMAP(absent);
    }
    return seen.drained;
}

extern bitstr_t* nvl72_drained(const job_record_t* job) {
    bitstr_t* drained = bit_copy(_drained());

    if (job->part_ptr && job->part_ptr->node_bitmap) bit_and(drained, job->part_ptr->node_bitmap);
    return drained;
}

extern void nvl72_take_out_drained(bitstr_t* nodes) {
    bit_and_not(nodes, _drained());
}

extern void nvl72_drained_forget(void) {
    FREE_NULL_BITMAP(seen.drained);
    FREE_NULL_BITMAP(seen.absent);
}
