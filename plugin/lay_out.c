/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Gives the chosen nodes their cores, CPUs and GRES with Slurm's own helpers. Those change the
 * caller's core bitmaps of GRES jobs, so the chosen nodes' (and no others') are kept to undo it.
 */
#include "plugin.h"
#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/plugins/topology/common/eval_nodes.h"
#include "src/plugins/topology/common/gres_sched.h"

typedef struct {
    uint32_t node;
    uint16_t cpus;
    bitstr_t* cores; /* NULL for jobs without GRES */
} nvl72_saved_t;

/* What is left to give. */
typedef struct {
    nvl72_case_t* c;
    nvl72_findings_t* findings;
    nvl72_saved_t* saved; /* one a chosen node */
    uint32_t saved_count;
    int nodes;
    int64_t cpus;
    int64_t max_cpus;
    uint64_t max_tasks;
} nvl72_rest_t;

static void _save(nvl72_rest_t* rest, uint32_t node) {
    topology_eval_t* eval = rest->c->eval;
    nvl72_saved_t* saved = &rest->saved[rest->saved_count++];

    saved->node = node;
    saved->cpus = eval->avail_res_array[node]->avail_cpus;
    if (rest->c->job->gres_list_req && eval->avail_core && eval->avail_core[node])
        saved->cores = bit_copy(eval->avail_core[node]);
}

static void _restore(nvl72_rest_t* rest) {
    topology_eval_t* eval = rest->c->eval;

    for (uint32_t i = 0; i < rest->saved_count; i++) {
        nvl72_saved_t* saved = &rest->saved[i];

        eval->avail_res_array[saved->node]->avail_cpus = saved->cpus;
        if (saved->cores) bit_copybits(eval->avail_core[saved->node], saved->cores);
    }
}

static void _forget(nvl72_rest_t* rest) {
    for (uint32_t i = 0; i < rest->saved_count; i++) FREE_NULL_BITMAP(rest->saved[i].cores);
    xfree(rest->saved);
}

/* The engine has counted on more CPUs than the node can give this job. */
static void _learn(nvl72_rest_t* rest, uint32_t node, uint32_t cpus) {
    nvl72_case_t* c = rest->c;

    if (c->cpus && (cpus < c->cpus[node])) {
        c->cpus[node] = cpus;
        rest->findings->learned = true;
    }
}

static void _mark_bad(nvl72_rest_t* rest, uint32_t node) {
    if (!rest->findings->bad) rest->findings->bad = bit_alloc(node_record_count);
    bit_set(rest->findings->bad, node);
}

static void _lay_out_node(nvl72_rest_t* rest, uint32_t node) {
    topology_eval_t* eval = rest->c->eval;

    _save(rest, node);
    rest->findings->nodes++;
    eval_nodes_select_cores(eval, node, rest->nodes);
    _learn(rest, node, eval->avail_cpus);
    if (!eval->avail_cpus ||
        !eval_nodes_cpus_to_use(eval, node, rest->max_cpus, rest->nodes, &rest->max_tasks, true) ||
        !eval->avail_cpus) {
        _mark_bad(rest, node);
        return;
    }
    rest->nodes--;
    rest->cpus -= eval->avail_cpus;
    rest->max_cpus -= eval->avail_cpus;
}

static bool _gres_suffice(const nvl72_case_t* c) {
    return !c->eval->gres_per_job || gres_sched_test(c->job->gres_list_req, c->job->job_id);
}

/* Segment by segment; false when a segment's share of the job's GRES is not met. */
static bool _lay_out_segments(nvl72_rest_t* rest) {
    nvl72_case_t* c = rest->c;
    size_t segments = nvl72block_answer_segment_count(c->answer);

    for (size_t segment = 0; segment < segments; segment++) {
        size_t count;
        const uint32_t* nodes = nvl72block_answer_segment(c->answer, segment, &count);

        if (segment) NVL72_GRES_NEXT_SEGMENT(c->job->gres_list_req);
        for (size_t i = 0; i < count; i++) _lay_out_node(rest, nodes[i]);
        if (NVL72BLOCK_HAVE_GRES_SEGMENTS && (segments > 1) && !_gres_suffice(c)) return false;
    }
    return _gres_suffice(c);
}

/* The node map becomes the answer; a node table that grew since the topology was made is fine. */
static void _show_chosen(nvl72_case_t* c) {
    nvl72block_view nodes = nvl72block_answer_nodes(c->answer);
    uint64_t* words = nvl72_words(c->eval->node_map);
    size_t bits = MIN(nodes.bits, (size_t)bit_size(c->eval->node_map));

    bit_clear_all(c->eval->node_map);
    for (size_t i = 0; i < (bits + 63) / 64; i++) words[i] = nodes.words[i];
}

/* Cores that GRES made unusable take their CPUs with them; that can leave a node without any. */
static bool _trim_cpus(nvl72_rest_t* rest) {
    topology_eval_t* eval = rest->c->eval;
    bool usable = true;

    eval_nodes_clip_socket_cores(eval);
    for (uint32_t i = 0; i < rest->saved_count; i++) {
        uint32_t node = rest->saved[i].node;
        avail_res_t* offer = eval->avail_res_array[node];
        uint32_t cpus;

        if (!rest->saved[i].cores) continue;
        cpus = bit_set_count(eval->avail_core[node]) * node_record_table_ptr[node]->tpc;
        offer->avail_cpus = MIN(offer->avail_cpus, cpus);
        if (!offer->avail_cpus) {
            _mark_bad(rest, node);
            usable = false;
        }
    }
    return usable;
}

static nvl72_layout_t _try(nvl72_rest_t* rest) {
    nvl72_case_t* c = rest->c;
    size_t segments = nvl72block_answer_segment_count(c->answer);
    bool gres_suffice;

    c->eval->gres_per_job = gres_sched_init(c->job->gres_list_req);
    if ((segments > 1) && !NVL72_GRES_SPLIT(c->job->gres_list_req, segments))
        return NVL72_GRES_INDIVISIBLE;
    nvl72_hres_reset(c->job);
    gres_suffice = _lay_out_segments(rest);
    if (rest->findings->bad) return NVL72_BAD_NODES;
    if (rest->cpus > 0) return NVL72_SHORT_OF_CPUS;
    if (!gres_suffice) return NVL72_SHORT_OF_GRES;
    _show_chosen(c);
    if (c->job->gres_list_req && !_trim_cpus(rest)) return NVL72_BAD_NODES;
    return NVL72_LAID_OUT;
}

extern nvl72_layout_t nvl72_lay_out(nvl72_case_t* c, nvl72_findings_t* findings) {
    job_details_t* details = c->job->details;
    nvl72_rest_t rest = {
        .c = c,
        .findings = findings,
        .nodes = nvl72_count_nodes(nvl72block_answer_nodes(c->answer)),
        .cpus = details->min_cpus,
    };
    nvl72_layout_t result;

    rest.saved = xcalloc(rest.nodes + 1, sizeof(*rest.saved));
    rest.max_cpus = eval_nodes_get_rem_max_cpus(details, rest.nodes);
    rest.max_tasks = eval_nodes_set_max_tasks(c->job, rest.max_cpus, c->eval->max_nodes);
    result = _try(&rest);
    if (result != NVL72_LAID_OUT) _restore(&rest);
    _forget(&rest);
    return result;
}
