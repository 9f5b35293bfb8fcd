/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The passes of a decision (passes.c).
 */
#ifndef NVL72_PASSES_H
#define NVL72_PASSES_H

#include "decision/decision.h"
#include "job/job.h"

/* What Slurm asks. */
typedef struct {
    nvl72_context_t* context;
    nvl72block_topology* topology;
    topology_eval_t* eval;
    nvl72_verdict_t* verdict;
    bool keeps_cpus; /* nodes keep all their CPUs: with fewer the job did not start */
    bool avoids;     /* nodes that Slurm turned down are not among the candidates */
} nvl72_asked_t;

/* Translates the question about the candidates. Close the case in any case. */
extern void nvl72_open_asked(nvl72_case_t* c, const nvl72_asked_t* asked);
/* Places the job on some of the candidates, or leaves all of them. */
extern int nvl72_run_passes(const nvl72_asked_t* asked);

/* Of several passes the last one counts, but a fault of any. */
extern void nvl72_note_verdict(nvl72_verdict_t* verdict, nvl72_case_t* c, int rc);
/* One line per pass, whose name is `pass`. */
extern void nvl72_log_decision(nvl72_case_t* c, int rc, uint64_t started, const char* pass);

#endif
