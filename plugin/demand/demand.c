/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the cluster's jobs ask for, so that placements keep room for more of them. The queue is
 * counted again every few seconds, by the first evaluation then: every caller that evaluates a job
 * holds Slurm's job lock, which guards the job list, and no thread of our own has to ask for it.
 * What was learned is kept in StateSaveLocation. Who evaluates also hands it over to be saved, and
 * waits for no file. A slurmctld that ends does not say so to its plugins (24.11 to 26.05), so that
 * the last minute can be lost, and more where the file system does not answer.
 */
#include "demand/demand.h"

#include "slurm/clock.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/part_record.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#define NVL72_DEMAND_FILE "nvl72block_demand"
#define NVL72_HISTORY_FILE "nvl72block_history" /* written by nvl72block learn */
#ifndef NVL72_COUNT_PAUSE                       /* the lab's build has shorter pauses */
#define NVL72_COUNT_PAUSE 10                    /* seconds between two counts, at least */
#define NVL72_SAVE_PAUSE 60 /* seconds between two times that it is handed over */
#endif
#define NVL72_COUNT_SHARE 500    /* of the time, one part in so many is spent on counts at most */
#define NVL72_LONGEST_DEMAND 256 /* bytes of its text */
#define NVL72_LONGEST_SENTENCE 1024

struct nvl72_demand {
    nvl72block_demand* demand;
    char* path;          /* of the file */
    uint64_t next_count; /* in microseconds of the monotonic clock */
    time_t next_save;
};

/* The count under way. */
typedef struct {
    nvl72block_demand* demand;
    const nvl72block_topology* topology;
    double cpus_a_node;
    uint32_t jobs; /* counted */
} nvl72_count_t;

/* ---- The file ----------------------------------------------------------------------------------
 */

static void _load(nvl72_demand_t* known) {
    nvl72block_error problem;

    if (nvl72block_demand_load(known->demand, known->path, nvl72_seconds(), &problem)) return;
    if (problem.code)
        warning(
            "%s: the demand learned before cannot be read and starts anew: %s; the file is "
            "replaced "
            "within minutes",
            plugin_type, problem.message);
    else
        info("no %s yet: the demand for slots is learned from now on", known->path);
}

static void _not_saved(const char* why) {
    error("%s: the demand that was learned is not saved: %s; %s", plugin_type, why,
          NVL72_SAVE_REMEDY);
}

static void _save(const nvl72_demand_t* known) {
    nvl72block_error problem;

    if (nvl72block_demand_is_learned(known->demand) &&
        !nvl72block_demand_save(known->demand, known->path, _not_saved, &problem))
        _not_saved(problem.message);
}

/* What the administrator had learned from the accounting. */
static void _adopt(nvl72_demand_t* known, const nvl72_source_t* source) {
    char* path = nvl72_state_file(source, NVL72_HISTORY_FILE);
    char told[NVL72_LONGEST_SENTENCE];
    nvl72block_error problem;

    if (nvl72block_demand_adopt(known->demand, path, nvl72_seconds(), told, sizeof(told), &problem))
        _save(known);
    if (problem.code)
        error(
            "%s: the history for the demand is not taken over: %s; write it again with nvl72block "
            "learn, or remove it",
            plugin_type, problem.message);
    else if (told[0])
        info("%s", told);
    xfree(path);
}

extern nvl72_demand_t* nvl72_demand_create(const nvl72_source_t* source,
                                           const nvl72_options_t* options) {
    nvl72_demand_t* known;
    nvl72block_error problem;
    const char* wanted = nvl72block_options_value(options, "Nvl72Demand");
    bool learns = !xstrcmp(wanted, "auto");

    if (!nvl72block_options_have(options, "Nvl72Policy=demand") || !xstrcmp(wanted, "off") ||
        !running_in_slurmctld())
        return NULL;
    known = xmalloc(sizeof(*known));
    known->demand = nvl72block_demand_create(learns ? NULL : wanted, &problem);
    if (!known->demand) {
        error("%s: Nvl72Demand=%s: %s; no demand is used", plugin_type, wanted, problem.message);
        xfree(known);
        return NULL;
    }
    known->path = nvl72_state_file(source, NVL72_DEMAND_FILE);
    known->next_save = nvl72_seconds() + NVL72_SAVE_PAUSE;
    if (learns) {
        _load(known);
        _adopt(known, source);
    }
    return known;
}

extern void nvl72_demand_destroy(nvl72_demand_t* known) {
    if (!known) return;
    nvl72block_demand_free(known->demand);
    xfree(known->path);
    xfree(known);
}

/* ---- The count ---------------------------------------------------------------------------------
 */

/* Whether it counts is the engine's rule: nvl72block::LearnedDemand. */
static int _count_job(void* x, void* arg) {
    const job_record_t* job = x;
    const job_details_t* details = job->details;
    const part_record_t* part = job->part_ptr;
    bool waits = IS_JOB_PENDING(job);
    nvl72_count_t* count = arg;
    nvl72block_queue_job asked;

    if (!details) return 0;
    asked = (nvl72block_queue_job){
        .waits = waits,
        .runs = IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job),
        .priority = job->priority,
        .begin = details->begin_time,
        .reach = nvl72_view(!waits ? job->node_bitmap
                            : part ? part->node_bitmap
                                   : NULL),
        .nodes = waits ? MAX(details->min_nodes, job->node_cnt_wag) : job->node_cnt,
        .segment_size = details->segment_size,
        .cpus = waits ? details->min_cpus : job->total_cpus,
        .whole_nodes = nvl72_has_whole_nodes(job),
        .array_tasks = job->array_recs ? job->array_recs->task_cnt : 1};
    if (nvl72block_demand_observe(count->demand, count->topology, count->cpus_a_node, &asked))
        count->jobs++;
    return 0;
}

static void _tell(const nvl72_count_t* count) {
    char text[NVL72_LONGEST_DEMAND];

    if (!(slurm_conf.debug_flags & DEBUG_FLAG_SELECT_TYPE)) return;
    nvl72block_demand_text(count->demand, text, sizeof(text));
    info("demand for slots of nodes is %s; %u jobs run or wait", text, count->jobs);
}

static void _count(nvl72_demand_t* known, const nvl72block_topology* topology) {
    uint32_t node = nvl72block_demand_measuring_node(topology);
    nvl72_count_t count = {.demand = known->demand, .topology = topology};

    if ((node < (uint32_t)node_record_count) && node_record_table_ptr[node])
        count.cpus_a_node = node_record_table_ptr[node]->cpus_efctv;
    if (!job_list || !nvl72block_demand_begin(known->demand, nvl72_seconds())) return;
    (void)list_for_each(job_list, _count_job, &count);
    nvl72block_demand_finish(known->demand, topology);
    _tell(&count);
}

extern void nvl72_demand_refresh(nvl72_demand_t* known, const nvl72block_topology* topology) {
    uint64_t started = known ? nvl72_microseconds() : 0;

    if (!known || !nvl72block_demand_is_learned(known->demand) || (started < known->next_count))
        return;
    _count(known, topology);
    known->next_count = started + MAX(NVL72_COUNT_PAUSE * 1000000ULL,
                                      (nvl72_microseconds() - started) * NVL72_COUNT_SHARE);
    if (nvl72_seconds() < known->next_save) return;
    _save(known);
    known->next_save = nvl72_seconds() + NVL72_SAVE_PAUSE;
}

extern const nvl72block_demand* nvl72_demand_in_force(const nvl72_demand_t* known) {
    return known ? known->demand : NULL;
}
