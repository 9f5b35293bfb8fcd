/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What would start instead of a refused job: asked of the engine on the very nodes that Slurm
 * offered the job, with the CPUs and GPUs that it would get of each. What is told was placed.
 */
#include "comment/comment.h"
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/job_record.h"
#include "src/common/part_record.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#define NVL72_SIZES 12 /* segment sizes that are tried, largest first */
#define NVL72_COUNTS 4 /* node counts that are tried, as they fit into blocks, largest first */

typedef struct {
    const nvl72block_topology* topology;
    const job_record_t* job;
    nvl72block_request request;
    nvl72block_state state;
    char* text;
    size_t room;
} nvl72_search_t;

static bool _starts(const nvl72_search_t* search, const nvl72block_request* request) {
    nvl72block_answer* answer = nvl72block_place(search->topology, request, &search->state, NULL);
    bool placed = answer && nvl72block_answer_placed(answer);

    nvl72block_answer_free(answer);
    return placed;
}

/* What does not fit into the line is left out as a whole: half an option would be another one. */
static void _add(nvl72_search_t* search, const char* option) {
    const char* first = xstrncmp(option, "without", 7) ? NVL72_STARTS_WITH " " : "; starts ";
    const char* before = search->text[0] ? " or " : first;
    size_t length = strlen(before) + strlen(option);

    if (length >= search->room) return;
    strcat(strcat(search->text, before), option);
    search->room -= length;
}

/* A total of the whole job, for so many of its nodes. */
static uint64_t _part(const nvl72_search_t* search, uint64_t total, uint32_t nodes) {
    return total * nodes / search->request.min_nodes;
}

/* Tasks, CPUs and GPUs shrink with the nodes: sbatch refuses more tasks than there are CPUs. */
static nvl72block_request _smaller(const nvl72_search_t* search, uint32_t nodes) {
    nvl72block_request request = search->request;

    request.cpus = ROUNDUP(request.cpus * nodes, (uint64_t)search->request.min_nodes);
    request.gpus = _part(search, request.gpus, nodes);
    request.min_nodes = request.max_nodes = nodes;
    return request;
}

/* The most nodes up to `most` that fit as far as blocks count; 0 for none. */
static uint32_t _most_in_blocks(const nvl72_search_t* search, uint32_t unit, uint32_t most) {
    nvl72block_request request = search->request;
    nvl72block_answer* answer;
    uint32_t nodes = 0;

    request.min_nodes = unit;
    request.max_nodes = most;
    request.cpus = request.gpus = 0;
    answer = nvl72block_place(search->topology, &request, &search->state, NULL);
    if (answer && nvl72block_answer_placed(answer))
        nodes = nvl72_count_nodes(nvl72block_answer_nodes(answer));
    nvl72block_answer_free(answer);
    return nodes;
}

/* The same with the CPUs and GPUs of so many nodes. More nodes can fit where fewer do not: each
 * count has its own number of blocks. */
static uint32_t _most_nodes(const nvl72_search_t* search, uint32_t unit) {
    uint32_t nodes = search->request.min_nodes;

    for (int tries = 0; (tries < NVL72_COUNTS) && (nodes > unit); tries++) {
        nvl72block_request request;

        nodes = _most_in_blocks(search, unit, (nodes - 1) / unit * unit);
        if (!nodes) break;
        request = _smaller(search, nodes);
        if (_starts(search, &request)) return nodes;
    }
    return 0;
}

/* The most nodes with the job's own segments. */
static void _suggest_fewer(nvl72_search_t* search) {
    const job_details_t* details = search->job->details;
    const nvl72block_request* whole = &search->request;
    char tasks[32] = "", gpus[32] = "", option[96];
    uint32_t fit;

    if (whole->required.bits || details->job_size_bitmap) return;
    fit = _most_nodes(search, MAX(whole->segment_size, 1));
    if (!fit || (search->job->part_ptr && (fit < search->job->part_ptr->min_nodes))) return;
    if (whole->gpus && !_part(search, whole->gpus, fit)) return;
    if ((search->job->bit_flags & JOB_NTASKS_SET) && !details->ntasks_per_node)
        snprintf(tasks, sizeof(tasks), " --ntasks=%u",
                 MAX(fit, (uint32_t)_part(search, details->num_tasks, fit)));
    if (whole->gpus)
        snprintf(gpus, sizeof(gpus), " --gpus=%" PRIu64, _part(search, whole->gpus, fit));
    snprintf(option, sizeof(option), "--nodes=%u%s%s", fit, tasks, gpus);
    _add(search, option);
}

/* The largest segments that divide the job and fit. */
static void _suggest_segment(nvl72_search_t* search) {
    nvl72block_request request = search->request;
    uint32_t now = request.segment_size ? request.segment_size : request.min_nodes;
    uint32_t tried = 0;
    char option[32];

    if (request.max_nodes != request.min_nodes) return;
    for (uint32_t size = MIN(now, request.min_nodes) - 1; size && (tried < NVL72_SIZES); size--) {
        if (request.min_nodes % size) continue;
        tried++;
        request.segment_size = size;
        if (!_starts(search, &request)) continue;
        snprintf(option, sizeof(option), "--segment=%u", size);
        _add(search, option);
        return;
    }
}

static void _suggest_without(nvl72_search_t* search) {
    nvl72block_request request = search->request;

    request.spread_segments = false;
    if (search->request.spread_segments && _starts(search, &request))
        _add(search, "without --spread-segments");
    request = search->request;
    request.consolidate_segments = false;
    if (search->request.consolidate_segments && _starts(search, &request))
        _add(search, "without --consolidate-segments");
}

static void _suggest_any_block(nvl72_search_t* search, bitstr_t* in_any_block) {
    nvl72block_request request = search->request;

    if (!request.exclusive || !(search->job->details->whole_node & WHOLE_TOPO) ||
        (search->job->part_ptr && (search->job->part_ptr->flags & PART_FLAG_EXCLUSIVE_TOPO)))
        return;
    request.exclusive = false;
    if (in_any_block) search->state.usable = nvl72_view(in_any_block);
    if (_starts(search, &request)) _add(search, "without --exclusive=topo");
}

extern void nvl72_case_take_offers(nvl72_case_t* c, bitstr_t* nodes) {
    nvl72block_view all = nvl72_view(nodes);

    if (c->job->gres_list_req) return;
    c->examined = true;
    c->cpus = xcalloc(node_record_count, sizeof(*c->cpus));
    c->state.cpus = c->cpus;
    c->request.cpus = nvl72_least_cpus(c);
    for (int i = nvl72_next_node(all, 0); i >= 0; i = nvl72_next_node(all, i + 1)) {
        c->cpus[i] = nvl72_usable_cpus(c->job, c->eval->avail_res_array[i]->avail_cpus);
        if (!c->cpus[i]) bit_clear(c->candidates, i);
    }
}

extern void nvl72_suggest(nvl72_case_t* c, bitstr_t* in_any_block, char* text, size_t room) {
    nvl72_search_t search = {.topology = c->topology, .job = c->job, .text = text, .room = room};

    text[0] = '\0';
    if (nvl72_case_examine(c) || c->request.sized_by_capacity || c->job->req_switch ||
        c->share_cpus || c->job->details->arbitrary_tpn)
        return;
    search.request = c->request;
    search.state = c->state;
    search.request.max_nodes = MIN(search.request.max_nodes, c->eval->max_nodes);
    search.request.min_nodes = c->least_nodes;
    _suggest_fewer(&search);
    _suggest_segment(&search);
    _suggest_without(&search);
    _suggest_any_block(&search, in_any_block);
}
