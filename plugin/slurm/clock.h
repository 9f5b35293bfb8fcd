/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Time that passes evenly. Whoever does something once in a while must not stop doing it when the
 * time of day is set back; time(NULL) is for what is compared with Slurm's times or written down.
 */
#ifndef NVL72_CLOCK_H
#define NVL72_CLOCK_H

#include <stdint.h>
#include <time.h>

extern uint64_t nvl72_nanoseconds(clockid_t clock);
/* Since an unknown moment. */
extern uint64_t nvl72_microseconds(void);
/* Since 1970 when the plugin first asked, and from there on as they pass. */
extern time_t nvl72_seconds(void);

#endif
