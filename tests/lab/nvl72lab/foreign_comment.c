/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A job_submit plugin of some site: `scontrol update jobid=... comment=TEXT` makes the text the
 * job's system_comment, too. No command can set that.
 */
#include "src/common/slurm_xlator.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

const char plugin_name[] = "writes system comments";
const char plugin_type[] = "job_submit/foreign_comment";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

extern int job_submit(job_desc_msg_t* job, uint32_t user, char** message) {
    return SLURM_SUCCESS;
}

extern int job_modify(job_desc_msg_t* job, job_record_t* record, uint32_t user, char** message) {
    if (!job->comment) return SLURM_SUCCESS;
    xfree(record->system_comment);
    record->system_comment = xstrdup(job->comment);
    return SLURM_SUCCESS;
}
