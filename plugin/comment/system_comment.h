/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A job's system_comment: who writes it, and what it was told last. Every caller holds Slurm's job
 * write lock, which guards what is remembered.
 */
#ifndef NVL72_SYSTEM_COMMENT_H
#define NVL72_SYSTEM_COMMENT_H

#include "slurm/facts.h"

#define NVL72_OWNER "nvl72block:"
#define NVL72_RECEIPT NVL72_OWNER " started "
#define NVL72_NOT_ASKED NVL72_OWNER " not asked about free nodes" /* of the plugin, by Slurm */
#define NVL72_STARTS_WITH "; starts with"                         /* before suggestions */
#define NVL72_WITHOUT_EXCLUSIVE "without --exclusive=topo"        /* as the engine suggests it */
#define NVL72_LONGEST 1024 /* bytes of a comment, its end included */

/* Reasons beside those of the engine. */
enum { NVL72_NO_REASON = 64, NVL72_STARTED, NVL72_NO_QUESTION };

/* What a refused job is told. */
typedef struct {
    uint8_t reason;
    uint64_t question; /* for which its suggestions are; 0: none */
    char text[NVL72_LONGEST];
} nvl72_sentence_t;

extern bool nvl72_comment_is_ours(const job_record_t* job);
extern bool nvl72_comment_is_receipt(const job_record_t* job);
/* Whether nobody else has written it. */
extern bool nvl72_comment_may_change(const job_record_t* job);
/* Nothing where it is not ours. */
extern void nvl72_comment_remove(job_record_t* job);
extern void nvl72_comment_write(job_record_t* job, const nvl72_sentence_t* sentence);
/* A refused job's comment becomes the sentence; without a text it loses what is no longer true. */
extern void nvl72_comment_refuse(job_record_t* job, const nvl72_sentence_t* sentence);
/* Removes a sentence that no evaluation has confirmed for long. */
extern void nvl72_comment_expire(job_record_t* job);
/* The suggestions that the job was given for this question; NULL for none yet. */
extern const char* nvl72_comment_suggestions(const job_record_t* job, uint64_t question);

/* receipt.c: a job that was told why it waits, and starts on these nodes, is told so. `kept`: of
 * nvl72block_demand_kept(). */
extern void nvl72_receipt_give(job_record_t* job, const nvl72block_topology* topology,
                               bitstr_t* nodes, const char* kept);
/* The job that got the last receipt has it no more if it has not started. */
extern void nvl72_receipt_settle(void);

#endif
