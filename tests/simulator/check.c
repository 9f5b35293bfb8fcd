/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Written from docs/placement.md; what the plugin and the engine know is not used.
 */
#include <stdlib.h>

#include "simulator.h"

#include "src/common/job_resources.h"
#include "src/interfaces/gres.h"

/* Adds a sentence. */
#define SAY(...)                                         \
    do {                                                 \
        size_t used = strlen(text);                      \
        snprintf(text + used, size - used, __VA_ARGS__); \
    } while (0)

static unsigned divide_up(unsigned a, unsigned b) {
    return (a + b - 1) / b;
}

/* Where a number of nodes has to lie: in one block of the upper size (0: the whole), and in at most
 * so many of the lower one. */
typedef struct {
    unsigned upper, lower, most;
} bounds_t;

static bounds_t bounds_of(unsigned nodes) {
    const unsigned* sizes = block_sizes();
    bounds_t bounds = {.lower = sizes[0]};
    int i = 0;
    for (; sizes[i] && sizes[i] < nodes; i++) bounds.lower = sizes[i];
    bounds.upper = sizes[i];
    bounds.most = divide_up(nodes, bounds.lower);
    return bounds;
}

/* Counts a job's nodes by block of that size (0: the whole), calls look() with each count. */
typedef struct {
    unsigned touched, torn;
} groups_t;

static groups_t groups_of(const unsigned* nodes_of_rack, unsigned size, unsigned segment) {
    groups_t found = {0};
    unsigned width = size ? size / block_sizes()[0] : (unsigned)rack_count();
    for (unsigned first = 0; first < (unsigned)rack_count(); first += width) {
        unsigned count = 0;
        for (unsigned i = first; i < first + width && i < (unsigned)rack_count(); i++)
            count += nodes_of_rack[i];
        found.touched += count > 0;
        found.torn += count % segment > 0;
    }
    return found;
}

static void check_segments(unsigned nodes, unsigned segment, const unsigned* nodes_of_rack,
                           char* text, size_t size) {
    bounds_t bounds = bounds_of(segment);
    if (nodes % segment)
        SAY("%u nodes are no segments of %u. ", nodes, segment);
    else if (groups_of(nodes_of_rack, bounds.upper, segment).torn)
        SAY("a segment of %u lies in two blocks of %u. ", segment, bounds.upper);
    else if (groups_of(nodes_of_rack, bounds.lower, 1).touched > nodes / segment * bounds.most)
        SAY("segments of %u lie in too many blocks of %u. ", segment, bounds.lower);
}

static void check_plain(unsigned nodes, const unsigned* nodes_of_rack, char* text, size_t size) {
    bounds_t bounds = bounds_of(nodes);
    if (groups_of(nodes_of_rack, bounds.upper, 1).touched > 1)
        SAY("%u nodes lie in two blocks of %u. ", nodes, bounds.upper);
    else if (groups_of(nodes_of_rack, bounds.lower, 1).touched > bounds.most)
        SAY("%u nodes lie in too many blocks of %u. ", nodes, bounds.lower);
}

/* Enforced cliques ("Cliques" in docs/placement.md): in each island there are whole segments of up
 * to a base block. An island is what a clique has in one base block, or a block that has none. */
static void check_islands(job_record_t* job, unsigned segment, char* text, size_t size) {
    for (int node = 0; next_node_bitmap(job->node_bitmap, &node); node++) {
        unsigned same = 0, named = 0;
        for (int other = 0; other < node_record_count; other++) {
            if (rack_of(other) != rack_of(node)) continue;
            named += clique_of(other) > 0;
            same += bit_test(job->node_bitmap, other) && clique_of(other) == clique_of(node);
        }
        if (!clique_of(node) && named)
            SAY("%s has no clique, and others of its rack do. ", node_record_table_ptr[node]->name);
        else if (same % segment)
            SAY("%u nodes of a segment of %u are in one clique. ", same % segment, segment);
        if (text[0]) return;
    }
}

/* A job that leaves its number of nodes open may lie at a higher level (rule 10). */
static void check_blocks(const request_t* request, job_record_t* job, char* text, size_t size) {
    unsigned* nodes_of_rack = xcalloc(rack_count() + 1, sizeof(unsigned));
    unsigned nodes = 0, outside = 0;
    for (int i = 0; next_node_bitmap(job->node_bitmap, &i); i++, nodes++) {
        if (rack_of(i) == NO_RACK)
            outside++;
        else
            nodes_of_rack[rack_of(i)]++;
    }
    bool cut = request->segment && nodes > request->segment;
    if (outside && (outside < nodes || request->segment))
        SAY("%u of %u nodes are in no block. ", outside, nodes);
    else if (!outside && cut)
        check_segments(nodes, request->segment, nodes_of_rack, text, size);
    else if (!outside && (request->least == request->most || request->segment))
        check_plain(nodes, nodes_of_rack, text, size);
    unsigned whole = cut ? request->segment : nodes;
    if (!outside && !text[0] && whole > 1 && whole <= block_sizes()[0] &&
        getenv("NVL72_SIMULATE_ENFORCE"))
        check_islands(job, whole, text, size);
    xfree(nodes_of_rack);
}

void check_job(const request_t* request, job_record_t* job, char* text, size_t size) {
    text[0] = '\0';
    unsigned nodes = bit_set_count(job->node_bitmap);
    if (nodes < request->least || nodes > request->most) SAY("has %u nodes. ", nodes);
    if (request->tasks && job->total_cpus < request->tasks * request->cpus_per_task)
        SAY("has %u CPUs. ", job->total_cpus);
    node_record_t* required =
        request->required[0] ? find_node_record((char*)request->required) : NULL;
    if (required && !bit_test(job->node_bitmap, required->index))
        SAY("does not have %s. ", request->required);
    check_blocks(request, job, text, size);
}

/* ---- All jobs together ------------------------------------------------------------------------
 */

/* What is given to jobs so far, by node. */
typedef struct {
    unsigned* gpus;
    bitstr_t** cores;
    job_record_t** alone; /* by rack: the job with --exclusive=topo that is there */
    char* text;
    size_t size;
} given_t;

static int add_gpus(void* gres, void* argument) {
    gres_job_state_t* state = ((gres_state_t*)gres)->gres_data;
    given_t* given = argument;
    for (uint32_t i = 0; state->gres_cnt_node_alloc && i < state->node_cnt; i++)
        given->gpus[i] = state->gres_cnt_node_alloc[i]; /* by position in the job here */
    return 0;
}

static void add_job_gpus(job_record_t* job, unsigned* on_node, given_t* given) {
    char* text = given->text;
    size_t size = given->size;
    memset(given->gpus, 0, node_record_count * sizeof(unsigned));
    if (!job->gres_list_alloc) return;
    list_for_each(job->gres_list_alloc, add_gpus, given);
    for (int node = 0, position = 0; next_node_bitmap(job->node_bitmap, &node);
         node++, position++) {
        on_node[node] += given->gpus[position];
        if (on_node[node] > 4)
            SAY("%u GPUs of %s are given. ", on_node[node], node_record_table_ptr[node]->name);
    }
}

/* A job's core bitmap has all cores of its nodes, node after node. */
static void add_cores(job_record_t* job, given_t* given) {
    char* text = given->text;
    size_t size = given->size;
    int first = 0;
    for (int node = 0; next_node_bitmap(job->job_resrcs->node_bitmap, &node); node++) {
        int cores = node_record_table_ptr[node]->tot_cores;
        if (!given->cores[node]) given->cores[node] = bit_alloc(cores);
        for (int core = 0; core < cores; core++) {
            if (!bit_test(job->job_resrcs->core_bitmap, first + core)) continue;
            if (bit_test(given->cores[node], core))
                SAY("core %d of %s is given twice. ", core, node_record_table_ptr[node]->name);
            bit_set(given->cores[node], core);
        }
        first += cores;
    }
}

static void check_alone(job_record_t* job, given_t* given) {
    char* text = given->text;
    size_t size = given->size;
    for (int node = 0; next_node_bitmap(job->node_bitmap, &node); node++) {
        job_record_t* owner = rack_of(node) == NO_RACK ? NULL : given->alone[rack_of(node)];
        if (owner && owner != job) {
            SAY("job %u is in an exclusive block of job %u. ", job->job_id, owner->job_id);
            return;
        }
    }
}

static bool has_nodes(job_record_t* job) {
    return IS_JOB_RUNNING(job) && job->node_bitmap && job->job_resrcs;
}

static int note_alone(void* record, void* argument) {
    job_record_t* job = record;
    given_t* given = argument;
    if (has_nodes(job) && (job->details->whole_node & WHOLE_TOPO))
        for (int node = 0; next_node_bitmap(job->node_bitmap, &node); node++)
            if (rack_of(node) != NO_RACK) given->alone[rack_of(node)] = job;
    return 0;
}

typedef struct {
    given_t* given;
    unsigned* gpus_on_node;
} all_t;

static int add_job(void* record, void* argument) {
    all_t* all = argument;
    job_record_t* job = record;
    if (!has_nodes(job)) return 0;
    add_job_gpus(job, all->gpus_on_node, all->given);
    add_cores(job, all->given);
    check_alone(job, all->given);
    return 0;
}

void check_cluster(char* text, size_t size) {
    given_t given = {.gpus = xcalloc(node_record_count, sizeof(unsigned)),
                     .cores = xcalloc(node_record_count, sizeof(bitstr_t*)),
                     .alone = xcalloc(rack_count() + 1, sizeof(job_record_t*)),
                     .text = text,
                     .size = size};
    all_t all = {.given = &given, .gpus_on_node = xcalloc(node_record_count, sizeof(unsigned))};
    text[0] = '\0';
    list_for_each(job_list, note_alone, &given);
    list_for_each(job_list, add_job, &all);
    for (int node = 0; node < node_record_count; node++) FREE_NULL_BITMAP(given.cores[node]);
    xfree(given.cores);
    xfree(given.gpus);
    xfree(given.alone);
    xfree(all.gpus_on_node);
}
