/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The weights that Slurm has given the nodes for a job. They are in the node records, which are
 * scattered over memory: on a large cluster reading all of them takes longer than the decision. So
 * the job is first placed without them, and they are read if they could change the result.
 */
#include <stdlib.h>
#include <string.h>

#include "job/job.h"
#include "slurm/clock.h"
#include "slurm/facts.h"

#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/slurmctld/slurmctld.h"

/* What Slurm adds to the weight of a node that has to boot for a job whose start is only forecast.
 */
#define NVL72_BOOT_LATER UINT64_C(0x2000000000000)

/* Seconds for which the nodes' GPUs are taken to be as configured before. */
#define NVL72_GPU_PERIOD 60

/* Asks for the records of a word's nodes, all at once: they arrive while another word is read. */
static void _fetch(nvl72block_view nodes, size_t word) {
    if (word * 64 >= nodes.bits) return;
    for (uint64_t rest = nodes.words[word]; rest; rest &= rest - 1)
        __builtin_prefetch(
            &node_record_table_ptr[(word * 64) + __builtin_ctzll(rest)]->sched_weight);
}

extern bool nvl72_weights_differ(nvl72block_view nodes) {
    int first = nvl72_next_node(nodes, 0);
    uint64_t weight = (first < 0) ? 0 : node_record_table_ptr[first]->sched_weight;
    size_t words = (nodes.bits + 63) / 64;

    _fetch(nodes, 0);
    for (size_t word = 0; word < words; word++) {
        _fetch(nodes, word + 1);
        for (uint64_t rest = nodes.words[word]; rest; rest &= rest - 1) {
            size_t node = (word * 64) + __builtin_ctzll(rest);

            if (node_record_table_ptr[node]->sched_weight != weight) return true;
        }
    }
    return false;
}

extern void nvl72_case_weigh(nvl72_case_t* c) {
    if (c->weighed) return;
    c->weighed = true;
    if (!nvl72_weights_differ(c->state.usable)) return;
    c->weight = xcalloc(node_record_count, sizeof(*c->weight));
    for (int i = nvl72_next_node(c->state.usable, 0); i >= 0;
         i = nvl72_next_node(c->state.usable, i + 1))
        c->weight[i] = node_record_table_ptr[i]->sched_weight;
    c->state.weight = c->weight;
}

/* ---- What slurm.conf says of all nodes --------------------------------------------------------
 */

/* Slurm's configuration records, as far as a few words tell them from others. */
typedef struct {
    const config_record_t* first;
    uint32_t first_weight;
    int records;
    int nodes;
} nvl72_config_t;

/* Whether the records are those that `seen` describes, which is brought up to date. */
static bool _is_config(nvl72_config_t* seen) {
    const config_record_t* first = list_peek(config_list);
    nvl72_config_t now = {
        .first = first,
        .first_weight = first ? first->weight : 0,
        .records = list_count(config_list),
        .nodes = active_node_record_count,
    };
    bool same = (now.first == seen->first) && (now.first_weight == seen->first_weight) &&
                (now.records == seen->records) && (now.nodes == seen->nodes);

    *seen = now;
    return same;
}

static int _find_least(void* x, void* argument) {
    const config_record_t* config = x;
    uint32_t* least = argument;

    *least = MIN(*least, config->weight);
    return SLURM_SUCCESS;
}

/*
 * The least weight of any node. Slurm sorts the records by weight whenever one changes, so that the
 * least comes first: where the first is as before, and there are no other records, nothing lighter
 * has come. A walk along hundreds of records is as slow as the decision. The caller holds Slurm's
 * node lock for writing, as every placement does.
 */
static uint32_t _least_weight(void) {
    static nvl72_config_t seen;
    static uint32_t least;

    if (!_is_config(&seen)) {
        least = UINT32_MAX;
        (void)list_for_each_ro(config_list, _find_least, &least);
    }
    return least;
}

/* GPUs that a Gres= list names. What it leaves to be found out is not known. */
static uint32_t _count_gpus(const char* gres) {
    uint64_t gpus = 0;

    while (gres && *gres) {
        const char* end = gres + strcspn(gres, ",");

        if (!strncmp(gres, "gpu", 3) && strchr(":(,", gres[3])) {
            const char* name_end = gres + strcspn(gres, "(,");
            const char* count = name_end;
            char* count_end;

            while ((count > gres) && (count[-1] != ':')) count--;
            if ((*count < '0') || (*count > '9')) return UINT8_MAX;
            gpus += strtoul(count, &count_end, 10);
            if (count_end != name_end) return UINT8_MAX;
        }
        gres = *end ? end + 1 : end;
    }
    return MIN(gpus, UINT8_MAX);
}

static int _add_gpus(void* x, void* argument) {
    const config_record_t* config = x;
    uint32_t* most = argument;

    *most = MAX(*most, _count_gpus(config->gres));
    return SLURM_SUCCESS;
}

/* The most GPUs that any node has; UINT8_MAX: that many or more, or not known. That an
 * administrator has given a node more GPUs is noticed within a minute. Locked as above. */
static uint32_t _most_gpus(void) {
    static nvl72_config_t seen;
    static time_t asked;
    static uint32_t most;

    if (!_is_config(&seen) || (nvl72_seconds() - asked >= NVL72_GPU_PERIOD)) {
        asked = nvl72_seconds();
        most = 0;
        (void)list_for_each_ro(config_list, _add_gpus, &most);
    }
    return most;
}

/* ---- Whether weights matter --------------------------------------------------------------------
 */

/* Slurm keeps a bitmap of the nodes that are powered down, which makes each of them heavier. */
static bool _all_powered_down(nvl72block_view nodes) {
    nvl72block_view down = nvl72_view(power_down_node_bitmap);
    uint64_t up = 0;

    if (down.bits < nodes.bits) return false;
    for (size_t word = 0; word < (nodes.bits + 63) / 64; word++)
        up |= nodes.words[word] & ~down.words[word];
    return !up;
}

/*
 * Whether no candidate can be lighter than this. Slurm makes a node's weight for a job from the
 * configured one, shifted by one byte (for a job that may start now) or two (for a forecast), and
 * from what makes the node less welcome. Nothing is lighter than a node that nothing speaks
 * against, and where all nodes have to boot nothing is lighter than one that only has to boot. For
 * jobs with GRES the lowest byte tells how many GPUs lie near the cores that the job would get: the
 * more, the lighter. For others it is the same everywhere.
 */
static bool _is_least(const nvl72_case_t* c, uint64_t weight, uint64_t configured) {
    uint64_t near_gpus = 0xff - (weight & 0xff);
    uint64_t upper = weight & ~UINT64_C(0xff);
    uint64_t now = configured << 8;
    uint64_t later = configured << 16;

    if (c->job->gres_list_req && (near_gpus < _most_gpus())) return false;
    if ((upper == now) || (upper == later)) return true;
    return ((upper == (now | NVL72_BOOT_NOW)) || (upper == (later | NVL72_BOOT_LATER))) &&
           _all_powered_down(c->state.usable);
}

extern bool nvl72_case_is_lightest(const nvl72_case_t* c) {
    nvl72block_view chosen = nvl72block_answer_nodes(c->answer);
    const node_record_t* first = node_record_table_ptr[nvl72_next_node(chosen, 0)];
    uint32_t configured = first->config_ptr->weight;

    return (configured == _least_weight()) && _is_least(c, first->sched_weight, configured) &&
           !nvl72_weights_differ(chosen);
}
