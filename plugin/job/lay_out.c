/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Gives the chosen nodes their cores, CPUs and GRES with Slurm's own helpers.
 *
 * A job that asks for GPUs in total is tried in two ways. Step by step: a node's cores are selected
 * when the nodes before it have their GPUs, so that it gets CPUs for the GPUs that are left, as
 * DefCpuPerGPU documents. Cores first: the cores of all nodes are selected before any has a GPU,
 * as Slurm's own algorithms do, so that nodes get the CPUs that the tasks need beside few GPUs.
 * That comes first where the CPUs of a GPU are not named. Where neither does, CPUs are kept for the
 * job's least nodes only, again as Slurm's own algorithms do: the first nodes then get more CPUs
 * and with them more GPUs.
 */
#include "job/job.h"
#include "slurm/facts.h"
#include "slurm/planted.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/interfaces/gres.h"
#include "src/plugins/topology/common/eval_nodes.h"
#include "src/plugins/topology/common/gres_sched.h"

typedef enum {
    NVL72_STEP_BY_STEP,
    NVL72_CORES_FIRST,
    NVL72_FIRST_NODES_FIRST, /* cores first, and CPUs are kept for the least nodes only */
} nvl72_order_t;

/* One chosen node. */
typedef struct {
    nvl72_kept_t kept;
    uint32_t held_back;  /* CPUs that Slurm keeps for each later node, by the size of this one */
    uint16_t cpus;       /* for the job on the selected cores */
    uint32_t most_tasks; /* by GRES of each task */
} nvl72_chosen_t;

typedef struct {
    nvl72_case_t* c;
    nvl72_findings_t* findings;
    nvl72_order_t order;
    nvl72_chosen_t* chosen; /* by segments, as in the answer; those with least held back first */
    uint32_t count;
    /* what is left to give */
    int nodes;
    int64_t cpus;
    int64_t max_cpus;
    uint64_t max_tasks;
} nvl72_rest_t;

static void _keep(nvl72_rest_t* rest, uint32_t node, nvl72_chosen_t* chosen) {
    nvl72_keep(rest->c, node, &chosen->kept);
    chosen->held_back = job_mgr_determine_cpus_per_core(rest->c->job->details, node);
    if (rest->c->eval->cr_type & NVL72_BY_SOCKET)
        chosen->held_back *= node_record_table_ptr[node]->cores;
}

static int _by_held_back(const void* a, const void* b) {
    const nvl72_chosen_t *left = a, *right = b;

    if (left->held_back != right->held_back) return (left->held_back < right->held_back) ? -1 : 1;
    return (left->kept.node > right->kept.node) - (left->kept.node < right->kept.node);
}

/* A large node before small ones would leave too few CPUs for itself (eval_nodes_cpus_to_use()). */
static void _keep_all(nvl72_rest_t* rest) {
    const nvl72block_answer* answer = rest->c->answer;

    for (size_t segment = 0; segment < nvl72block_answer_segment_count(answer); segment++) {
        nvl72_chosen_t* first = rest->chosen + rest->count;
        bool unlike = false;
        size_t count;
        const uint32_t* nodes = nvl72block_answer_segment(answer, segment, &count);

        for (size_t i = 0; i < count; i++) {
            _keep(rest, nodes[i], &rest->chosen[rest->count++]);
            unlike |= first[i].held_back != first->held_back;
        }
        if (unlike) qsort(first, count, sizeof(*first), _by_held_back);
    }
}

static void _put_all_back(nvl72_rest_t* rest) {
    for (uint32_t i = 0; i < rest->count; i++) nvl72_put_back(rest->c, &rest->chosen[i].kept);
}

static void _forget(nvl72_rest_t* rest) {
    for (uint32_t i = 0; i < rest->count; i++) nvl72_kept_free(&rest->chosen[i].kept);
    xfree(rest->chosen);
}

static void _mark_bad(nvl72_rest_t* rest, uint32_t node) {
    if (!rest->findings->bad) rest->findings->bad = bit_alloc(node_record_count);
    bit_set(rest->findings->bad, node);
}

/* Adds a node whose cores are selected; eval->avail_cpus says how many CPUs that makes. */
static void _add_node(nvl72_rest_t* rest, uint32_t node) {
    topology_eval_t* eval = rest->c->eval;
    avail_res_t* offer = eval->avail_res_array[node];
    uint16_t selected = eval->avail_cpus;
    uint32_t most;

    if (!selected ||
        !eval_nodes_cpus_to_use(eval, node, rest->max_cpus, rest->nodes, &rest->max_tasks, true) ||
        !eval->avail_cpus) {
        _mark_bad(rest, node);
        return;
    }
    /* Slurm's helper counts --mincpus on a node that has fewer, and then may fail to start a job
     * with GRES. For others it counts on them: only MaxCPUsPerNode can leave their nodes fewer.
     */
    most = MAX(MAX(selected, offer->gres_min_cpus), nvl72_least_on_threads(rest->c, node));
    if (rest->c->spared && rest->c->job->gres_list_req && (eval->avail_cpus > most)) {
        eval->avail_cpus = offer->avail_cpus = most;
        *rest->c->spared = true;
    }
    rest->nodes--;
    rest->cpus -= eval->avail_cpus;
    rest->max_cpus -= eval->avail_cpus;
}

static void _lay_out_node(nvl72_rest_t* rest, nvl72_chosen_t* chosen) {
    if (rest->order != NVL72_STEP_BY_STEP) {
        rest->c->eval->avail_cpus = chosen->cpus;
    } else {
        nvl72_select_cores(rest->c, chosen->kept.node, rest->nodes);
        chosen->cpus = rest->c->eval->avail_cpus;
    }
    _add_node(rest, chosen->kept.node);
}

/* Where segments have shares of their own, CPUs and GPUs are kept for the nodes of the segment. */
static void _select_all(nvl72_rest_t* rest) {
    size_t segments = nvl72block_answer_segment_count(rest->c->answer);
    uint32_t nodes = rest->c->least_nodes;

    if (nvl72_has_cpus_of_segments(rest->c)) nodes /= MAX(segments, 1);
    for (uint32_t i = 0; i < rest->count; i++) {
        nvl72_select_cores(rest->c, rest->chosen[i].kept.node, nodes);
        rest->chosen[i].cpus = rest->c->eval->avail_cpus;
    }
}

static bool _gres_suffice(const nvl72_case_t* c) {
    return !c->eval->gres_per_job || gres_sched_test(c->job->gres_list_req, c->job->job_id) ||
           (c->all_gpus && nvl72_gpus_are_free(c));
}

/* Segment by segment; false when a segment's share of the job's GRES is not met. */
static bool _lay_out_segments(nvl72_rest_t* rest) {
    nvl72_case_t* c = rest->c;
    size_t segments = nvl72block_answer_segment_count(c->answer);
    nvl72_chosen_t* chosen = rest->chosen;

    if (rest->order != NVL72_STEP_BY_STEP) _select_all(rest);
    for (size_t segment = 0; segment < segments; segment++) {
        size_t count;

        (void)nvl72block_answer_segment(c->answer, segment, &count);
        if (segment) NVL72_GRES_NEXT_SEGMENT(c->job->gres_list_req);
        if (nvl72_has_cpus_of_segments(c)) rest->nodes = count;
        for (size_t i = 0; i < count; i++) _lay_out_node(rest, chosen++);
        if (NVL72BLOCK_HAVE_GRES_SEGMENTS && (segments > 1) && !_gres_suffice(c)) return false;
    }
    return _gres_suffice(c);
}

/* A node table that grew since the topology was made is fine. */
extern void nvl72_show_chosen(nvl72_case_t* c) {
    bit_clear_all(c->eval->node_map);
    nvl72_add_nodes(c->eval->node_map, nvl72block_answer_nodes(c->answer));
}

/* Cores that GRES made unusable take their CPUs with them; that can leave a node without any. */
static bool _trim_cpus(nvl72_rest_t* rest) {
    topology_eval_t* eval = rest->c->eval;
    bool usable = true;

    eval_nodes_clip_socket_cores(eval);
    for (uint32_t i = 0; i < rest->count; i++) {
        uint32_t node = rest->chosen[i].kept.node;
        avail_res_t* offer = eval->avail_res_array[node];
        uint32_t most;

        if (!rest->chosen[i].kept.cores) continue;
        /* Where it fills sockets, Slurm puts tasks on all threads, --ntasks-per-core or not. */
        most = (rest->c->as_slurm && nvl72_fills_sockets(rest->c))
                   ? nvl72_threads_selected(rest->c, node)
                   : nvl72_cpus_selected(rest->c, node);
        offer->avail_cpus = MIN(offer->avail_cpus, most);
        if (!offer->avail_cpus) {
            _mark_bad(rest, node);
            usable = false;
        }
    }
    return usable;
}

/* CPUs that the job could have on a node: those on its selected cores. */
static int64_t _most_cpus(const nvl72_rest_t* rest, const nvl72_chosen_t* chosen) {
    if (!chosen->kept.cores) return chosen->cpus;
    return MIN(chosen->cpus, nvl72_cpus_on_cores(rest->c, chosen->kept.node));
}

/* Nodes get more of their CPUs where those that were kept for others leave the job too few. */
static bool _hold_cpus(nvl72_rest_t* rest) {
    for (uint32_t i = 0; (rest->cpus > 0) && (i < rest->count); i++) {
        avail_res_t* offer = rest->c->eval->avail_res_array[rest->chosen[i].kept.node];
        int64_t more = MIN(rest->cpus, _most_cpus(rest, &rest->chosen[i]) - offer->avail_cpus);

        if (more <= 0) continue;
        offer->avail_cpus += more;
        rest->cpus -= more;
    }
    return rest->cpus <= 0;
}

/* Tasks that Slurm gives a node with so many CPUs: one, then those that its CPUs and GRES allow. */
static int64_t _tasks_on(const nvl72_rest_t* rest, const nvl72_chosen_t* chosen, int64_t cpus) {
    int64_t tasks = cpus / nvl72_cpus_a_task(rest->c->job);

    return MAX(1, MIN(tasks, chosen->most_tasks));
}

static int64_t _cpus_given(const nvl72_rest_t* rest, uint32_t i) {
    return rest->c->eval->avail_res_array[rest->chosen[i].kept.node]->avail_cpus;
}

/* Tasks that Slurm will distribute over the nodes. Those that nobody has named are for as few nodes
 * as the job may have. */
static uint32_t _tasks(const nvl72_rest_t* rest) {
    const job_record_t* job = rest->c->job;
    const job_details_t* details = job->details;
    bool by_node = NVL72_FILLS_TASKS_PER_NODE || !(job->bit_flags & JOB_NTASKS_SET);

    return (by_node && details->ntasks_per_node) ? details->ntasks_per_node * rest->count
                                                 : details->num_tasks;
}

/* Whether the job's CPUs are enough for its tasks, however they are divided. */
static bool _cpus_make_tasks(const nvl72_rest_t* rest) {
    const job_record_t* job = rest->c->job;
    bool counted = (job->bit_flags & JOB_NTASKS_SET) || job->details->ntasks_per_node;
    uint32_t tasks = _tasks(rest);
    int64_t cpus = 0;

    if (!counted || rest->c->share_cpus || nvl72_fills_whole_nodes(job)) return true;
    for (uint32_t i = 0; i < rest->count; i++)
        if (rest->chosen[i].most_tasks < tasks) return false;
    for (uint32_t i = 0; i < rest->count; i++) cpus += _cpus_given(rest, i);
    /* The nodes of a feature (`-C 'all*2'`) are chosen for their number, not for all tasks; those
     * of segments for what the shares leave. */
    return (nvl72_cpus_a_task(job) <= 1) && (NVL72_OVERCOMMITS(job) || (tasks <= cpus));
}

static void _limit_tasks(nvl72_rest_t* rest) {
    for (uint32_t i = 0; i < rest->count; i++)
        rest->chosen[i].most_tasks =
            nvl72_tasks_with_gres(rest->c->eval->avail_res_array[rest->chosen[i].kept.node]);
}

static int64_t _threads(const nvl72_rest_t* rest, const nvl72_chosen_t* chosen) {
    return nvl72_threads_selected(rest->c, chosen->kept.node);
}

/* Nodes get CPUs for as many of the lacking tasks as `most` allows; those still lacking. */
static int64_t _add_tasks(nvl72_rest_t* rest, int64_t lacking,
                          int64_t (*most)(const nvl72_rest_t*, const nvl72_chosen_t*)) {
    for (uint32_t i = 0; (lacking > 0) && (i < rest->count); i++) {
        const nvl72_chosen_t* chosen = &rest->chosen[i];
        avail_res_t* offer = rest->c->eval->avail_res_array[chosen->kept.node];
        int64_t tasks = _tasks_on(rest, chosen, offer->avail_cpus);
        int64_t more = MIN(lacking, _tasks_on(rest, chosen, most(rest, chosen)) - tasks);

        if (more <= 0) continue;
        offer->avail_cpus = (tasks + more) * nvl72_cpus_a_task(rest->c->job);
        lacking -= more;
    }
    return lacking;
}

/* The nodes of segments have what they have; Slurm does not start a job that lacks CPUs for tasks.
 */
static bool _segments_hold_tasks(const nvl72_rest_t* rest) {
    const job_record_t* job = rest->c->job;
    int64_t tasks = 0;

    if (job->details->overcommit || nvl72_has_whole_nodes(job)) return true;
    for (uint32_t i = 0; i < rest->count; i++)
        tasks += MAX(1, _cpus_given(rest, i) / nvl72_cpus_a_task(job));
    return tasks >= (int64_t)_tasks(rest);
}

/*
 * Slurm gives each node a task, then more where a node has the CPUs and GRES of another one. Enough
 * CPUs in all can be too few for the tasks where several CPUs make a task, or where the GRES of a
 * node are for fewer tasks than its CPUs: then nodes get more, too.
 */
static bool _hold_tasks(nvl72_rest_t* rest) {
    const job_record_t* job = rest->c->job;
    uint32_t each = nvl72_cpus_a_task(job);
    int64_t lacking = _tasks(rest);

    _limit_tasks(rest);
    for (uint32_t i = 0; i < rest->count; i++)
        lacking -= _tasks_on(rest, &rest->chosen[i], _cpus_given(rest, i));
    if (_cpus_make_tasks(rest)) return true;
    lacking = _add_tasks(rest, lacking, _most_cpus);
    /* Slurm does not start a job that lacks CPUs for its tasks; it may for one that counts threads
     * which its tasks leave unused. Where it takes cores from each socket in turn, it holds a job
     * for good that counts more CPUs than these cores are for. */
    if (rest->c->job->gres_list_req && nvl72_fills_sockets(rest->c))
        lacking = _add_tasks(rest, lacking, _threads);
    if (nvl72_has_cpus_of_segments(rest->c)) return _segments_hold_tasks(rest);
    /* Planes may end with a part of a task. */
    return (lacking <= 0) || (each <= 1) ||
           ((job->details->task_dist & SLURM_DIST_STATE_BASE) == SLURM_DIST_PLANE);
}

/*
 * Where Slurm asks for the nodes of a counted feature it names no more than their tasks, if
 * --ntasks-per-node does; the job's other nodes have theirs in the end. Where it does not fill
 * sockets it fails all the same, as it looks for the GPUs of each question.
 */
static bool _names_tasks_of_a_feature(const nvl72_rest_t* rest) {
    const job_details_t* details = rest->c->job->details;

    return details->ntasks_per_node && nvl72_fills_sockets(rest->c) &&
           nvl72_counts_features(rest->c->job) &&
           (details->num_tasks == rest->c->eval->min_nodes * details->ntasks_per_node);
}

/* Slurm remembers the tasks of a counted feature's nodes as those of the job. */
static bool _ends_slurmctld(const nvl72_rest_t* rest) {
    const job_record_t* job = rest->c->job;

    return NVL72_DIVIDES_BY_TASKS && xstrstr(job->tres_per_task, "gres") &&
           job->details->ntasks_per_node && (job->bit_flags & JOB_NTASKS_SET) &&
           (rest->count > job->details->num_tasks) && !nvl72_has_whole_nodes(job);
}

/*
 * On shared nodes Slurm distributes the user's tasks. A node that none is left for has no CPUs but
 * those that the job's GPUs are to have, and without any there are no cores for its GPUs. Where it
 * fills sockets such a node keeps its cores, but gives no GPUs (job_res_add_job()).
 */
static bool _has_cpus_everywhere(const nvl72_rest_t* rest) {
    const job_record_t* job = rest->c->job;
    uint32_t nodes = MAX(_tasks(rest), rest->c->least_nodes);

    if (_ends_slurmctld(rest)) return false;
    /* A partition's MinNodes can ask for more nodes than tasks, and gives each a task. */
    if (!NVL72_COUNTS_ALL_TASKS || !job->gres_list_req || (rest->count <= nodes) ||
        _names_tasks_of_a_feature(rest) || !(job->bit_flags & JOB_NTASKS_SET) ||
        nvl72_has_whole_nodes(job) || (nvl72_fills_sockets(rest->c) && !rest->c->request.gpus))
        return true;
    for (uint32_t i = 0; i < rest->count; i++)
        if (!rest->c->eval->avail_res_array[rest->chosen[i].kept.node]->gres_min_cpus) return false;
    return true;
}

/*
 * CPUs that tasks of more CPUs than a core has, with their cores to themselves, find on a node's
 * selected cores. A task's cores lie on one socket, and its last one has threads unused; cores that
 * are left where no whole task fits count with all threads (_cyclic_sync_core_bitmap()).
 */
static uint32_t _cpus_for_lone_tasks(const nvl72_case_t* c, uint32_t node, uint32_t per_core) {
    const uint32_t each = c->job->details->cpus_per_task;
    uint32_t cpus = 0, left = each; /* of the task that is given cores now */

    for (int s = 0; s < node_record_table_ptr[node]->tot_sockets; s++) {
        uint32_t cores = nvl72_cores_on_socket(c, node, s);
        uint32_t whole = cores * per_core / each * each; /* CPUs of whole tasks */

        for (; cores && whole; cores--) {
            uint32_t used = MIN(left, per_core);

            left = (left > used) ? left - used : each;
            whole = (whole < per_core) ? 0 : whole - used;
            cpus += used;
        }
        cpus += cores * per_core;
    }
    return cpus;
}

/*
 * Slurm counts all threads of the cores that it selects for the job's GPUs, as far as it offers
 * their CPUs, and holds a job for good whose tasks leave some of them unused and that has no other
 * cores.
 */
static bool _has_cores_for_gres(nvl72_rest_t* rest) {
    const job_details_t* details = rest->c->job->details;
    const multi_core_data_t* limits = details->mc_ptr;

    if (!rest->c->job->gres_list_req || !limits || (limits->ntasks_per_core != 1) ||
        nvl72_has_whole_nodes(rest->c->job) || nvl72_fills_sockets(rest->c))
        return true;
    for (uint32_t i = 0; i < rest->count; i++) {
        uint32_t node = rest->chosen[i].kept.node;
        uint32_t per_core = MAX(job_mgr_determine_cpus_per_core(rest->c->job->details, node), 1);
        const avail_res_t* offer = rest->c->eval->avail_res_array[node];

        if ((details->cpus_per_task > per_core) && (_cpus_for_lone_tasks(rest->c, node, per_core) <
                                                    MIN(offer->gres_min_cpus, offer->avail_cpus)))
            _mark_bad(rest, node);
    }
    return !rest->findings->bad;
}

/*
 * A node surely has the tasks that the others have no room for, and the CPUs of its GPUs. Where
 * their cores need more sockets than GPUs are free for, Slurm would allocate GPUs that other jobs
 * have.
 */
static bool _leaves_gres_to_others(nvl72_rest_t* rest) {
    const nvl72_case_t* c = rest->c;
    int64_t lacking = _tasks(rest);

    if (!c->job->gres_list_req) return true;
    for (uint32_t i = 0; i < rest->count; i++)
        lacking -= _tasks_on(rest, &rest->chosen[i], _cpus_given(rest, i));
    lacking = MIN(lacking, 0); /* tasks that share CPUs need no more sockets */
    for (uint32_t i = 0; i < rest->count; i++) {
        int64_t sure = lacking + _tasks_on(rest, &rest->chosen[i], _cpus_given(rest, i));
        uint32_t node = rest->chosen[i].kept.node;
        const avail_res_t* offer = c->eval->avail_res_array[node];
        int64_t cpus = MAX(sure, 1) * nvl72_cpus_a_task(c->job);

        cpus = MAX(cpus, MIN(offer->avail_cpus, offer->gres_min_cpus));
        if (nvl72_takes_gres_of_others(c, node, cpus)) _mark_bad(rest, node);
    }
    return !rest->findings->bad;
}

static void _start(nvl72_rest_t* rest, nvl72_order_t order) {
    nvl72_case_t* c = rest->c;
    job_details_t* details = c->job->details;

    rest->order = order;
    rest->nodes = (order == NVL72_FIRST_NODES_FIRST) ? c->least_nodes : rest->count;
    rest->cpus = nvl72_least_offered_cpus(c);
    rest->max_cpus =
        c->keeps_cpus ? (int64_t)NO_VAL : eval_nodes_get_rem_max_cpus(details, rest->nodes);
    rest->max_tasks = eval_nodes_set_max_tasks(c->job, rest->max_cpus, c->eval->max_nodes);
    FREE_NULL_BITMAP(rest->findings->bad);
    c->eval->gres_per_job = gres_sched_init(c->job->gres_list_req);
    nvl72_hres_reset(c->job);
}

static bool _gives_total_gres(nvl72_rest_t* rest) {
    bool gives = nvl72_gives_total_gres(rest->c);

    rest->findings->mixed |= !gives;
    return gives;
}

static nvl72_layout_t _lay_out_in_order(nvl72_rest_t* rest, nvl72_order_t order) {
    nvl72_case_t* c = rest->c;
    size_t segments = nvl72block_answer_segment_count(c->answer);
    bool gres_suffice;

    _start(rest, order);
    if ((segments > 1) && !NVL72_GRES_SPLIT(c->job->gres_list_req, segments))
        return NVL72_GRES_INDIVISIBLE;
    gres_suffice = _lay_out_segments(rest);
    if (rest->findings->bad) return NVL72_BAD_NODES;
    if (!gres_suffice) return NVL72_SHORT_OF_GRES;
    if (!_gives_total_gres(rest)) return NVL72_SHORT_OF_GRES;
    nvl72_show_chosen(c);
    if (c->job->gres_list_req && !_trim_cpus(rest)) return NVL72_BAD_NODES;
    if (!_hold_cpus(rest) || !_hold_tasks(rest) || !_has_cpus_everywhere(rest))
        return NVL72_SHORT_OF_CPUS;
    return (_has_cores_for_gres(rest) && _leaves_gres_to_others(rest)) ? NVL72_LAID_OUT
                                                                       : NVL72_BAD_NODES;
}

/* Whether nodes that Slurm's own algorithm does not take are of no use to the job. One that fails
 * takes none, and in a range others may do beside them. */
static bool _tells_of_nodes(const nvl72_case_t* c) {
    return !c->request.sized_by_totals &&
           (!nvl72_searches_range(c) || (bit_ffs(c->eval->node_map) >= 0));
}

/* No node has more CPUs than Slurm offers of it. */
static void _cap_miscounts(nvl72_rest_t* rest) {
    if (!NVL72_MISCOUNTS_LEAST_LOADED(rest->c->eval)) return;
    for (uint32_t i = 0; i < rest->count; i++) {
        nvl72_chosen_t* chosen = &rest->chosen[i];
        avail_res_t* offer = rest->c->eval->avail_res_array[chosen->kept.node];

        chosen->cpus = chosen->kept.cpus;
        offer->avail_cpus = MIN(offer->avail_cpus, chosen->cpus);
    }
}

/* Others make up for CPUs that a node has not. */
static bool _makes_up_for_miscounts(nvl72_rest_t* rest) {
    if (!NVL72_MISCOUNTS_LEAST_LOADED(rest->c->eval)) return true;
    for (uint32_t i = 0; i < rest->count; i++) rest->cpus -= _cpus_given(rest, i);
    return _hold_cpus(rest);
}

/* Bad are nodes without memory for the sockets on which Slurm's own algorithm has selected cores,
 * and those that it has left out, unless more nodes may do. */
static bool _take_all_as_slurm(nvl72_rest_t* rest, uint32_t least) {
    nvl72_case_t* c = rest->c;
    nvl72_memory_t* memory = xcalloc(rest->count + 1, sizeof(*memory));
    bool taken, tells;

    for (uint32_t i = 0; i < rest->count; i++)
        nvl72_memory_note(c, rest->chosen[i].kept.node, &memory[i]);
    nvl72_show_chosen(c);
    taken = nvl72_take_all_as_slurm(c->eval, least);
    if (least) _cap_miscounts(rest);
    tells = _tells_of_nodes(c);
    for (uint32_t i = 0; i < rest->count; i++) {
        uint32_t node = rest->chosen[i].kept.node;

        if ((nvl72_cpus_in_memory(c, node, &memory[i]) < _cpus_given(rest, i)) ||
            (tells && !bit_test(c->eval->node_map, node) && !nvl72_is_required(c, node)))
            _mark_bad(rest, node);
    }
    xfree(memory);
    return taken;
}

/* Whether each task of a job with --ntasks-per-core has a CPU on the selected cores, be it of a
 * core that another task has too. If not, Slurm lets the job wait, or holds it for good, when it
 * then distributes the tasks. */
static bool _has_a_cpu_per_task(const nvl72_rest_t* rest) {
    const job_details_t* details = rest->c->job->details;
    uint32_t per_core = details->mc_ptr ? details->mc_ptr->ntasks_per_core : 0;
    int64_t cpus = 0;

    if (!per_core || (per_core == INFINITE16) || details->overcommit) return true;
    for (uint32_t i = 0; i < rest->count; i++) cpus += _cpus_given(rest, i);
    return cpus >= (int64_t)_tasks(rest);
}

/* By Slurm's own algorithm, which knows no segments, for a job of `least` nodes or more (0: in its
 * way for one node). */
static nvl72_layout_t _lay_out_as_slurm(nvl72_rest_t* rest, uint32_t least) {
    nvl72_case_t* c = rest->c;
    bool taken;

    _start(rest, NVL72_CORES_FIRST);
    taken = _take_all_as_slurm(rest, least);
    if (rest->findings->bad) return NVL72_BAD_NODES;
    if (!taken) return NVL72_SHORT_OF_CPUS;
    if (!_gives_total_gres(rest)) return NVL72_SHORT_OF_GRES;
    /* In its way for one node Slurm may select fewer cores than --mincpus names CPUs. */
    if (least && c->job->gres_list_req && !_trim_cpus(rest)) return NVL72_BAD_NODES;
    if (least && !_makes_up_for_miscounts(rest)) return NVL72_SHORT_OF_CPUS;
    _limit_tasks(rest);
    if (!_has_cpus_everywhere(rest) || !_has_a_cpu_per_task(rest)) return NVL72_SHORT_OF_CPUS;
    return (_has_cores_for_gres(rest) && _leaves_gres_to_others(rest)) ? NVL72_LAID_OUT
                                                                       : NVL72_BAD_NODES;
}

/* Whether the job has the CPUs that are named for the GPUs it wants in total. */
static bool _has_named_cpus(const nvl72_rest_t* rest) {
    uint64_t named = nvl72_named_cpus(rest->c->job);

    for (uint32_t i = 0; named && (i < rest->count); i++)
        named -= MIN(named, rest->c->eval->avail_res_array[rest->chosen[i].kept.node]->avail_cpus);
    return !named;
}

/*
 * Whether a node may get more tasks than its selected cores have room for: for --mincpus all their
 * threads count, and with --ntasks-per-core tasks use only some of them. Slurm then logs an error
 * and starts the job with tasks that share cores (_block_sync_core_bitmap()).
 */
static bool _crowds_cores(const nvl72_rest_t* rest) {
    const nvl72_case_t* c = rest->c;
    int64_t most = MAX(1, (int64_t)_tasks(rest) - rest->count + 1); /* each of the others has one */

    if (!c->job->gres_list_req || c->job->details->overcommit || nvl72_has_whole_nodes(c->job))
        return false;
    for (uint32_t i = 0; i < rest->count; i++) {
        const nvl72_chosen_t* chosen = &rest->chosen[i];
        int64_t tasks = MIN(most, _tasks_on(rest, chosen, _cpus_given(rest, i)));

        if (chosen->kept.cores &&
            (tasks * nvl72_cpus_a_task(c->job) > nvl72_task_cpus_selected(c, chosen->kept.node)))
            return true;
    }
    return false;
}

/* 0 where the job has the CPUs that are named for its GPUs, and cores for its tasks; the former
 * weigh more. A node that comes last may have few cores left, and then cores first gives more. */
static int _shortfall(const nvl72_rest_t* rest) {
    return (_has_named_cpus(rest) ? 0 : 2) + (_crowds_cores(rest) ? 1 : 0);
}

/* As it is laid out in another order if that falls less short. */
static nvl72_layout_t _redo(nvl72_rest_t* rest, nvl72_order_t first, nvl72_order_t other) {
    int shortfall = _shortfall(rest);
    nvl72_layout_t result;

    _put_all_back(rest);
    result = _lay_out_in_order(rest, other);
    if ((result == NVL72_LAID_OUT) && (_shortfall(rest) < shortfall)) return result;
    _put_all_back(rest);
    return _lay_out_in_order(rest, first);
}

/* In one way, then in others where that fails. */
static nvl72_layout_t _lay_out_in_some_order(nvl72_rest_t* rest) {
    const nvl72_case_t* c = rest->c;
    bool cores_first = c->request.gpus && !nvl72_names_cpus_of_gres(c->job);
    nvl72_order_t first = cores_first ? NVL72_CORES_FIRST : NVL72_STEP_BY_STEP;
    nvl72_order_t other = cores_first ? NVL72_STEP_BY_STEP : NVL72_CORES_FIRST;
    nvl72_layout_t result;

    if (nvl72_planted("layout")) return NVL72_SHORT_OF_CPUS;
    result = _lay_out_in_order(rest, first);
    if ((result == NVL72_LAID_OUT) && _shortfall(rest)) return _redo(rest, first, other);
    if ((result == NVL72_LAID_OUT) || !c->eval->gres_per_job) return result;
    _put_all_back(rest);
    result = _lay_out_in_order(rest, other);
    if ((result != NVL72_SHORT_OF_GRES) || (rest->count <= c->least_nodes)) return result;
    _put_all_back(rest);
    return _lay_out_in_order(rest, NVL72_FIRST_NODES_FIRST);
}

/* Slurm's algorithms may take time with the square of the nodes. */
#define NVL72_MOST_AS_SLURM 512

/* As for a job that may have fewer nodes, for which Slurm keeps fewer CPUs back, or else for
 * exactly these. On nodes beyond the least and the tasks Slurm would distribute nothing. */
static nvl72_layout_t _lay_out_at_last(nvl72_rest_t* rest) {
    const job_record_t* job = rest->c->job;
    uint32_t least = rest->c->least_nodes;
    bool has_too_few_tasks = (job->bit_flags & JOB_NTASKS_SET) &&
                             (rest->count > MAX(_tasks(rest), least)) &&
                             !_names_tasks_of_a_feature(rest) && !nvl72_has_whole_nodes(job);
    nvl72_layout_t result;

    if (rest->count > NVL72_MOST_AS_SLURM) return NVL72_SHORT_OF_CPUS;
    if (nvl72_takes_one_node(rest->c->eval)) {
        result = _lay_out_as_slurm(rest, 0);
        if (result == NVL72_LAID_OUT) return result;
        _put_all_back(rest);
    }
    result = _lay_out_as_slurm(rest, least);
    if ((result == NVL72_LAID_OUT) || (least == rest->count) || has_too_few_tasks) return result;
    _put_all_back(rest);
    return _lay_out_as_slurm(rest, rest->count);
}

extern nvl72_layout_t nvl72_lay_out(nvl72_case_t* c, nvl72_findings_t* findings) {
    uint32_t nodes = nvl72_count_nodes(nvl72block_answer_nodes(c->answer));
    nvl72_rest_t rest = {.c = c, .findings = findings};
    nvl72_layout_t result;

    rest.chosen = xcalloc(nodes + 1, sizeof(*rest.chosen));
    _keep_all(&rest);
    result = c->as_slurm ? _lay_out_at_last(&rest) : _lay_out_in_some_order(&rest);
    if ((result == NVL72_LAID_OUT) && nvl72_fewer_may_do(c)) result = NVL72_FEWER_MAY_DO;
    if (result != NVL72_LAID_OUT) _put_all_back(&rest);
    _forget(&rest);
    return result;
}
