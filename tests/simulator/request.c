/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "simulator.h"

#include "src/common/xstring.h"

enum { SEEDS_APART = 1000003 };

static uint32_t draw_nodes(dice_t* dice) {
    const unsigned rack = block_sizes()[0];
    switch (dice_between(dice, 0, 9)) {
        case 0:
        case 1:
        case 2:
            return dice_between(dice, 1, rack / 2 + 1);
        case 3:
        case 4:
        case 5:
            return dice_between(dice, 1, rack);
        case 6:
        case 7:
            return dice_between(dice, 1, 3 * rack);
        case 8:
            return rack << dice_between(dice, 0, 2);
        default:
            return dice_between(dice, 1, node_record_count);
    }
}

/* Two or more segments, rarely of sizes that a rack does not hold. */
static void draw_segments(dice_t* dice, request_t* request) {
    const unsigned rack = block_sizes()[0];
    unsigned most = dice_one_in(dice, 5) ? 2 * rack : rack;
    request->segment = dice_between(dice, 1, most);
    unsigned count = dice_between(dice, 1, MAX(1, request->least / request->segment) + 2);
    request->least = request->most = request->segment * count;
}

static void require_nodes(dice_t* dice, request_t* request) {
    int node = (int)dice_between(dice, 0, node_record_count - 1);
    snprintf(request->required, sizeof(request->required), "%s", node_record_table_ptr[node]->name);
}

request_t request_numbered(uint64_t seed, unsigned number) {
    dice_t dice = {seed * SEEDS_APART + number};
    request_t request = {.shared = NO_VAL16};
    request.least = request.most = draw_nodes(&dice);
    if (dice_one_in(&dice, 3))
        draw_segments(&dice, &request);
    else if (dice_one_in(&dice, 4))
        request.most += dice_between(&dice, 1, block_sizes()[0]);
    if (dice_one_in(&dice, 2))
        request.shared = dice_one_in(&dice, 4) ? JOB_SHARED_TOPO : JOB_SHARED_NONE;
    if (dice_one_in(&dice, 3)) request.gpus_per_node = dice_between(&dice, 1, 4);
    if (dice_one_in(&dice, 3)) {
        request.tasks = request.least * dice_between(&dice, 1, 3);
        request.cpus_per_task = dice_between(&dice, 1, 3);
    }
    if (dice_one_in(&dice, 12)) require_nodes(&dice, &request);
    return request;
}

void request_print(const request_t* request, char* text, size_t size) {
    int used = snprintf(text, size, "-N%u", request->least);
#define ADD(condition, ...) \
    if ((condition) && used < (int)size) used += snprintf(text + used, size - used, __VA_ARGS__)
    ADD(request->most > request->least, "-%u", request->most);
    ADD(request->segment, " --segment=%u", request->segment);
    ADD(request->shared == JOB_SHARED_NONE, " --exclusive");
    ADD(request->shared == JOB_SHARED_TOPO, " --exclusive=topo");
    ADD(request->gpus_per_node, " --gpus-per-node=%u", request->gpus_per_node);
    ADD(request->tasks, " -n%u -c%u", request->tasks, request->cpus_per_task);
    ADD(request->required[0], " -w %s", request->required);
#undef ADD
}

job_desc_msg_t* request_to_job(const request_t* request) {
    job_desc_msg_t* job = xmalloc(sizeof(*job));
    slurm_init_job_desc_msg(job);
    job->user_id = job->group_id = 0;
    job->name = xstrdup("simulated");
    job->alloc_node = xstrdup("localhost");
    job->work_dir = xstrdup("/");
    job->time_limit = 60;
    job->min_nodes = request->least;
    job->max_nodes = request->most;
    job->min_cpus = request->tasks ? request->tasks * request->cpus_per_task : request->least;
    if (request->tasks) {
        job->num_tasks = request->tasks;
        job->cpus_per_task = request->cpus_per_task;
    }
    if (request->segment) job->segment_size = request->segment;
    if (request->shared != NO_VAL16) job->shared = request->shared;
    if (request->gpus_per_node)
        job->tres_per_node = xstrdup_printf("gres/gpu:%u", request->gpus_per_node);
    if (request->required[0]) job->req_nodes = xstrdup(request->required);
    return job;
}
