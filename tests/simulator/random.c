/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "simulator.h"

/* splitmix64 */
uint64_t dice_next(dice_t* dice) {
    uint64_t z = (dice->state += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

unsigned dice_between(dice_t* dice, unsigned low, unsigned high) {
    return low + (unsigned)(dice_next(dice) % (high - low + 1));
}

bool dice_one_in(dice_t* dice, unsigned n) {
    return dice_next(dice) % n == 0;
}
