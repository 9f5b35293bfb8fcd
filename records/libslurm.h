/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's client library, opened when the program runs: this project is built from a source tree
 * without one, and its place differs between distributions.
 */
#pragma once

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>

/* Exported by the library, declared by none of its public headers. */
extern const char* slurm_job_state_reason_string(enum job_state_reason reason);
extern char* slurm_job_state_string(uint32_t state);
extern char* slurm_node_state_string_complete(uint32_t state);
extern void slurm_private_data_string(uint16_t private_data, char* text, int size);

/* The functions that are called. */
#define LIBSLURM_FUNCTIONS(DO)           \
    DO(slurm_api_version)                \
    DO(slurm_init)                       \
    DO(slurm_strerror)                   \
    DO(slurm_init_job_desc_msg)          \
    DO(slurm_job_will_run2)              \
    DO(slurm_list_iterator_create)       \
    DO(slurm_list_next)                  \
    DO(slurm_load_ctl_conf)              \
    DO(slurm_load_job)                   \
    DO(slurm_load_jobs)                  \
    DO(slurm_load_node)                  \
    DO(slurm_load_partitions)            \
    DO(slurm_load_reservations)          \
    DO(slurm_load_topo)                  \
    DO(slurm_print_topo_info_msg)        \
    DO(slurm_job_state_reason_string)    \
    DO(slurm_job_state_string)           \
    DO(slurm_node_state_string_complete) \
    DO(slurm_private_data_string)        \
    LIBSLURM_FUNCTIONS_OF_VERSION(DO)

#include "version.h"

#define LIBSLURM_MEMBER(name) __typeof__(&name) name;
struct libslurm {
    LIBSLURM_FUNCTIONS(LIBSLURM_MEMBER)
};
#undef LIBSLURM_MEMBER

extern struct libslurm libslurm;

/* Opens it: that of the directory that this program is in, that of scontrol on PATH, or the one
 * that the loader finds. The program, whose arguments `argv` are, starts once more then. Ends it
 * with a message where there is none of this version. */
extern void libslurm_open(char** argv);

/* Ends the program: "nvl72block-records: WHAT: MESSAGE". */
extern void fail(const char* what, const char* message) __attribute__((noreturn));

/* The same with the message of errno, as Slurm's functions set it. */
extern void fail_with_errno(const char* what) __attribute__((noreturn));
