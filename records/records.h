/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of the document. Each asks slurmctld and ends the program where it gets no answer.
 */
#pragma once

#include <stdint.h>

extern void write_config(void);
extern void write_nodes(void);
extern void write_partitions(void);
extern void write_reservations(void);
extern void write_jobs(void);
/* By slurmctld's clock, now. */
extern uint64_t time_of_slurmctld(void);
/* Of one job that waits: what it would get. */
extern void write_will_run(uint32_t number);

/* Begins to ask for the topology, in a process of its own: a client whose topology plugin cannot be
 * loaded, or whose topology.yaml is wrong, is ended by Slurm. To be called first. */
extern void ask_topology(void);
extern void write_topology(void);
