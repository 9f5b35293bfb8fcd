/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slurm/clock.h"

#include <pthread.h>

static struct {
    time_t day;       /* the time of day at first */
    uint64_t elapsed; /* microseconds then */
} first;
static pthread_once_t begun = PTHREAD_ONCE_INIT;

extern uint64_t nvl72_nanoseconds(clockid_t clock) {
    struct timespec now;

    clock_gettime(clock, &now);
    return ((uint64_t)now.tv_sec * 1000000000) + now.tv_nsec;
}

extern uint64_t nvl72_microseconds(void) {
    return nvl72_nanoseconds(CLOCK_MONOTONIC) / 1000;
}

static void _begin(void) {
    first.day = time(NULL);
    first.elapsed = nvl72_microseconds();
}

extern time_t nvl72_seconds(void) {
    pthread_once(&begun, _begin);
    return first.day + (time_t)((nvl72_microseconds() - first.elapsed) / 1000000);
}
