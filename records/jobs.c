/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The jobs.
 */
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "libslurm.h"
#include "records.h"

/* Slurm's numbers without a value, in three widths. */
static void _write_16(const char* key, uint16_t number) {
    if (number < NO_VAL16) json_count(key, number);
}

static void _write_32(const char* key, uint32_t number) {
    if (number < NO_VAL) json_count(key, number);
}

/* A user has many jobs, and the directory of users may be far away. */
static const char* _user_name(uint32_t uid) {
    static struct user {
        uint32_t uid;
        char* name;
    } * users;
    static size_t count;
    const struct passwd* user;
    char number[16];

    for (size_t i = 0; i < count; i++)
        if (users[i].uid == uid) return users[i].name;
    users = realloc(users, (count + 1) * sizeof *users);
    if (!users) abort();
    snprintf(number, sizeof number, "%u", uid);
    user = getpwuid(uid);
    users[count] = (struct user){uid, strdup(user ? user->pw_name : number)};
    return users[count++].name;
}

/* One word, as Slurm's commands show it. */
static void _write_reason(const slurm_job_info_t* job) {
    char* text;

    if (!job->state_desc || !*job->state_desc) {
        json_text("reason", libslurm.slurm_job_state_reason_string(job->state_reason));
        return;
    }
    text = strdup(job->state_desc);
    for (char* at = text; at && *at; at++)
        if (*at == ' ') *at = '_';
    json_text("reason", text);
    free(text);
}

static void _write_identity(const slurm_job_info_t* job) {
    char task[16];

    json_count("id", JOB_NUMBER(job));
    if (job->array_job_id && job->array_task_str) {
        json_count("array_id", job->array_job_id);
        json_text("array_tasks", job->array_task_str);
    } else if (job->array_job_id && job->array_task_id < NO_VAL) {
        snprintf(task, sizeof task, "%u", job->array_task_id);
        json_count("array_id", job->array_job_id);
        json_text("array_tasks", task);
    }
    _write_32("het_id", job->het_job_id);
    if (job->het_job_id) _write_32("het_offset", job->het_job_offset);
    json_text("name", job->name);
    json_text("user", job->user_name ? job->user_name : _user_name(job->user_id));
}

static void _write_times(const slurm_job_info_t* job) {
    /* A job without a limit ends in a year for Slurm. */
    bool endless = job->time_limit == INFINITE && job->end_time > time(NULL);

    json_count("submit", (uint64_t)job->submit_time);
    json_count("eligible", (uint64_t)job->eligible_time);
    json_count("deadline", (uint64_t)job->deadline);
    json_count("start", (uint64_t)job->start_time);
    if (!endless) json_count("end", (uint64_t)job->end_time);
    if (job->time_limit < NO_VAL) json_integer("time_limit", (int64_t)job->time_limit * 60);
    if (job->time_min < NO_VAL) json_count("time_min", (uint64_t)job->time_min * 60);
}

static void _write_memory(uint64_t memory) {
    if (memory & MEM_PER_CPU)
        json_count("memory_per_cpu", memory & ~MEM_PER_CPU);
    else if (memory < NO_VAL64)
        json_count("memory_per_node", memory);
}

static void _write_request(const slurm_job_info_t* job) {
    json_text("nodes", job->nodes);
    json_text("required_nodes", job->req_nodes);
    json_text("excluded_nodes", job->exc_nodes);
    _write_32("min_nodes", job->num_nodes);
    _write_32("max_nodes", job->max_nodes);
    json_text("node_counts", job->job_size_str);
    _write_32("cpus", job->num_cpus);
    _write_32("tasks", job->num_tasks);
    _write_16("cpus_per_node", job->pn_min_cpus);
    _write_16("cpus_per_task", job->cpus_per_task);
    _write_16("tasks_per_node", job->ntasks_per_node);
    _write_16("tasks_per_socket", job->ntasks_per_socket);
    _write_16("tasks_per_core", job->ntasks_per_core);
    _write_16("tasks_per_tres", job->ntasks_per_tres);
    _write_16("sockets_per_node", job->sockets_per_node);
    _write_16("cores_per_socket", job->cores_per_socket);
    _write_16("threads_per_core", job->threads_per_core);
    json_flag("tasks_asked", job->bitflags & JOB_NTASKS_SET);
    json_flag("core_spec", job->core_spec != NO_VAL16);
    json_flag("enforces_binding", job->bitflags & GRES_ENFORCE_BIND);
    _write_memory(job->pn_min_memory);
    _write_32("temporary_disk", job->pn_min_tmp_disk);
    json_text("cpus_per_tres", job->cpus_per_tres);
    json_text("memory_per_tres", job->mem_per_tres);
    json_text("tres_per_job", job->tres_per_job);
    json_text("tres_per_node", job->tres_per_node);
    json_text("tres_per_socket", job->tres_per_socket);
    json_text("tres_per_task", job->tres_per_task);
    json_text("tres", job->tres_alloc_str ? job->tres_alloc_str : job->tres_req_str);
    json_text("features", job->features);
    json_text("licenses", job->licenses);
    json_text("exclusive", exclusive_use(job));
    json_flag("contiguous", job->contiguous);
    _write_32("switches", job->req_switch);
    _write_16("segment_size", SEGMENT_SIZE(job));
    json_flag("spread_segments", SPREADS_SEGMENTS(job));
    json_flag("consolidate_segments", CONSOLIDATES_SEGMENTS(job));
}

static void _write_job(const slurm_job_info_t* job) {
    json_open(NULL, '{');
    _write_identity(job);
    json_text("state", libslurm.slurm_job_state_string(job->job_state));
    _write_reason(job);
    json_count("priority", job->priority);
    json_text("dependency", job->dependency);
    json_text("partition", job->partition);
    json_text("reservation", job->resv_name);
    _write_times(job);
    _write_request(job);
    json_text("system_comment", job->system_comment);
    json_close('}');
}

extern void write_jobs(void) {
    job_info_msg_t* jobs = NULL;

    if (libslurm.slurm_load_jobs(0, &jobs, SHOW_ALL | SHOW_LOCAL) || !jobs) fail_with_errno("jobs");
    json_open("jobs", '[');
    for (uint32_t i = 0; i < jobs->record_count; i++) _write_job(&jobs->job_array[i]);
    json_close(']');
}
