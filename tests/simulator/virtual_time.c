/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Takes the place of libc's clocks in slurmctld and its plugins.
 */
#include <dlfcn.h>

#include "simulator.h"

/* The same for every history, and later than what slurmctld has seen before: 1 January 2100. */
static const time_t BEGIN = 4102444800, EPOCH = 1700000000;

enum { CLOCKS = 2 };

static bool stopped;
static struct timespec shown[CLOCKS]; /* of CLOCK_REALTIME and of CLOCK_MONOTONIC */

static int real_clock(clockid_t clock, struct timespec* now) {
    static int (*read)(clockid_t, struct timespec*);
    if (!read) *(void**)&read = dlsym(RTLD_NEXT, "clock_gettime");
    return read(clock, now);
}

void stop_time(void) {
    shown[0].tv_sec = BEGIN;
    shown[1].tv_sec = BEGIN - EPOCH;
    stopped = true;
}

void pass_seconds(unsigned seconds) {
    for (int i = 0; i < CLOCKS; i++) shown[i].tv_sec += seconds;
}

#pragma GCC visibility push(default)

int clock_gettime(clockid_t clock, struct timespec* now) {
    bool monotonic = clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE;
    bool realtime = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    if (!stopped || (!monotonic && !realtime)) return real_clock(clock, now);
    *now = shown[monotonic];
    return 0;
}

time_t time(time_t* now) {
    struct timespec read;
    clock_gettime(CLOCK_REALTIME, &read);
    if (now) *now = read.tv_sec;
    return read.tv_sec;
}

#pragma GCC visibility pop
