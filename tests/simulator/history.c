/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What happens: jobs come, are tried, end and are cancelled; nodes are drained, fail and return;
 * weights and cliques change. After each event everything is checked. At the end each request is
 * tried alone on the idle cluster, so that two plugins can be compared.
 */
#include <signal.h>
#include <stdlib.h>

#include "simulator.h"

#include "src/common/xstring.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/node_scheduler.h"

enum { EVENTS = 150, MOST_JOBS = 2 * EVENTS, LONGEST_PAUSE = 900, TEXT = 4096 };

typedef struct {
    request_t request;
    uint32_t id;
    bool known; /* to slurmctld, as far as this history has seen */
    bool judged;
    bool turned_away; /* at once: it can never run */
    int code;         /* of its submission */
} simulated_t;

typedef struct {
    uint64_t seed, trace; /* of what was decided: equal for equal histories */
    dice_t dice;
    simulated_t jobs[MOST_JOBS];
    unsigned count;
    unsigned decisions, started, refused;
    char fault[TEXT];
} history_t;

static void note(history_t* history, uint64_t what) {
    history->trace = (history->trace ^ what) * 0x100000001b3U;
}

static void lock(bool take) {
    slurmctld_lock_t locks = {.conf = READ_LOCK,
                              .job = WRITE_LOCK,
                              .node = WRITE_LOCK,
                              .part = READ_LOCK,
                              .fed = READ_LOCK};
    take ? lock_slurmctld(locks) : unlock_slurmctld(locks);
}

/* ---- Jobs ---------------------------------------------------------------------------------------
 */

static job_record_t* record_of(simulated_t* job) {
    return job->known ? find_job_record(job->id) : NULL;
}

static void judge(history_t* history, simulated_t* job) {
    job_record_t* record = record_of(job);
    char text[TEXT], request[256];
    if (!record || job->judged || !IS_JOB_RUNNING(record)) return;
    job->judged = true;
    history->started++;
    for (int node = 0; next_node_bitmap(record->node_bitmap, &node); node++) note(history, node);
    check_job(&job->request, record, text, sizeof(text));
    if (!text[0] || history->fault[0]) return;
    request_print(&job->request, request, sizeof(request));
    snprintf(history->fault, TEXT, "%.300s: %.3000s", request, text);
}

static int submit(request_t* request, uint32_t* id) {
    job_desc_msg_t* description = request_to_job(request);
    job_record_t* job = NULL;
    char* error = NULL;
    int code =
        job_allocate(description, 0, 0, NULL, 1, 0, false, &job, &error, SLURM_PROTOCOL_VERSION);
    *id = job ? job->job_id : 0;
    xfree(error);
    slurm_free_job_desc_msg(description);
    return job && IS_JOB_PENDING(job) ? ESLURM_NODES_BUSY : code;
}

static void come(history_t* history) {
    if (history->count == MOST_JOBS) return;
    simulated_t* job = &history->jobs[history->count];
    job->request = request_numbered(history->seed, history->count++);
    job->code = submit(&job->request, &job->id);
    history->decisions++;
    job_record_t* record = find_job_record(job->id);
    job->known = record && (IS_JOB_PENDING(record) || IS_JOB_RUNNING(record));
    job->turned_away = !job->known;
    history->refused += job->turned_away;
    note(history, job->known);
}

static void try_one(job_record_t* record) {
    job_node_select_t chosen = {.job_ptr = record};
    set_job_features_use(record->details);
    if (job_independent(record)) select_nodes(&chosen, false, false, SLURMDB_JOB_FLAG_SCHED);
}

static void try_all(history_t* history) {
    for (unsigned i = 0; i < history->count; i++) {
        job_record_t* record = record_of(&history->jobs[i]);
        if (record && IS_JOB_PENDING(record)) {
            try_one(record);
            history->decisions++;
        }
    }
}

/* Which job it is: its number, or from Slurm 25.11 on its record. */
/* clang-format off */
#define EPILOG_OF(record)                                                    \
    _Generic(&job_epilog_complete,                                           \
             bool (*)(uint32_t, char*, uint32_t): (record)->job_id,          \
             default: (record))
/* clang-format on */

static void end_job(simulated_t* job) {
    job_record_t* record = record_of(job);
    job->known = false;
    if (!record) return;
    job_signal(record, SIGKILL, 0, 0, false);
    /* What its nodes would say. */
    for (int node = 0; IS_JOB_COMPLETING(record) && next_node_bitmap(record->node_bitmap, &node);
         node++)
        job_epilog_complete(EPILOG_OF(record), node_record_table_ptr[node]->name, 0);
    if (IS_JOB_FINISHED(record) && !IS_JOB_COMPLETING(record)) purge_job_record(record->job_id);
}

static void end_some(history_t* history) {
    for (unsigned i = 0; i < history->count; i++)
        if (history->jobs[i].known && dice_one_in(&history->dice, 4)) end_job(&history->jobs[i]);
}

/* ---- Nodes --------------------------------------------------------------------------------------
 */

static void update(const char* nodes, uint32_t state, uint32_t weight, const char* features) {
    update_node_msg_t change;
    slurm_init_update_node_msg(&change);
    change.node_names = xstrdup(nodes);
    change.weight = weight;
    change.node_state = state;
    change.reason = state == NO_VAL ? NULL : xstrdup("simulated");
    change.features = features ? xstrdup(features) : NULL;
    change.features_act = features ? xstrdup(features) : NULL;
    update_node(&change, 0);
    xfree(change.node_names);
    xfree(change.reason);
    xfree(change.features);
    xfree(change.features_act);
}

static const char* some_node(history_t* history) {
    return node_record_table_ptr[dice_between(&history->dice, 0, node_record_count - 1)]->name;
}

/* All or half of a rack says a clique, or none. */
static void change_rack(history_t* history) {
    char features[128], nodes[2048] = "";
    int rack = (int)dice_between(&history->dice, 0, rack_count() - 1);
    bool none = dice_one_in(&history->dice, 3), half = dice_one_in(&history->dice, 2);
    snprintf(features, sizeof(features), none ? "all" : "all,%s.%u", CLIQUE_UUID,
             dice_between(&history->dice, 1, 9));
    for (int node = 0; node < node_record_count; node++)
        if (rack_of(node) == rack && !(half && node % 2)) {
            size_t used = strlen(nodes);
            snprintf(nodes + used, sizeof(nodes) - used, "%s%s", used ? "," : "",
                     node_record_table_ptr[node]->name);
        }
    update(nodes, NO_VAL, NO_VAL, features);
}

static void change_node(history_t* history) {
    const char* node = some_node(history);
    switch (dice_between(&history->dice, 0, 6)) {
        case 0:
        case 1:
            update(node, NODE_STATE_DRAIN, NO_VAL, NULL);
            break;
        case 2:
        case 3:
            update(node, NODE_STATE_UNDRAIN, NO_VAL, NULL);
            break;
        case 4:
            update(node, NODE_STATE_DOWN, NO_VAL, NULL);
            update(node, NODE_RESUME, NO_VAL, NULL);
            break;
        case 5:
            change_rack(history);
            break;
        default:
            update(node, NO_VAL, dice_between(&history->dice, 1, 5), NULL);
    }
}

/* ---- The history --------------------------------------------------------------------------------
 */

static void happen(history_t* history) {
    unsigned drawn = dice_between(&history->dice, 0, 99);
    lock(true);
    if (drawn < 60)
        come(history);
    else if (drawn < 72)
        end_some(history);
    else if (drawn < 88)
        try_all(history);
    else
        change_node(history);
    for (unsigned i = 0; i < history->count; i++) judge(history, &history->jobs[i]);
    if (!history->fault[0]) check_cluster(history->fault, TEXT);
    lock(false);
    pass_seconds(dice_between(&history->dice, 0, LONGEST_PAUSE));
}

/* Everything as it was at the beginning. */
static void empty(history_t* history) {
    for (unsigned i = 0; i < history->count; i++)
        if (history->jobs[i].known) end_job(&history->jobs[i]);
    for (int node = 0; node < node_record_count; node++) {
        update(node_record_table_ptr[node]->name, NODE_STATE_UNDRAIN, 1, "all");
        if (IS_NODE_DOWN(node_record_table_ptr[node]))
            update(node_record_table_ptr[node]->name, NODE_RESUME, NO_VAL, NULL);
    }
}

/* Which of the requests start on the idle cluster: '1' for each that does. */
static void try_alone(history_t* history, char* starts) {
    for (unsigned i = 0; i < history->count; i++) {
        simulated_t job = {.request = history->jobs[i].request, .known = true};
        lock(true);
        submit(&job.request, &job.id);
        job_record_t* record = record_of(&job);
        if (record && IS_JOB_PENDING(record)) try_one(record);
        starts[i] = record && IS_JOB_RUNNING(record) ? '1' : '0';
        judge(history, &job);
        if (starts[i] == '1' && history->jobs[i].turned_away && !history->fault[0] &&
            !getenv("NVL72_SIMULATE_ENFORCE")) {
            char text[256];
            request_print(&job.request, text, sizeof(text));
            snprintf(history->fault, TEXT, "%s: was turned away (%s) and can run", text,
                     slurm_strerror(history->jobs[i].code));
        }
        end_job(&job);
        lock(false);
        pass_seconds(1);
    }
    starts[history->count] = '\0';
}

/* The requests themselves, a line each, where the variable NVL72_SIMULATE_REQUESTS names a file. */
static void tell_requests(const history_t* history) {
    const char* path = getenv("NVL72_SIMULATE_REQUESTS");
    FILE* file = path ? fopen(path, "w") : NULL;
    char text[256];
    if (!file) return;
    for (unsigned i = 0; i < history->count; i++) {
        request_print(&history->jobs[i].request, text, sizeof(text));
        fprintf(file, "%s\n", text);
    }
    fclose(file);
}

bool run_history(uint64_t seed, FILE* out) {
    static history_t history;
    static char starts[MOST_JOBS + 1];
    history.seed = history.trace = seed;
    history.dice.state = seed;
    stop_time();
    for (unsigned event = 0; event < EVENTS && !history.fault[0]; event++) happen(&history);
    unsigned decisions = history.decisions, started = history.started;
    lock(true);
    empty(&history);
    lock(false);
    try_alone(&history, starts);
    tell_requests(&history);
    fprintf(out, "%lu\t%u\t%u\t%u\t%016lx\t%s\t%s\n", (unsigned long)seed, decisions, started,
            history.refused, (unsigned long)history.trace, starts, history.fault);
    fflush(out);
    return !history.fault[0];
}
