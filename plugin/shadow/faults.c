/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What goes wrong in our half of shadow mode: logged and recorded, and too much of it ends it.
 */
#include <stdatomic.h>
#include <time.h>

#include "shadow/shadow.h"
#include "slurm/clock.h"
#include "slurm/facts.h"

#include "src/common/log.h"

#define NVL72_HOUR 3600
#define NVL72_QUIET_TIME                                                    \
    600 /* seconds between two log lines about records that are not written \
         */

static struct {
    uint32_t count;
    time_t last;
    bool off;
} faults;

/* Of the thread that writes. */
static atomic_ulong lost;
static _Atomic time_t said;

static uint64_t told; /* of those that were lost */
static time_t told_when;

static void _record(nvl72_shadow_t* shadow, const char* kind, const char* what) {
    nvl72block_record* record = nvl72block_record_create("fault");

    nvl72block_record_number(record, "t", time(NULL));
    nvl72block_record_text(record, "kind", kind);
    nvl72block_record_text(record, "what", what);
    (void)nvl72block_log_append(shadow->log, record);
}

static void _switch_off(nvl72_shadow_t* shadow) {
    nvl72block_record* record = nvl72block_record_create("off");

    faults.off = true;
    nvl72block_record_number(record, "t", time(NULL));
    nvl72block_record_number(record, "faults", faults.count);
    (void)nvl72block_log_append(shadow->log, record);
    error(
        "%s: shadow mode compares nothing more after %u faults within an hour; topology/block goes "
        "on as before. Please report them; scontrol reconfigure starts the comparison again",
        plugin_type, faults.count);
}

extern void nvl72_shadow_fault(nvl72_shadow_t* shadow, const char* kind, const char* what) {
    time_t now = nvl72_seconds();

    if (now - faults.last > NVL72_HOUR) faults.count = 0;
    faults.last = now;
    faults.count++;
    error("%s: shadow mode: a fault of this plugin (%s): %s; the job was decided by topology/block",
          plugin_type, kind, what);
    _record(shadow, kind, what);
    if (faults.count >= NVL72_SHADOW_FAULTS) _switch_off(shadow);
}

extern bool nvl72_shadow_is_off(void) {
    return faults.off;
}

extern void nvl72_shadow_not_written(const char* why) {
    time_t now = nvl72_seconds();

    lost++;
    if (now - said < NVL72_QUIET_TIME) return;
    said = now;
    error("%s: records of shadow mode are not written: %s; %s", plugin_type, why,
          NVL72_SAVE_REMEDY);
}

extern uint64_t nvl72_shadow_lost(void) {
    return lost;
}

/* The record of it can be lost itself: then it is told again later. */
extern void nvl72_shadow_tell_lost(nvl72_shadow_t* shadow) {
    uint64_t now_lost = lost;
    char what[100];

    if ((now_lost == told) || (nvl72_seconds() - told_when < NVL72_SHADOW_PAUSE)) return;
    told = now_lost;
    told_when = nvl72_seconds();
    snprintf(what, sizeof(what), "records could not be written %" PRIu64 " times so far", now_lost);
    _record(shadow, "file", what);
}
