/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's bitmaps as the engine reads them: in place.
 */
#include "slurm/facts.h"

#include "src/common/bitstring.h"

/* Words that a bitmap keeps before its bits: a signature and the number of bits. */
#define NVL72_BITMAP_HEAD 2

extern uint64_t* nvl72_words(bitstr_t* bitmap) {
    return (uint64_t*)bitmap + NVL72_BITMAP_HEAD;
}

extern nvl72block_view nvl72_view(bitstr_t* bitmap) {
    if (!bitmap) return (nvl72block_view){0};
    return (nvl72block_view){.words = nvl72_words(bitmap), .bits = bit_size(bitmap)};
}

extern void nvl72_add_nodes(bitstr_t* bitmap, nvl72block_view nodes) {
    uint64_t* words = nvl72_words(bitmap);
    size_t bits = MIN(nodes.bits, (size_t)bit_size(bitmap));

    for (size_t i = 0; i < (bits + 63) / 64; i++) words[i] |= nodes.words[i];
}

/* Looks instead of trusting: the layout is private to Slurm and differs on big-endian machines. */
extern bool nvl72_bitmaps_fit(void) {
    bitstr_t* bitmap = bit_alloc(130);
    const uint64_t* words = nvl72_words(bitmap);
    bool fit;

    bit_set(bitmap, 0);
    bit_set(bitmap, 65);
    bit_set(bitmap, 129);
    fit = (words[0] == 1) && (words[1] == 2) && (words[2] == 2);
    FREE_NULL_BITMAP(bitmap);
    return fit;
}
