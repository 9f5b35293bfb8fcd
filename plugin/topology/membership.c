/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Nodes that come, move and go (25.05 and later): a node's Topology= string. The same update twice
 * changes nothing. A block that no file names is refused, or made when its first node arrives.
 */
#include <stdlib.h>

#include "slurm/entries.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/node_features.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

static char* _nodes_of(const nvl72block_topology* topology, uint32_t block) {
    bitstr_t* members = bit_alloc(node_record_count);
    char* nodes;

    nvl72block_topology_members(topology, block, block + 1, nvl72_words(members),
                                node_record_count);
    nodes = bitmap2node_name(members);
    FREE_NULL_BITMAP(members);
    return nodes;
}

/* `scontrol show topoconf` reads the configuration, not us. */
static void _tell_configuration(topology_ctx_t* tctx, const nvl72block_topology* topology,
                                uint32_t block) {
    nvl72_source_t source = NVL72_SOURCE;
    char* nodes;

    if (!source.yaml || (block == NVL72BLOCK_NO_BLOCK)) return;
    nodes = _nodes_of(topology, block);
    nvl72_yaml_update(&source, nvl72block_topology_block_name(topology, block), nodes);
    xfree(nodes);
}

/* A topology that has the block `unit`, with a reference for the caller. */
static nvl72block_topology* _with_unit(nvl72block_topology* topology, const node_record_t* node,
                                       const char* unit, topology_ctx_t* tctx,
                                       nvl72block_error* problem) {
    nvl72_source_t source = NVL72_SOURCE;
    nvl72block_topology* larger;

    if (!unit || (nvl72block_topology_find_block(topology, unit) != NVL72BLOCK_NO_BLOCK))
        return nvl72block_topology_retain(topology);
    larger = nvl72block_topology_add_block(topology, unit, problem);
    if (larger) {
        info("new block %s for %s (Nvl72NewBlocks=on)", unit, node->name);
        nvl72_yaml_add_block(&source, unit);
    }
    return larger;
}

static int _move(nvl72_context_t* context, nvl72block_topology* topology, const node_record_t* node,
                 uint32_t block) {
    nvl72block_topology* moved;
    nvl72block_error problem;

    moved = nvl72block_topology_move(topology, node->index, block, &problem);
    if (!moved) {
        error("%s: cannot move %s: %s", plugin_type, node->name, problem.message);
        return SLURM_ERROR;
    }
    debug(
        "%s is now in %s", node->name,
        (block == NVL72BLOCK_NO_BLOCK) ? "no block" : nvl72block_topology_block_name(moved, block));
    nvl72_context_replace(context, moved);
    return SLURM_SUCCESS;
}

static int _move_and_tell(nvl72_context_t* context, nvl72block_topology* topology,
                          const node_record_t* node, uint32_t block, topology_ctx_t* tctx) {
    uint32_t before = nvl72block_topology_block_of(topology, node->index);
    int rc = _move(context, topology, node, block);
    nvl72block_topology* moved;

    if (rc) return rc;
    moved = nvl72_context_topology(context);
    _tell_configuration(tctx, moved, before);
    _tell_configuration(tctx, moved, block);
    nvl72block_topology_release(moved);
    return rc;
}

/* Slurm makes the list after it has told of the Topology= strings that it has read. */
static bool _is_starting(void) {
    return !avail_feature_list;
}

/* Where blocks come from the cliques a node's Topology= string has no say. At start an error would
 * end slurmctld, so only a user who asks for it now is told so. */
static int _refuse_move(const nvl72block_topology* topology, const node_record_t* node,
                        const char* unit) {
    uint32_t block = nvl72block_topology_block_of(topology, node->index);
    const char* name = nvl72block_topology_block_name(topology, block);
    int rc = SLURM_SUCCESS;

    if (unit && xstrcmp(unit, name)) {
        error(
            "%s: %s stays in %s: with Nvl72Clique=derive its features determine its block, not "
            "Topology=%s",
            plugin_type, node->name, name ? name : "no block", unit);
        if (!_is_starting()) rc = SLURM_ERROR;
    }
    return rc;
}

/* ---- One update --------------------------------------------------------------------------------
 */

typedef struct {
    nvl72_context_t* context;
    topology_ctx_t* tctx;
    uint32_t block; /* where the node was */
} nvl72_step_t;

/*
 * Slurm tells one topology after the other of an update, up to the first that refuses. Those before
 * have moved the node, and what Slurm then says again need not name them (up to 26.05): so they are
 * undone here. Slurm does not say where an update begins: it has another node or another text, or
 * tells a topology for a second time.
 */
static struct {
    uint64_t serial; /* of all that Slurm has said */
    uint32_t node;
    char* text; /* its Topology= */
    uint32_t count;
    nvl72_step_t* step;
} update = {.node = NO_VAL};

static void _forget_update(void) {
    update.node = NO_VAL;
    update.count = 0;
    xfree(update.text);
    xfree(update.step);
}

static void _note_update(nvl72_context_t* context, const node_record_t* node) {
    bool other = (update.node != node->index) || xstrcmp(update.text, node->topology_str);

    if (other) {
        _forget_update();
        update.node = node->index;
        update.text = xstrdup(node->topology_str);
    }
    if (other || (context->told == update.serial)) update.serial++;
    context->told = update.serial;
}

static void _note_step(nvl72_context_t* context, topology_ctx_t* tctx, uint32_t block) {
    xrecalloc(update.step, update.count + 1, sizeof(*update.step));
    update.step[update.count++] = (nvl72_step_t){.context = context, .tctx = tctx, .block = block};
}

static void _undo_update(const node_record_t* node) {
    while (update.count) {
        const nvl72_step_t* step = &update.step[--update.count];
        nvl72block_topology* topology = nvl72_context_topology(step->context);

        (void)_move_and_tell(step->context, topology, node, step->block, step->tctx);
        nvl72block_topology_release(topology);
    }
}

/* ---- Refusals ----------------------------------------------------------------------------------
 */

/*
 * What Slurm does with a refusal: it says at once what it has on record of the node, not always to
 * every topology. In 25.05 that is nothing, so no block at all, for a node that topology.conf alone
 * has put where it is.
 */
static struct {
    uint64_t update; /* that was refused; 0: none */
    uint32_t node;
    bool of_return; /* what was refused is the return of a powered down node to no block */
    uint32_t block; /* where that node was */
} refusal;

static int _note_refusal(const node_record_t* node) {
    refusal.update = update.serial;
    refusal.node = node->index;
    refusal.of_return = false;
    return SLURM_ERROR;
}

static int _refuse(const node_record_t* node) {
    _undo_update(node);
    return _note_refusal(node);
}

static int _refuse_return(const node_record_t* node, uint32_t block) {
    int rc = _note_refusal(node);

    refusal.of_return = true;
    refusal.block = block;
    return rc;
}

/* Whether this is what Slurm has on record. What comes later is another update, also for a topology
 * that was not told in between. */
static bool _is_said_again(const node_record_t* node) {
    return refusal.update && (refusal.node == node->index) && (update.serial == refusal.update + 1);
}

/* At a start an error would end slurmctld; a slurmctld that is asked to read its configuration anew
 * may refuse. */
static bool _has_to_start(void) {
    return _is_starting() && !nvl72_may_end();
}

static const char* _consequence(void) {
    return _has_to_start() ? "the node's Topology= is ignored" : "nothing is changed";
}

/* As Slurm's own plugin does. */
static int _refuse_unknown(const node_record_t* node, const char* unit) {
    error(
        "%s: %s: there is no block %s; %s. Blocks are created for nodes only with "
        "TopologyParam=Nvl72NewBlocks=on",
        plugin_type, node->name, unit, _consequence());
    return _has_to_start() ? SLURM_SUCCESS : _refuse(node);
}

static int _refuse_name(const node_record_t* node, const char* unit, const char* why) {
    error("%s: %s: no block %s is created, %s: %s", plugin_type, node->name, unit, _consequence(),
          why);
    return _has_to_start() ? SLURM_SUCCESS : _refuse(node);
}

/* ---- Changes -----------------------------------------------------------------------------------
 */

static int _put(nvl72_context_t* context, nvl72block_topology* topology, node_record_t* node,
                char* unit, topology_ctx_t* tctx) {
    uint32_t before = nvl72block_topology_block_of(topology, node->index);
    nvl72block_error problem;
    uint32_t block;
    int rc = SLURM_SUCCESS;

    topology = _with_unit(topology, node, unit, tctx, &problem); /* with a reference of ours */
    if (!topology) return _refuse_name(node, unit, problem.message);
    block = nvl72block_topology_find_block(topology, unit);
    if (block != before) {
        rc = _move_and_tell(context, topology, node, block, tctx);
        if (!rc) _note_step(context, tctx, before);
    }
    nvl72block_topology_release(topology);
    return rc;
}

/*
 * A node that is powered down returns to the block of its line in slurm.conf. Where the line's text
 * is lost (configured_blocks.c) Slurm takes the node out of its block. The deletion of a node looks
 * the same, but only the return heeds an error: then Slurm says the node's former block again, and
 * the node goes to the one of its line. Of several topologies only the first that refuses would
 * hear of a deletion, so there nodes that can be deleted are not kept.
 */
static bool _is_to_stay(const nvl72_context_t* context, const node_record_t* node,
                        const topology_ctx_t* tctx) {
    return NVL72_RETURNS_NOWHERE(node) && nvl72_configured_block(context, node) &&
           !(tctx->config && IS_NODE_DYNAMIC_NORM(node));
}

static bool _is_unknown(const nvl72_context_t* context, const nvl72block_topology* topology,
                        const char* unit) {
    return unit && nvl72block_options_have(context->options, "Nvl72NewBlocks=off") &&
           (nvl72block_topology_find_block(topology, unit) == NVL72BLOCK_NO_BLOCK);
}

/* What is meant by what Slurm says again. False when nothing is to be done. */
static bool _understand_again(const nvl72_context_t* context, const nvl72block_topology* topology,
                              const node_record_t* node, char** unit) {
    char* block = nvl72_configured_block(context, node);

    if (!refusal.of_return) return *unit;
    if (block && *unit && (nvl72block_topology_find_block(topology, *unit) == refusal.block)) {
        *unit = block;
        info("%s stays in %s, which its line in slurm.conf names", node->name, block);
    }
    return true;
}

static int _change(nvl72_context_t* context, nvl72block_topology* topology, node_record_t* node,
                   char* unit, topology_ctx_t* tctx) {
    uint32_t before = nvl72block_topology_block_of(topology, node->index);
    int rc;

    if (_is_said_again(node)) {
        if (!_understand_again(context, topology, node, &unit)) return SLURM_SUCCESS;
    } else if (!unit && _is_to_stay(context, node, tctx)) {
        rc = _put(context, topology, node, NULL, tctx);
        return rc ? rc : _refuse_return(node, before);
    }
    if (_is_unknown(context, topology, unit)) return _refuse_unknown(node, unit);
    return _put(context, topology, node, unit, tctx);
}

/* Slurm holds the node write lock, so there is one change at a time. */
extern int nvl72_own_add_rm_node(node_record_t* node, char* unit, topology_ctx_t* tctx) {
    nvl72_context_t* context = NVL72_CONTEXT_OF_TCTX;
    nvl72block_topology* topology = nvl72_context_topology(context);
    int rc;

    if (!topology) return unit ? SLURM_ERROR : SLURM_SUCCESS;
    if (nvl72_cliques_rule(context)) {
        rc = _refuse_move(topology, node, unit);
    } else {
        nvl72_configured_note(context, node, tctx->name);
        _note_update(context, node);
        rc = _change(context, topology, node, unit, tctx);
    }
    nvl72block_topology_release(topology);
    return rc;
}

extern void nvl72_membership_follow(nvl72_context_t* context, const node_record_t* node,
                                    const char* unit) {
    nvl72block_topology* topology = nvl72_context_topology(context);
    uint32_t block = unit ? nvl72block_topology_find_block(topology, unit) : NVL72BLOCK_NO_BLOCK;

    if (topology && !nvl72_cliques_rule(context) &&
        (block != nvl72block_topology_block_of(topology, node->index)))
        (void)_move(context, topology, node, block);
    nvl72block_topology_release(topology);
}

extern void nvl72_membership_forget(void) {
    refusal.update = 0;
    _forget_update();
}

extern int nvl72_own_destroy_config(topology_ctx_t* tctx) {
    nvl72_membership_forget();
    nvl72_context_destroy(NVL72_CONTEXT_OF_TCTX);
    NVL72_SET_CONTEXT(NULL);
    return SLURM_SUCCESS;
}
