/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What slurmctld finds for a waiting job, by all of its rules but the limits of accounts and QOS.
 * It is asked as sbatch --test-only asks, with the number of a job that is there already.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "json.h"
#include "libslurm.h"
#include "records.h"

static char what[32]; /* "job 4711", for messages */

/* The record with this number; the tasks of an array that have records of their own come with it.
 */
static slurm_job_info_t* _find(uint32_t number) {
    job_info_msg_t* jobs = NULL;

    if (LOAD_JOB(&jobs, number) || !jobs) fail_with_errno(what);
    for (uint32_t i = 0; i < jobs->record_count; i++)
        if (JOB_NUMBER(&jobs->job_array[i]) == number) return &jobs->job_array[i];
    fail(what, "is not in the queue");
}

/* The caller's job on one node, which is valid: slurmctld reads no more of it than the number, but
 * a site's job_submit plugin judges it as a submission. */
static job_desc_msg_t _description(slurm_job_info_t* job) {
    job_desc_msg_t description;

    libslurm.slurm_init_job_desc_msg(&description);
    JOB_NUMBER(&description) = JOB_NUMBER(job);
    description.min_nodes = 1;
    description.alloc_node = "localhost"; /* slurmctld has the host from the connection */
    description.account = job->account;
    description.name = job->name;
    description.partition = job->partition;
    description.qos = job->qos;
    description.reservation = job->resv_name;
    description.time_limit = job->time_limit;
    return description;
}

static void _write_answer(const will_run_response_msg_t* answer) {
    list_itr_t* next;
    const uint32_t* job;
    char* preempted = NULL;
    size_t length;
    FILE* list;

    json_text("partition", answer->part_name);
    json_text("nodes", answer->node_list);
    json_count("start", (uint64_t)answer->start_time);
    if (!answer->preemptee_job_id) return;
    if (!(list = open_memstream(&preempted, &length))) abort();
    next = libslurm.slurm_list_iterator_create(answer->preemptee_job_id);
    while ((job = libslurm.slurm_list_next(next)))
        fprintf(list, "%s%" PRIu32, ftell(list) ? "," : "", *job);
    fclose(list);
    json_text("preempted", preempted);
}

extern void write_will_run(uint32_t number) {
    will_run_response_msg_t* answer = NULL;
    job_desc_msg_t description;
    slurm_job_info_t* job;

    snprintf(what, sizeof what, "job %" PRIu32, number);
    job = _find(number);
    if ((job->job_state & JOB_STATE_BASE) != JOB_PENDING)
        fail(what, "does not wait: slurmctld answers for waiting jobs only");
    description = _description(job);
    if (libslurm.slurm_job_will_run2(&description, &answer) || !answer) {
        if (errno != ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE) fail_with_errno(what);
        answer = NULL; /* no nodes, even when all running jobs have ended */
    }
    json_open("will_run", '{');
    json_count("job", number);
    json_count("time", time_of_slurmctld());
    if (answer) _write_answer(answer);
    json_text("system_comment", _find(number)->system_comment); /* the plugin's, of this test */
    json_close('}');
}
