/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A cluster's history by seed, inside a slurmctld: its own functions, its select plugin and its
 * topology plugin, without network and with a time that passes as the history says.
 */
#ifndef NVL72_SIMULATOR_H
#define NVL72_SIMULATOR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/slurmctld/slurmctld.h"

/* ---- random.c: the same numbers with every libc --------------------------------------------- */

typedef struct {
    uint64_t state;
} dice_t;

uint64_t dice_next(dice_t* dice);
/* Between `low` and `high`, both included. */
unsigned dice_between(dice_t* dice, unsigned low, unsigned high);
bool dice_one_in(dice_t* dice, unsigned n);

/* ---- virtual_time.c ---------------------------------------------------------------------------
 */

/* From now on time stands still but for pass_seconds(); all clocks of this process go with it. */
void stop_time(void);
void pass_seconds(unsigned seconds);

/* ---- racks.c: blocks as topology.conf has them, by the names of nodes -------------------------
 */

enum { MOST_SIZES = 8, NO_RACK = -1 };

/* Nodes are called r<rack>n<node>, racks from 1; any other name lies in no block. */
int rack_of(int node);
int rack_count(void);
/* BlockSizes, ascending, ended by 0: the variable NVL72_SIMULATE_SIZES. */
const unsigned* block_sizes(void);
/* The number of the clique in the node's active features; 0 for none. */
unsigned clique_of(int node);

/* A feature that names a clique, without its number. */
#define CLIQUE_UUID "b78ed242-7b98-426f-b194-b76b8899f4ea"

/* ---- request.c --------------------------------------------------------------------------------
 */

typedef struct {
    uint32_t least, most; /* nodes; a fixed number where they are the same */
    uint32_t tasks;
    uint16_t cpus_per_task, segment, gpus_per_node;
    uint16_t shared; /* JOB_SHARED_NONE, JOB_SHARED_TOPO or NO_VAL16 */
    char required[64];
} request_t;

/* The request with that number in the history of a seed: it does not depend on what happened. */
request_t request_numbered(uint64_t seed, unsigned number);
/* As sbatch would be called. */
void request_print(const request_t* request, char* text, size_t size);
job_desc_msg_t* request_to_job(const request_t* request);

/* ---- check.c: what must hold, from docs/placement.md ------------------------------------------
 */

/* Looks at a job that has its nodes; what is wrong in `text`, "" where nothing is. */
void check_job(const request_t* request, job_record_t* job, char* text, size_t size);
/* Looks at all jobs together: CPUs and GPUs given twice, exclusive blocks that are shared. */
void check_cluster(char* text, size_t size);

/* ---- history.c --------------------------------------------------------------------------------
 */

/* Runs one history and writes one line about it; the process ends with it. False: something was
 * wrong. */
bool run_history(uint64_t seed, FILE* out);

#endif
