/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A bitmap for each thread that asks, to hand out what another thread may change or free. The
 * thread's next call uses it again and the thread's end frees it, so that there are never more of
 * them than threads, however long slurmctld runs. The library is linked to stay in memory
 * (-z nodelete): a thread may end after Slurm has closed its plugins.
 */
#include <pthread.h>

#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/log.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool have_key;

static void _free_bitmap(void* x) {
    bitstr_t* bitmap = x;

    FREE_NULL_BITMAP(bitmap);
}

static void _make_key(void) {
    have_key = !pthread_key_create(&key, _free_bitmap);
    if (!have_key) error("%s: bitmaps for threads cannot be created", plugin_type);
}

extern bitstr_t* nvl72_thread_bitmap(size_t bits) {
    bitstr_t* bitmap;

    (void)pthread_once(&once, _make_key);
    if (!have_key) return NULL;
    bitmap = pthread_getspecific(key);
    if (bitmap && ((size_t)bit_size(bitmap) == bits)) {
        bit_clear_all(bitmap);
        return bitmap;
    }
    FREE_NULL_BITMAP(bitmap);
    bitmap = bit_alloc(bits ? bits : 1);
    if (!pthread_setspecific(key, bitmap)) return bitmap;
    error("%s: the bitmap of this thread cannot be created", plugin_type);
    /* What was freed above must not be freed again when the thread ends. */
    (void)pthread_setspecific(key, NULL);
    FREE_NULL_BITMAP(bitmap);
    return NULL;
}
