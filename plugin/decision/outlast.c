/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A job that fits on no free nodes Slurm turns away at submission, or holds it for good
 * (BadConstraints, priority 0). So it waits where the refusal may be another one soon: where only
 * the cliques of the moment are in its way, which nodes may name one by one after a start; or the
 * nodes that were chosen first for a counted feature; where the search ended too early; and after a
 * fault of ours.
 */
#include "comment/comment.h"
#include "decision/decision.h"
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_features.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"

static bool _has_the_wrong_cliques(nvl72_context_t* context, nvl72block_topology* topology,
                                   topology_eval_t* eval) {
    bitstr_t* nodes;
    nvl72_case_t c;
    bool waits;

    if (!nvl72block_topology_follows_cliques(topology)) return false;
    nodes = nvl72_ever_usable(eval);
    nvl72_case_open(&c, topology, context->options, eval);
    waits = nvl72block_waits_for_cliques(topology, &c.request, nvl72_view(nodes));
    nvl72_case_close(&c);
    FREE_NULL_BITMAP(nodes);
    return waits;
}

/* No job can end, or be preempted, for this one. */
static bool _is_all_idle(const topology_eval_t* eval) {
    bitstr_t* nodes = nvl72_ever_usable(eval);
    bool idle;

    bit_and(nodes, avail_node_bitmap);
    idle = bit_super_set(nodes, idle_node_bitmap);
    FREE_NULL_BITMAP(nodes);
    return idle;
}

/* Whether the rules of blocks allow as many of these nodes as the job wants, whatever they have. */
static bool _fits_by_number(nvl72_context_t* context, nvl72block_topology* topology,
                            topology_eval_t* eval, bitstr_t* nodes) {
    nvl72block_answer* answer;
    nvl72_case_t c;
    bool fits;

    nvl72_case_open(&c, topology, context->options, eval);
    c.request.sized_by_totals = false;
    c.request.cpus = c.request.gpus = 0;
    c.state = (nvl72block_state){.usable = nvl72_view(nodes)};
    answer = nvl72block_place(topology, &c.request, &c.state, NULL);
    fits = answer && nvl72block_answer_placed(answer);
    nvl72block_answer_free(answer);
    nvl72_case_close(&c);
    return fits;
}

/* Slurm asks for the nodes of --prefer first, and then for those of --constraint: with those that
 * it offers now the job may fit. Nothing is learned of the CPUs and GPUs of the others. */
static bool _fits_with_not_preferred(nvl72_context_t* context, nvl72block_topology* topology,
                                     topology_eval_t* eval) {
    const job_details_t* details = eval->job_ptr->details;
    bitstr_t *nodes, *unfit;
    bool fits;

    if (!details->feature_list_use || (details->feature_list_use == details->feature_list))
        return false;
    nodes = nvl72_ever_usable(eval);
    unfit = bit_copy(nodes);
    if (nvl72_leave_nodes_with_features(eval->job_ptr, unfit)) {
        bit_and_not(unfit, eval->node_map);
        bit_and_not(nodes, unfit);
    }
    fits = !bit_super_set(nodes, eval->node_map) && _fits_by_number(context, topology, eval, nodes);
    FREE_NULL_BITMAP(unfit);
    FREE_NULL_BITMAP(nodes);
    return fits;
}

/* Whether the job fits among the candidates without the nodes that it must have. What is offered of
 * them stays as it is. */
static bool _fits_without_required(nvl72_context_t* context, nvl72block_topology* topology,
                                   topology_eval_t* eval) {
    job_details_t* details = eval->job_ptr->details;
    bitstr_t *required = details->req_node_bitmap, *candidates = bit_copy(eval->node_map);
    nvl72_verdict_t verdict;
    nvl72_offers_t offers;
    nvl72_case_t c;
    bool fits;

    nvl72_case_open(&c, topology, context->options, eval);
    offers = nvl72_keep_offers(&c);
    details->req_node_bitmap = NULL;
    fits = !nvl72_answer(context, topology, eval, &verdict) || verdict.unsure;
    details->req_node_bitmap = required;
    bit_copybits(eval->node_map, candidates);
    nvl72_put_back_offers(&c, &offers);
    nvl72_offers_free(&offers);
    nvl72_case_close(&c);
    FREE_NULL_BITMAP(candidates);
    return fits;
}

/* A job may fit on a node of which another job has a socket, unless it is too large for Slurm, too.
 */
static bool _may_fit_beside_others(topology_eval_t* eval) {
    bitstr_t* candidates = bit_copy(eval->node_map);
    bool fits = !nvl72_leave_to_slurm(eval);

    bit_copybits(eval->node_map, candidates);
    FREE_NULL_BITMAP(candidates);
    return fits;
}

extern int nvl72_outlast(nvl72_context_t* context, nvl72block_topology* topology,
                         topology_eval_t* eval, const nvl72_verdict_t* verdict, int refused) {
    bool cliques, features, preferred, beside;

    if (!context || !nvl72_is_for_a_start(eval->job_ptr)) return refused;
    cliques = _has_the_wrong_cliques(context, topology, eval);
    /* A job that is refused without its features' nodes, too, is not refused for their sake. */
    features = !cliques && nvl72_fits_around_features(topology, eval) &&
               _fits_without_required(context, topology, eval);
    preferred = !cliques && !features && _fits_with_not_preferred(context, topology, eval);
    beside = !cliques && !features && !preferred && !verdict->unsure && verdict->lacks_memory &&
             _fits_by_number(context, topology, eval, eval->node_map);
    if (!cliques && !features && !preferred && !beside && !verdict->unsure) return refused;
    log_flag(SELECT_TYPE, "%pJ may fit later: %s", eval->job_ptr,
             cliques     ? "with other cliques"
             : features  ? "around other nodes of its features"
             : preferred ? "on nodes that it does not prefer"
             : beside    ? "on a node of which another job has a socket"
                         : "the refusal is not proven");
    if (nvl72_is_no_start(eval)) return nvl72_leave_to_slurm(eval);
    if (beside && !_may_fit_beside_others(eval)) return refused;
    /* After this code Slurm looks for no jobs to preempt. It has when it offers what is in use. */
    return (cliques || _is_all_idle(eval) || !nvl72_is_of_now(eval, nvl72_judge_offer(eval)))
               ? NVL72_E_WAITS
               : refused;
}
