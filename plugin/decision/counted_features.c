/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Jobs with counted features. For `-N4 -C 'a*2'` or `-C '[a*2&b*2]'` Slurm asks for the nodes of
 * each feature alone, and at last for all nodes of the job around them. Wherever those of one
 * feature fit best there may be no room for the others. So all are looked for where the others fit.
 * Nodes that -w names come with the others; those that have the feature are taken for it, or the
 * job would need more nodes than it may have.
 */
#include "decision/decision.h"
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_features.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"

static list_t* _features(const job_details_t* details) {
    return details->feature_list_use ? details->feature_list_use : details->feature_list;
}

typedef struct {
    uint32_t asked; /* nodes of the question */
    bool is_of_one; /* a feature has this count */
    uint32_t kinds; /* features with a count */
    uint32_t nodes; /* of all of them */
} nvl72_counts_t;

static int _add_count(void* x, void* argument) {
    const job_feature_t* feature = x;
    nvl72_counts_t* counts = argument;

    if (!feature->count) return SLURM_SUCCESS;
    counts->kinds++;
    counts->nodes += feature->count;
    counts->is_of_one |= (feature->count == counts->asked);
    return SLURM_SUCCESS;
}

static nvl72_counts_t _counts(const topology_eval_t* eval) {
    list_t* features = _features(eval->job_ptr->details);
    nvl72_counts_t counts = {.asked = eval->min_nodes};

    if (features) (void)list_for_each(features, _add_count, &counts);
    return counts;
}

/* The nodes of -w, which are no requirement yet; NULL: none. The caller frees the bitmap. */
static bitstr_t* _named(const job_details_t* details) {
    bitstr_t* named = NULL;

    if (!details->req_nodes || details->req_node_bitmap) return NULL;
    (void)node_name2bitmap(details->req_nodes, true, &named, NULL);
    return named;
}

extern uint32_t nvl72_nodes_around_a_feature(const topology_eval_t* eval) {
    const job_details_t* details = eval->job_ptr->details;
    nvl72_counts_t counts = _counts(eval);
    /* With --ntasks-per-node Slurm makes the tasks those of the feature's nodes. */
    bool few_tasks = (eval->job_ptr->bit_flags & JOB_NTASKS_SET) && !details->ntasks_per_node &&
                     (details->num_tasks < eval->max_nodes);
    bool has_most = (details->max_nodes != NO_VAL) && (eval->max_nodes <= details->max_nodes);
    uint32_t all = counts.nodes;

    /* In the last question the features' nodes are required, and no others are asked for. */
    if (details->req_node_bitmap || !counts.is_of_one || (eval->min_nodes != details->min_nodes))
        return 0;
    if (has_most && !few_tasks) all = MAX(all, eval->max_nodes);
    return ((all > eval->min_nodes) || details->req_nodes) ? all : 0;
}

extern bitstr_t* nvl72_named_of_feature(const topology_eval_t* eval) {
    bitstr_t* named = _named(eval->job_ptr->details);
    int surplus;

    if (!named) return NULL;
    bit_and(named, eval->node_map);
    surplus = bit_set_count(named) - (int)eval->min_nodes;
    for (; surplus > 0; surplus--) bit_clear(named, bit_fls(named));
    if (bit_ffs(named) < 0) FREE_NULL_BITMAP(named);
    return named;
}

/* The question is about one feature's nodes: what holds for all that are offered is taken to hold
 * for those of the job's other nodes that Slurm will offer. */
static void _keep_like(bitstr_t* usable, const topology_eval_t* eval, bitstr_t* kind) {
    if (kind && bit_super_set(eval->node_map, kind)) bit_and(usable, kind);
}

typedef struct {
    const topology_eval_t* eval;
    bitstr_t* usable;
} nvl72_asked_t;

/* Nodes of a feature that is asked for which are not offered. */
static int _take_out_not_offered(void* x, void* argument) {
    const job_feature_t* feature = x;
    const nvl72_asked_t* asked = argument;
    bitstr_t* missing;

    if ((feature->count != asked->eval->min_nodes) || !feature->node_bitmap_active ||
        !bit_super_set(asked->eval->node_map, feature->node_bitmap_active))
        return SLURM_SUCCESS;
    missing = bit_copy(feature->node_bitmap_active);
    bit_and_not(missing, asked->eval->node_map);
    bit_and_not(asked->usable, missing);
    FREE_NULL_BITMAP(missing);
    return SLURM_SUCCESS;
}

/* What Slurm may offer for the job's other nodes. */
static bitstr_t* _usable(const topology_eval_t* eval) {
    nvl72_asked_t asked = {.eval = eval, .usable = nvl72_ever_usable(eval)};
    bitstr_t* excluded = eval->job_ptr->details->exc_node_bitmap;

    if (excluded) bit_and_not(asked.usable, excluded);
    _keep_like(asked.usable, eval, avail_node_bitmap);
    if (nvl72_has_whole_nodes(eval->job_ptr)) _keep_like(asked.usable, eval, idle_node_bitmap);
    (void)list_for_each(_features(eval->job_ptr->details), _take_out_not_offered, &asked);
    return asked.usable;
}

static int _has_too_few(void* x, void* key) {
    const job_feature_t* feature = x;

    return feature->count && feature->node_bitmap_active &&
           (bit_overlap(feature->node_bitmap_active, key) < (int)feature->count);
}

/* Base blocks of the smallest blocks that hold so many nodes; 0: none does. */
static uint32_t _blocks_for(const nvl72block_topology* topology, uint32_t nodes) {
    uint64_t size = nvl72block_topology_planning_size(topology);

    for (uint32_t level = 0; level < nvl72block_topology_level_count(topology); level++) {
        uint32_t exponent = nvl72block_topology_level_exponent(topology, level);

        if (nodes <= (size << exponent)) return 1U << exponent;
    }
    return 0;
}

/* Those of `usable` in blocks with room for all, and with the named nodes; with features of several
 * kinds, which are asked for one by one, in the tightest of these. `asked`: in the tightest that
 * has as many of these as are asked for; or NULL. */
static bitstr_t* _with_room(const nvl72block_topology* topology, const topology_eval_t* eval,
                            bitstr_t* usable, uint32_t all, bitstr_t* asked) {
    bitstr_t* named = _named(eval->job_ptr->details);
    bool one_block = asked || (_counts(eval).kinds > 1);
    uint32_t step = _blocks_for(topology, all), end = nvl72block_topology_block_count(topology);
    bitstr_t *found = bit_alloc(bit_size(usable)), *block = bit_alloc(bit_size(usable));
    int fewest = INT32_MAX;

    for (uint32_t first = 0; step && (first < end); first += step) {
        int nodes;

        bit_clear_all(block);
        nvl72block_topology_members(topology, first, MIN(first + step, end), nvl72_words(block),
                                    bit_size(block));
        bit_and(block, usable);
        nodes = bit_set_count(block);
        if ((nodes < (int64_t)all) || (one_block && (nodes >= fewest)) ||
            (named && !bit_super_set(named, block)) ||
            (asked && (bit_overlap(block, asked) < (int)eval->min_nodes)) ||
            list_find_first(_features(eval->job_ptr->details), _has_too_few, block))
            continue;
        if (one_block) bit_clear_all(found);
        bit_or(found, block);
        fewest = nodes;
    }
    FREE_NULL_BITMAP(block);
    FREE_NULL_BITMAP(named);
    return found;
}

extern bool nvl72_keep_room_for_others(const nvl72block_topology* topology, topology_eval_t* eval,
                                       uint32_t all, bool one_block) {
    bitstr_t* usable = _usable(eval);
    bitstr_t* roomy = _with_room(topology, eval, usable, all, one_block ? eval->node_map : NULL);
    bool kept = bit_overlap_any(roomy, eval->node_map);

    if (kept) bit_and(eval->node_map, roomy);
    FREE_NULL_BITMAP(usable);
    FREE_NULL_BITMAP(roomy);
    return kept;
}

extern bool nvl72_fits_around_features(const nvl72block_topology* topology,
                                       const topology_eval_t* eval) {
    const job_details_t* details = eval->job_ptr->details;
    bitstr_t *usable, *roomy;
    bool fits;

    if (!details->req_node_bitmap || details->req_nodes || !_counts(eval).kinds) return false;
    usable = nvl72_ever_usable(eval);
    roomy = _with_room(topology, eval, usable, eval->min_nodes, NULL);
    fits = bit_ffs(roomy) >= 0;
    FREE_NULL_BITMAP(usable);
    FREE_NULL_BITMAP(roomy);
    return fits;
}
