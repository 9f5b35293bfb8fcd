/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Asks slurmctld once for its records and prints those of their members that the nvl72block command
 * reads, as one JSON document. README.md describes it.
 */
#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "json.h"
#include "libslurm.h"
#include "records.h"

#define FORMAT 2 /* 1 was the text of scontrol */

static int _usage(FILE* stream) {
    fputs("usage: nvl72block-records [--config | --will-run JOBID | --version]\n", stream);
    return stream == stdout ? 0 : 2;
}

/* Who asks, as Slurm hides from some what it shows to others; how far the clock on the wall is
 * ahead of UTC, in seconds. */
static void _write_head(void) {
    const struct passwd* user = getpwuid(geteuid());
    char number[16];
    time_t now = time(NULL);
    struct tm wall;

    snprintf(number, sizeof number, "%u", geteuid());
    json_open(NULL, '{');
    json_integer("format", FORMAT);
    json_text("user", user ? user->pw_name : number);
    json_integer("utc_offset", localtime_r(&now, &wall) ? wall.tm_gmtoff : 0);
    write_config();
}

static void _write_all(void) {
    ask_topology();
    libslurm.slurm_init(NULL);
    _write_head();
    write_nodes();
    write_partitions();
    write_reservations();
    write_jobs();
    write_topology();
}

/* A job's number; 0 for what is none. */
static uint32_t _number(const char* text) {
    char* end;
    unsigned long number = strtoul(text, &end, 10);

    return *text >= '1' && *text <= '9' && !*end && number < NO_VAL ? (uint32_t)number : 0;
}

int main(int argc, char** argv) {
    bool only_config = argc == 2 && !strcmp(argv[1], "--config");
    uint32_t job = argc == 3 && !strcmp(argv[1], "--will-run") ? _number(argv[2]) : 0;

    if (argc == 2 && !strcmp(argv[1], "--version")) {
        puts("nvl72block-records " NVL72BLOCK_VERSION " for Slurm " NVL72BLOCK_SLURM_VERSION);
        return 0;
    }
    if (argc > 1 && !only_config && !job)
        return _usage(argc == 2 && !strcmp(argv[1], "--help") ? stdout : stderr);
    /* Slurm cuts lists at these lengths. */
    setenv("SLURM_BITSTR_LEN", "0", 1);
    setenv("SLURM_TOPO_LEN", "1000000", 1);
    libslurm_open(argv);
    if (only_config || job) {
        libslurm.slurm_init(NULL);
        _write_head();
        if (job) write_will_run(job);
    } else {
        _write_all();
    }
    json_close('}');
    if (!json_end()) fail("standard output", strerror(errno));
    return 0; /* what Slurm's functions allocated ends with the process */
}
