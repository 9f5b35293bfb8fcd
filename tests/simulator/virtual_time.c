/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Takes the place of libc's clocks in slurmctld and its plugins.
 */
#include <dlfcn.h>

#include "simulator.h"

enum { CLOCKS = 2 };

static bool stopped;
static struct timespec shown[CLOCKS]; /* of CLOCK_REALTIME and of CLOCK_MONOTONIC */

static int real_clock(clockid_t clock, struct timespec* now) {
    static int (*read)(clockid_t, struct timespec*);
    if (!read) *(void**)&read = dlsym(RTLD_NEXT, "clock_gettime");
    return read(clock, now);
}

void stop_time(void) {
    real_clock(CLOCK_REALTIME, &shown[0]);
    real_clock(CLOCK_MONOTONIC, &shown[1]);
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
