/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loaded into slurmctld with LD_PRELOAD. Once slurmctld runs, a thread makes a copy of the process
 * for each seed: in the copy there is no other thread, so that nothing happens but its history. The
 * variables NVL72_SIMULATE_GO (a file: begin when it is there; it has the first seed and the number
 * of seeds) and NVL72_SIMULATE_OUT (a file for one line per history, and "end" as the last one).
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simulator.h"

/* A history takes less than a second. */
enum { MOST_SECONDS = 30, AT_ONCE = 2, MOST_COPIES = 3 };

static FILE* out;

/* In the copy; the log's lines of level error and above go to a file of its own. */
static void run_seed(uint64_t seed) {
    char log[4096];
    sigset_t none;
    log_options_t options = LOG_OPTS_INITIALIZER;
    signal(SIGALRM, SIG_DFL);
    signal(SIGPIPE, SIG_IGN); /* threads that read pipes are not there */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    alarm(MOST_SECONDS);
    snprintf(log, sizeof(log), "%s.%lu.log", getenv("NVL72_SIMULATE_OUT"), (unsigned long)seed);
    options.stderr_level = options.syslog_level = LOG_LEVEL_QUIET;
    options.logfile_level = LOG_LEVEL_ERROR;
    log_alter(options, LOG_DAEMON, log);
    _exit(run_history(seed, out) ? 0 : 1);
}

static uint64_t running[AT_ONCE];
static pid_t process[AT_ONCE];
static unsigned copies[AT_ONCE]; /* that were made of the process for the history */

static void copy(int place) {
    copies[place]++;
    process[place] = fork();
    if (!process[place]) run_seed(running[place]);
}

/* Looks for histories that have ended; slurmctld has other children, which are its own. A copy that
 * was made while another thread had a lock waits for it forever: another copy is made. A history
 * without an end has none in any copy. */
static void reap(void) {
    usleep(1000);
    for (int i = 0; i < AT_ONCE; i++) {
        int status;
        if (!process[i] || waitpid(process[i], &status, WNOHANG) != process[i]) continue;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM && copies[i] < MOST_COPIES) {
            copy(i);
            continue;
        }
        if (!WIFEXITED(status))
            fprintf(out, "%lu\t0\t0\t0\t0\t\tended by signal %d\n", (unsigned long)running[i],
                    WTERMSIG(status));
        fflush(out);
        process[i] = 0;
    }
}

static int free_place(void) {
    for (;;) {
        for (int i = 0; i < AT_ONCE; i++)
            if (!process[i]) return i;
        reap();
    }
}

static void start_seed(uint64_t seed) {
    int place = free_place();
    running[place] = seed;
    copies[place] = 0;
    copy(place);
}

static bool any_runs(void) {
    for (int i = 0; i < AT_ONCE; i++)
        if (process[i]) return true;
    return false;
}

static void* run_all(void* unused) {
    const char* go = getenv("NVL72_SIMULATE_GO");
    unsigned long first, count;
    FILE* in;
    /* slurmctld starts another process of its program, for scripts, which never has nodes. */
    while (!job_list || !node_record_count || !(in = fopen(go, "r"))) usleep(20000);
    out = fopen(getenv("NVL72_SIMULATE_OUT"), "a");
    if (fscanf(in, "%lu %lu", &first, &count) == 2)
        for (unsigned long seed = first; seed < first + count; seed++) start_seed(seed);
    fclose(in);
    while (any_runs()) reap();
    fprintf(out, "end\n");
    fflush(out);
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    pthread_t thread;
    if (getenv("NVL72_SIMULATE_GO")) pthread_create(&thread, NULL, run_all, NULL);
}
