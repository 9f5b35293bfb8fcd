/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Questions to the engine: the best nodes for a job as far as is known, with node weights and CPUs
 * only where they matter, and within a number of base blocks for --switches.
 */
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/part_record.h"
#include "src/common/xmalloc.h"
#include "src/slurmctld/node_scheduler.h"

static int _refusal_code(nvl72block_reason reason) {
    switch (reason) {
        case NVL72BLOCK_REQUIRED_NOT_USABLE:
            return NVL72_E_REQUIRED_BUSY;
        case NVL72BLOCK_REQUIRED_WITHOUT_ISLAND:
        case NVL72BLOCK_REQUIRED_NOT_IN_BLOCK:
        case NVL72BLOCK_REQUIRED_OUTSIDE_TOO_FEW:
        case NVL72BLOCK_REQUIRED_DO_NOT_FIT:
            return NVL72_E_REQUIRED_MISPLACED;
        case NVL72BLOCK_NO_BLOCK_FITS:
        case NVL72BLOCK_TOO_MANY_BASE_BLOCKS:
            return NVL72_E_NO_FIT;
        case NVL72BLOCK_SEGMENTS_DO_NOT_FIT:
            return NVL72_E_SEGMENTS;
        case NVL72BLOCK_NOT_ENOUGH_CAPACITY:
            return NVL72_E_RESOURCES;
        default:
            return SLURM_ERROR;
    }
}

static bool _is_among_candidates(const nvl72_case_t* c) {
    nvl72block_view chosen = nvl72block_answer_nodes(c->answer), offered = c->state.usable;

    for (int i = nvl72_next_node(chosen, 0); i >= 0; i = nvl72_next_node(chosen, i + 1))
        if (((size_t)i >= offered.bits) || !((offered.words[i / 64] >> (i % 64)) & 1)) return false;
    return true;
}

/* A fault of the engine must not become one of slurmctld. */
static int _fail(nvl72_case_t* c, const char* what) {
    error("%pJ cannot be placed: %s", c->job, what);
    c->failed = true;
    return nvl72_give_up_for(c, NVL72BLOCK_ENGINE_FAILED, SLURM_ERROR);
}

/* One question to the engine; the answer stays in the case. */
static int _ask_once(nvl72_case_t* c) {
    nvl72block_error problem;

    if (c->questions >= NVL72_QUESTIONS)
        return nvl72_give_up_for(c, NVL72BLOCK_LAYOUTS_FAILED, NVL72_E_RESOURCES);
    c->questions++;
    nvl72block_answer_free(c->answer);
    c->answer = nvl72block_place(c->topology, &c->request, &c->state, &problem);
    if (!c->answer) return _fail(c, problem.message);
    if (nvl72block_answer_placed(c->answer))
        return _is_among_candidates(c) ? SLURM_SUCCESS
                                       : _fail(c, "the engine chose nodes that were not offered");
    if (nvl72block_answer_permanent(c->answer)) return NVL72_E_NEVER;
    return _refusal_code(nvl72block_answer_reason(c->answer));
}

/* The best nodes within so many base blocks. Weights and CPUs of all candidates are read only if
 * they turn out to matter there. */
static int _ask_within(nvl72_case_t* c, uint32_t max_base_blocks) {
    int rc;

    c->request.max_base_blocks = max_base_blocks;
    rc = _ask_once(c);
    if (!rc && !c->weighed && !nvl72_case_is_lightest(c)) {
        nvl72_case_weigh(c);
        if (c->weight) rc = _ask_once(c);
    }
    if (rc || c->examined || nvl72_case_holds_cpus(c)) return rc;
    rc = nvl72_case_examine(c);
    return rc ? rc : _ask_once(c);
}

/* Where backfill starts a job, the bitmap excludes all nodes but those that it has in mind. */
extern bitstr_t* nvl72_ever_usable(const topology_eval_t* eval) {
    const part_record_t* part = eval->job_ptr->part_ptr;
    char* names = eval->job_ptr->details->exc_nodes;
    bitstr_t* nodes = bit_copy((part && part->node_bitmap) ? part->node_bitmap : eval->node_map);
    bitstr_t* excluded = NULL;

    if (names) (void)node_name2bitmap(names, true, &excluded, NULL);
    if (excluded) bit_and_not(nodes, excluded);
    FREE_NULL_BITMAP(excluded);
    return nodes;
}

extern bool nvl72_leave_nodes_with_features(job_record_t* job, bitstr_t* nodes) {
    bitstr_t* all = bit_copy(nodes);
    bool not_all_told,
        told = !valid_feature_counts(job, false, nodes, &not_all_told) && !not_all_told;

    if (!told) bit_copybits(nodes, all);
    FREE_NULL_BITMAP(all);
    return told;
}

/* CPUs of a node that the job's tasks could have with every node free. */
static uint32_t _cpus_ever(const nvl72_case_t* c, uint32_t node) {
    const multi_core_data_t* wish = c->job->details->mc_ptr;
    const node_record_t* record = node_record_table_ptr[node];
    uint32_t most = nvl72_may_exceed_limits(c) ? record->cpus : nvl72_most_cpus(c->job, node);

    if (wish && wish->ntasks_per_socket && (wish->ntasks_per_socket != INFINITE16) &&
        !c->job->details->overcommit)
        most = MIN(most, (uint32_t)record->tot_sockets * wish->ntasks_per_socket *
                             nvl72_cpus_a_task(c->job));
    return nvl72_cpus_of_node(c, node, most);
}

/*
 * Whether as many nodes as the job takes now, or more, could ever lie in as few base blocks as it
 * wants and have CPUs for its tasks: with every node free. Nothing is learned of GPUs.
 */
static bool _switches_possible(nvl72_case_t* c) {
    job_record_t* job = c->job;
    nvl72block_request request = c->request;
    bitstr_t* usable = nvl72_ever_usable(c->eval);
    uint32_t* cpus = xcalloc(node_record_count, sizeof(*cpus));
    nvl72block_state state = {.usable = nvl72_view(usable), .cpus = cpus};
    nvl72block_answer* answer;
    bool possible;

    (void)nvl72_leave_nodes_with_features(job, usable);
    for (int i = nvl72_next_node(state.usable, 0); i >= 0; i = nvl72_next_node(state.usable, i + 1))
        cpus[i] = _cpus_ever(c, i);
    if (c->request.sized_by_totals)
        request.min_nodes = nvl72_count_nodes(nvl72block_answer_nodes(c->answer));
    request.cpus = nvl72_least_cpus(c);
    request.gpus = 0;
    request.max_base_blocks = job->req_switch;
    c->questions++;
    answer = nvl72block_place(c->topology, &request, &state, NULL);
    possible = !answer || nvl72block_answer_placed(answer);
    nvl72block_answer_free(answer);
    xfree(cpus);
    FREE_NULL_BITMAP(usable);
    return possible;
}

static bool _has_waited(nvl72_case_t* c) {
    job_record_t* job = c->job;
    time_t now = time(NULL);

    if (!job->wait4switch_start) job->wait4switch_start = now;
    return ((now - job->wait4switch_start) >= (time_t)job->wait4switch) || !_switches_possible(c);
}

/*
 * Where jobs may share cores, Slurm asks with every core first, also whether the job could ever
 * run; then with idle cores, then with those that jobs may share, and ends with the first nodes
 * that are accepted. It does not tell which question it is (24.11 to 26.05), but the later ones are
 * about fewer nodes, or cores, than the first one of the job in the same thread.
 */
static __thread struct {
    uint32_t job, nodes; /* of the first question */
    bool is_first;       /* the one under way */
} widest;

extern void nvl72_note_offer(const topology_eval_t* eval) {
    const job_record_t* job = eval->job_ptr;
    nvl72block_view nodes = nvl72_view(eval->node_map);
    uint32_t count = nvl72_count_nodes(nodes);

    if (!job->req_switch || !nvl72_may_share_cores(job)) return;
    widest.is_first = (widest.job != job->job_id) || (count >= widest.nodes);
    for (int i = nvl72_next_node(nodes, 0); widest.is_first && (i >= 0);
         i = nvl72_next_node(nodes, i + 1))
        widest.is_first = nvl72_offers_every_core(eval, (uint32_t)i);
    if (!widest.is_first) return;
    widest.job = job->job_id;
    widest.nodes = count;
}

extern nvl72block_refusal nvl72_waits_for_fewer_blocks(const nvl72_case_t* c) {
    return (nvl72block_refusal){.reason = NVL72BLOCK_WAITS_FOR_FEWER_BLOCKS,
                                .allowed_blocks = c->job->req_switch,
                                .blocks_now = (uint32_t)nvl72block_answer_block_count(c->answer),
                                .wait_seconds = c->job->wait4switch};
}

/*
 * --switches=N@time: at most N base blocks, else wait up to the time, then anywhere; without
 * waiting where so few can never do. Core does not start a job whose best_switch is false; it asks
 * again in each scheduling pass.
 */
extern int nvl72_ask(nvl72_case_t* c) {
    job_record_t* job = c->job;
    int rc;

    job->best_switch = true;
    if (c->within || !job->req_switch) return _ask_within(c, c->within);
    rc = _ask_within(c, job->req_switch);
    if (rc == SLURM_SUCCESS) return rc;
    rc = _ask_within(c, 0);
    if (rc == SLURM_SUCCESS) {
        job->best_switch = _has_waited(c);
        log_flag(SELECT_TYPE, "%pJ uses %zu base blocks, requests at most %u, %s", job,
                 nvl72block_answer_block_count(c->answer), job->req_switch,
                 job->best_switch ? "does not wait for them" : "waits for them");
        if (!job->best_switch && nvl72_may_share_cores(job) && !widest.is_first) {
            nvl72block_refusal why = nvl72_waits_for_fewer_blocks(c);

            rc = nvl72_give_up(c, &why, NVL72_E_NO_FIT);
        }
    }
    return rc;
}
