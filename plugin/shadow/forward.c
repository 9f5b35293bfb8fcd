/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Puts the functions of Slurm's own plugin into force. Arguments and results pass unchanged; around
 * some calls the plugin's own half does its part, which can change nothing of theirs.
 */
#include "shadow/shadow.h"
#include "slurm/clock.h"
#include "slurm/entries.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/log.h"
#include "src/common/run_in_daemon.h"

static const nvl72_entries_t* slurm;
static nvl72_entries_t forwarded;

static int _build_config(NVL72_TCTX) {
    nvl72_source_t source = NVL72_SOURCE;
    int rc = slurm->build_config(NVL72_PASS_TCTX);

    if (!rc && running_in_slurmctld()) nvl72_shadow_context_make(&source, NVL72_KEY_OF_TCTX);
    return rc;
}

static int _eval_nodes(topology_eval_t* eval) {
    nvl72_shadow_t* shadow = nvl72_shadow_context(NVL72_KEY_OF_EVAL(eval));
    const job_record_t* job = eval->job_ptr;
    nvl72_question_t question;
    nvl72_given_t block = {0};
    nvl72_ours_t ours;
    uint64_t started;

    if (!shadow || nvl72_shadow_is_off() || !nvl72_ledger_opens(shadow, eval, &question))
        return slurm->eval_nodes(eval);
    nvl72_beside_ask(shadow, eval, &question, &ours);
    started = nvl72_nanoseconds(CLOCK_MONOTONIC);
    block.rc = slurm->eval_nodes(eval);
    block.nanoseconds = nvl72_nanoseconds(CLOCK_MONOTONIC) - started;
    if (!block.rc) block.nodes = bit_copy(eval->node_map);
    nvl72_ledger_note(shadow, job, &question, &ours, &block);
    return block.rc;
}

#if NVL72_HAS_YAML
static int _add_rm_node(node_record_t* node, char* unit, topology_ctx_t* tctx) {
    int rc = slurm->add_rm_node(node, unit, tctx);
    nvl72_shadow_t* shadow = nvl72_shadow_context(tctx);

    if (!rc && shadow) nvl72_membership_follow(shadow->context, node, unit);
    return rc;
}

static int _destroy_config(topology_ctx_t* tctx) {
    nvl72_shadow_context_drop(tctx);
    return slurm->destroy_config(tctx);
}
#endif

#if NVL72_HAS_ONE_NODE
/* One node after the other, of which only this one's offer is known: nothing to compare. But time
 * passes for what is open. */
static int _eval_node(topology_eval_t* eval, int node) {
    nvl72_shadow_t* shadow = nvl72_shadow_context(NVL72_KEY_OF_EVAL(eval));

    if (shadow && !nvl72_shadow_is_off()) nvl72_ledger_settle(shadow, eval->job_ptr);
    return slurm->eval_node(eval, node);
}
#endif

extern const nvl72_entries_t* nvl72_shadow_entries(void) {
    slurm = nvl72_slurms_own();
    if (!slurm) return NULL;
    forwarded = *slurm;
    forwarded.build_config = _build_config;
    forwarded.eval_nodes = _eval_nodes;
#if NVL72_HAS_YAML
    forwarded.add_rm_node = _add_rm_node;
    forwarded.destroy_config = _destroy_config;
#endif
#if NVL72_HAS_ONE_NODE
    forwarded.eval_node = _eval_node;
#endif
    return &forwarded;
}
