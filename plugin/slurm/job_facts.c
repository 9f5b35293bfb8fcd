/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job's record says that several directories ask.
 */
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_features.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/part_record.h"
#include "src/interfaces/gres.h"

extern bool nvl72_is_for_a_start(const job_record_t* job) {
    return job->job_id && IS_JOB_PENDING(job) && !(job->bit_flags & BACKFILL_TEST) &&
           idle_node_bitmap && avail_node_bitmap;
}

static int _add_gpus(void* x, void* arg) {
    const gres_state_t* gres = x;
    const gres_job_state_t* wanted = gres->gres_data;
    uint64_t* gpus = arg;

    if (gres->plugin_id == gres_get_gpu_plugin_id()) *gpus += wanted->gres_per_job;
    return SLURM_SUCCESS;
}

extern uint64_t nvl72_total_gpus(const job_record_t* job) {
    uint64_t gpus = 0;

    if (job->gres_list_req) (void)list_for_each(job->gres_list_req, _add_gpus, &gpus);
    return gpus;
}

extern bool nvl72_has_whole_nodes(const job_record_t* job) {
    return (job->details->whole_node & WHOLE_NODE_REQUIRED) ||
           (job->part_ptr && !job->part_ptr->max_share);
}

extern uint32_t nvl72_cpus_of_threads(const job_record_t* job, uint32_t node) {
    const node_record_t* record = node_record_table_ptr[node];
    const multi_core_data_t* wish = job->details->mc_ptr;
    uint32_t threads = record->tpc;

    if (wish && wish->threads_per_core) threads = MIN(threads, wish->threads_per_core);
    return record->cpus_efctv / record->tpc * threads;
}

extern uint32_t nvl72_cpus_of_whole_node(const job_record_t* job, uint32_t node, uint32_t offered) {
    return (job->details->core_spec == NO_VAL16) ? nvl72_cpus_of_threads(job, node) : offered;
}

extern bool nvl72_may_share_cores(const job_record_t* job) {
    uint16_t most = job->part_ptr ? job->part_ptr->max_share : 0;

    return (most & SHARED_FORCE) || ((most > 1) && (job->details->share_res == 1));
}

extern uint32_t nvl72_cpus_a_task(const job_record_t* job) {
    uint16_t each = job->details->cpus_per_task;

    return (NVL72_OVERCOMMITS(job) || !each || (each == NO_VAL16)) ? 1 : each;
}

extern uint32_t nvl72_usable_cpus(const job_record_t* job, uint32_t cpus) {
    uint32_t each = nvl72_cpus_a_task(job);

    /* With --cpus-per-gpu Slurm notes CPUs per task as DefCpuPerGPU would have them, for typed
     * GPUs.
     */
    if (job->cpus_per_tres || (each > cpus)) return cpus;
    return cpus - (cpus % each);
}

extern bool nvl72_offers_every_core(const topology_eval_t* eval, uint32_t node) {
    const node_record_t* record = node_record_table_ptr[node];
    bitstr_t* offered = eval->avail_core ? eval->avail_core[node] : NULL;

    return offered && (bit_set_count(offered) * record->tpc >= record->cpus_efctv);
}

extern bool nvl72_offers_all_cores(const topology_eval_t* eval, uint32_t node) {
    return !nvl72_may_share_cores(eval->job_ptr) && nvl72_offers_every_core(eval, node);
}

static int _is_counted(void* feature, void* unused) {
    (void)unused;
    return ((const job_feature_t*)feature)->count > 0;
}

extern bool nvl72_counts_features(const job_record_t* job) {
    list_t* features = job->details->feature_list;

    return features && list_find_first(features, _is_counted, NULL);
}

extern bool nvl72_asks_in_parts(const job_record_t* job) {
    return (job->bit_flags & BACKFILL_TEST) && nvl72_counts_features(job);
}
