/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Places a job in passes. A pass asks the engine for nodes, lays the job out on them, and asks
 * again with what the layout has taught. The engine's refusal ends it, so a job that cannot run
 * costs one question; how many any job may cost is bounded by NVL72_QUESTIONS.
 */
#include "decision/passes.h"

#include "comment/comment.h"
#include "demand/demand.h"
#include "slurm/clock.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/log.h"
#include "src/common/read_config.h"

/* Where the pass may take a job's GPUs and other GRES. */
static const char* _reach(const nvl72_case_t* c) {
    if (!c->job->gres_list_req || c->job->details->arbitrary_tpn) return "";
    return c->eval->first_pass ? " with GRES near the cores" : " with any GRES";
}

/* What the placement left of the slots that policy demand counted: for the log and the receipt. */
static void _tell_kept(const nvl72_case_t* c) {
    bool logged = slurm_conf.debug_flags & DEBUG_FLAG_SELECT_TYPE;
    char kept[512]; /* eight sizes take less */

    if (!logged && !nvl72_explain_awaits_start(c->eval)) return;
    nvl72block_demand_kept(c->request.demand, c->topology, c->state.idle,
                           nvl72block_answer_nodes(c->answer), kept, sizeof(kept));
    if (logged && kept[0]) info("%pJ: keeps room for %s", c->job, kept);
    nvl72_explain_kept(kept);
}

extern void nvl72_log_decision(nvl72_case_t* c, int rc, uint64_t started, const char* pass) {
    uint64_t took = nvl72_microseconds() - started;

    if (!(slurm_conf.debug_flags & DEBUG_FLAG_SELECT_TYPE)) return;
    if (rc == SLURM_SUCCESS) {
        info(
            "%pJ: %u nodes in %zu base blocks, %zu whole blocks broken, %s; %s%s, %u questions, "
            "%" PRIu64 " us",
            c->job, nvl72_count_nodes(nvl72block_answer_nodes(c->answer)),
            nvl72block_answer_block_count(c->answer), nvl72block_answer_broken_count(c->answer),
            nvl72block_answer_proven(c->answer) ? "proven best" : "search limit reached", pass,
            _reach(c), c->questions, took);
    } else {
        const char* why = nvl72block_answer_sentence(c->answer);

        info("%pJ: %s; %s%s, %u questions, %" PRIu64 " us", c->job,
             why[0] ? why : slurm_strerror(rc), pass, _reach(c), c->questions, took);
    }
}

/* What the passes of a job share. */
typedef struct {
    const nvl72_asked_t* asked;
    bitstr_t* candidates;
    bool spares;       /* nodes with fewer CPUs or GPUs than the job wants of each are left out */
    bool spared;       /* some were */
    bool lacks_memory; /* nodes have it for some of their sockets only: others' jobs may have the
                          rest */
    bool any_memory;   /* nodes in use count without it */
    bool share_cpus;   /* the job's tasks need no CPUs of their own */
    bool all_gpus;     /* GPUs count for which a node has too few CPUs for DefCpuPerGPU */
    bool keeps_cpus;   /* nodes keep all their CPUs, more than the job's minimum */
    uint32_t within;   /* base blocks, or not at all; 0: any number */
    bool adapted;      /* a layout failed */
    bool sized_up;     /* what nodes can give the job was found by trying one of each kind */
    bool as_slurm;     /* nodes are laid out by Slurm's own algorithms */
    bool again; /* a pass with other GRES, near the cores or far from them, could end differently */
    /* Where GRES near the cores need several base blocks, any GRES in one are tried. */
    bool gathers;
    uint32_t apart; /* the nodes of such a pass, which ended before their layout; 0: it did not */
} nvl72_passes_t;

/* The case, with the cluster's demand. */
static void _open(nvl72_case_t* c, const nvl72_context_t* context, nvl72block_topology* topology,
                  topology_eval_t* eval) {
    nvl72_case_open(c, topology, context->options, eval);
    c->request.demand = nvl72_demand_in_force(context->demand);
}

/* Which nodes are drained is in their records, and only the numbers of a refusal need it. */
extern void nvl72_open_asked(nvl72_case_t* c, const nvl72_asked_t* asked) {
    _open(c, asked->context, asked->topology, asked->eval);
    if (nvl72_explain_awaits(asked->eval) || (slurm_conf.debug_flags & DEBUG_FLAG_SELECT_TYPE))
        nvl72_case_count_drained(c);
}

extern bitstr_t* nvl72_fits_best(const nvl72_context_t* context, nvl72block_topology* topology,
                                 topology_eval_t* eval) {
    bitstr_t* nodes = NULL;
    nvl72_case_t c;

    _open(&c, context, topology, eval);
    if (nvl72_ask(&c) == SLURM_SUCCESS) {
        nodes = bit_alloc(bit_size(eval->node_map));
        nvl72_add_nodes(nodes, nvl72block_answer_nodes(c.answer));
    }
    nvl72_case_close(&c);
    return nodes;
}

/* The search, or the questions, ended before all was tried. */
static bool _is_unproven_refusal(const nvl72block_answer* answer) {
    return answer && !nvl72block_answer_placed(answer) &&
           (!nvl72block_answer_proven(answer) ||
            (nvl72block_answer_reason(answer) == NVL72BLOCK_LAYOUTS_FAILED));
}

extern void nvl72_note_verdict(nvl72_verdict_t* verdict, nvl72_case_t* c, int rc) {
    verdict->failed |= c->failed;
    verdict->unsure = rc && (c->failed || _is_unproven_refusal(c->answer));
    snprintf(verdict->why, sizeof(verdict->why), "%s",
             rc ? nvl72block_answer_sentence(c->answer) : "");
}

static uint32_t _most_sockets(nvl72block_view nodes) {
    uint32_t most = 1;

    for (int i = nvl72_next_node(nodes, 0); i >= 0; i = nvl72_next_node(nodes, i + 1))
        most = MAX(most, node_record_table_ptr[i]->tot_sockets);
    return most;
}

/* Whether a job that wants no more nodes than it needs, and lies in several base blocks, could lie
 * in one with GRES of all sockets of a node. */
static bool _may_lie_in_one(const nvl72_case_t* c) {
    const nvl72block_request* request = &c->request;
    nvl72block_view nodes = nvl72block_answer_nodes(c->answer);
    uint32_t most = nvl72block_topology_planning_size(c->topology);

    if ((nvl72block_answer_block_count(c->answer) < 2) || (request->min_nodes > most) ||
        (!request->sized_by_totals && (request->min_nodes != request->max_nodes)))
        return false;
    return nvl72_count_nodes(nodes) <= most * _most_sockets(nodes);
}

static int _ask_until_laid_out(nvl72_passes_t* passes, nvl72_case_t* c) {
    int rc = c->request.sized_by_totals ? nvl72_case_examine(c) : SLURM_SUCCESS;

    while (rc == SLURM_SUCCESS) {
        nvl72_findings_t findings = {0};
        nvl72_layout_t layout;

        rc = nvl72_ask(c);
        if (rc) break;
        if (passes->gathers && _may_lie_in_one(c)) {
            passes->apart = nvl72_count_nodes(nvl72block_answer_nodes(c->answer));
            break;
        }
        layout = nvl72_lay_out(c, &findings);
        if (layout == NVL72_LAID_OUT) break;
        rc = nvl72_adapt(c, layout, &findings);
        FREE_NULL_BITMAP(findings.bad);
    }
    return rc;
}

/* The node map has the candidates and becomes the chosen nodes. */
static int _run_pass(nvl72_passes_t* passes, const char* pass) {
    uint64_t started = nvl72_microseconds();
    nvl72_case_t c;
    int rc;

    nvl72_open_asked(&c, passes->asked);
    if (passes->spares) c.spared = &passes->spared;
    c.lacks_memory = &passes->lacks_memory;
    c.any_memory = passes->any_memory;
    c.share_cpus = passes->share_cpus;
    c.all_gpus = passes->all_gpus;
    c.keeps_cpus = passes->keeps_cpus;
    c.within = passes->within;
    if (passes->as_slurm) nvl72_case_lay_out_as_slurm(&c);
    nvl72_hres_reset(c.job);
    nvl72_hres_limit(&c);
    passes->apart = 0;
    rc = _ask_until_laid_out(passes, &c);
    passes->again = c.job->gres_list_req && (c.adapted || c.examined);
    passes->adapted |= c.adapted;
    passes->sized_up |= c.examined;
    if (rc == SLURM_SUCCESS) nvl72_job_info_record(c.job, c.answer, c.request.segment_size);
    nvl72_log_decision(&c, rc, started, pass);
    if (!rc)
        c.job->best_switch ? _tell_kept(&c) : nvl72_explain_wait(&c);
    else if (!c.within && !c.as_slurm)
        nvl72_explain_refusal(&c);
    if (!rc || !c.as_slurm) nvl72_note_verdict(passes->asked->verdict, &c, rc);
    nvl72_case_close(&c);
    return rc;
}

/* More nodes than tasks are no use, unless the tasks per node are fixed. */
static bool _clip_max_nodes(topology_eval_t* eval) {
    const job_details_t* details = eval->job_ptr->details;

    if (!details->num_tasks || details->ntasks_per_node || (eval->max_nodes <= details->num_tasks))
        return false;
    eval->max_nodes = MIN(eval->max_nodes, MAX(details->num_tasks, eval->min_nodes));
    return true;
}

/*
 * GRES near the cores can take more nodes than any GRES, and so more base blocks than one: such a
 * job goes into one with any, if that takes no more nodes.
 */
static int _run_near(nvl72_passes_t* passes) {
    topology_eval_t* eval = passes->asked->eval;
    const job_record_t* job = eval->job_ptr;
    uint32_t max_nodes = eval->max_nodes;
    int rc;

    passes->gathers = job->gres_list_req && !job->req_switch && !nvl72_has_whole_nodes(job);
    rc = _run_pass(passes, "first pass");
    passes->gathers = false;
    if (!passes->apart) return rc;
    eval->max_nodes = passes->apart;
    eval->first_pass = false;
    passes->within = 1;
    bit_copybits(eval->node_map, passes->candidates);
    rc = _run_pass(passes, "pass in one base block");
    passes->within = 0;
    eval->max_nodes = max_nodes;
    if (!rc) return rc;
    eval->first_pass = true;
    bit_copybits(eval->node_map, passes->candidates);
    return _run_pass(passes, "first pass");
}

static bool _may_differ(const nvl72_passes_t* passes, int rc) {
    return rc && ((rc != NVL72_E_NEVER) || passes->within);
}

/*
 * GRES jobs first with GPUs near the cores only, then with any; all jobs first on no more nodes
 * than tasks, then on more, with any GPUs. A job that gets whole nodes has all cores, the far ones
 * too: so first with any, and near the cores last. But with --ntasks-per-core Slurm can offer it
 * fewer CPUs then. Slurm's `first_pass` means near the cores.
 */
static int _run_both(nvl72_passes_t* passes) {
    topology_eval_t* eval = passes->asked->eval;
    uint32_t max_nodes = eval->max_nodes;
    bool clipped = _clip_max_nodes(eval);
    bool whole = nvl72_has_whole_nodes(eval->job_ptr);
    int rc;

    eval->first_pass = !whole;
    rc = _run_near(passes);
    eval->max_nodes = max_nodes;
    if (_may_differ(passes, rc) && (clipped || (passes->again && !whole))) {
        bit_copybits(eval->node_map, passes->candidates);
        eval->first_pass = false;
        rc = _run_pass(passes, "second pass");
    }
    if (_may_differ(passes, rc) && passes->again && whole) {
        bit_copybits(eval->node_map, passes->candidates);
        eval->first_pass = true;
        rc = _run_pass(passes, "last pass");
    }
    return rc;
}

/* GRES near the cores can take more nodes than any GRES, and then more base blocks than --switches
 * wants: so first in as few, with either. */
static int _run_within_switches(nvl72_passes_t* passes) {
    const job_record_t* job = passes->asked->eval->job_ptr;
    int rc;

    bit_copybits(passes->asked->eval->node_map, passes->candidates);
    passes->within = job->gres_list_req ? job->req_switch : 0;
    rc = _run_both(passes);
    if (!rc || !passes->within) return rc;
    passes->within = 0;
    bit_copybits(passes->asked->eval->node_map, passes->candidates);
    return _run_both(passes);
}

/* A job with more tasks than CPUs for them, which with --overcommit Slurm does not refuse.
 * `refused` is the code of its refusal. */
static int _keep_in_queue(nvl72_passes_t* passes, int refused) {
    topology_eval_t* eval = passes->asked->eval;
    int rc;

    bit_copybits(eval->node_map, passes->candidates);
    if (!nvl72_waits_for_cpus_of_tasks(eval)) return refused;
    passes->share_cpus = true;
    rc = _run_both(passes);
    if (!rc) passes->asked->verdict->waits = refused;
    return rc;
}

/* Where topology/block, or all of Slurm's plugins, keep more of a node's CPUs for a job. */
static bool _may_keep_cpus(const job_record_t* job) {
    uint16_t tasks = job->details->ntasks_per_tres;

    return job->details->segment_size || (job->gres_list_req && tasks && (tasks != NO_VAL16));
}

/* With a minimum of CPUs that is no number of tasks Slurm starts no job but on more of them: in
 * segments topology/block keeps all. */
static bool _ends_within_a_task(const job_details_t* details) {
    return details->segment_size && (details->cpus_per_task > 1) && !details->overcommit &&
           (details->pn_min_cpus > details->cpus_per_task) &&
           (details->pn_min_cpus % details->cpus_per_task);
}

/* What the other passes said of a refusal holds. */
static int _run_as_slurm(nvl72_passes_t* passes, int refused) {
    int rc;

    passes->as_slurm = true;
    rc = _run_within_switches(passes);
    passes->as_slurm = false;
    return rc ? refused : SLURM_SUCCESS;
}

/*
 * Slurm's own plugins start jobs for which the numbers of nodes look too small, so these are used
 * where there are no others: nodes with fewer CPUs than --mincpus, or GPUs than --gpus-per-socket,
 * name; GPUs without the CPUs of DefCpuPerGPU; whatever Slurm's own algorithms find, on nodes that
 * are chosen by what Slurm offers of them, or counts beyond it; and, as topology/block does with
 * --segment, all CPUs of nodes for a job whose minimum is that of one task, though --ntasks-per-gpu
 * makes more.
 */
extern int nvl72_run_passes(const nvl72_asked_t* asked) {
    topology_eval_t* eval = asked->eval;
    nvl72_passes_t passes = {
        .asked = asked,
        .candidates = bit_copy(eval->node_map),
        .spares = true,
        .keeps_cpus = asked->keeps_cpus || _ends_within_a_task(eval->job_ptr->details)};
    int rc = _run_within_switches(&passes);

    /* Of one node that is spared Slurm may start the job on more CPUs than we count there. */
    if (rc && passes.spared && nvl72_takes_one_node(eval)) rc = _run_as_slurm(&passes, rc);
    if (rc && passes.spared) {
        passes.spares = false;
        rc = _run_within_switches(&passes);
    }
    if (rc && nvl72_default_cpus_exceed_node(eval)) {
        passes.all_gpus = true;
        rc = _run_within_switches(&passes);
        passes.all_gpus = false;
    }
    if (rc && (rc != NVL72_E_NEVER) &&
        (passes.adapted || passes.sized_up ||
         nvl72_counts_more_than_offered(eval, nvl72_view(passes.candidates))))
        rc = _run_as_slurm(&passes, rc);
    if (rc && (passes.adapted || passes.sized_up) && _may_keep_cpus(eval->job_ptr)) {
        passes.keeps_cpus = true;
        rc = _run_within_switches(&passes);
        passes.keeps_cpus = false;
    }
    /* Slurm asks with the cores in use first, and then with free ones. */
    if (rc && passes.lacks_memory && nvl72_may_share_cores(eval->job_ptr)) {
        passes.any_memory = true;
        rc = _run_within_switches(&passes);
        passes.any_memory = false;
    }
    if (rc) rc = _keep_in_queue(&passes, rc);
    if (rc) bit_copybits(eval->node_map, passes.candidates);
    asked->verdict->lacks_memory = rc && passes.lacks_memory;
    FREE_NULL_BITMAP(passes.candidates);
    return rc;
}
