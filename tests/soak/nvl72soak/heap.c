// SPDX-License-Identifier: GPL-2.0-or-later
// Loaded into a program first, this counts the bytes that it has allocated and not freed, in the
// file $NVL72BLOCK_HEAP/PID as a long. Resident memory also has what is free between other blocks,
// and so never gets smaller.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's own, by the names that it keeps for those that replace them.
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* block);

static atomic_long before_the_file;
static atomic_long* count = &before_the_file;

// A child goes on with its parent's count, in a file of its own.
static void open_file(void) {
    const char* folder = getenv("NVL72BLOCK_HEAP");
    long so_far = atomic_load(count);
    char path[4096];
    int file;

    count = &before_the_file;
    atomic_store(count, so_far);
    if (!folder) return;
    snprintf(path, sizeof(path), "%s/%d", folder, getpid());
    file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (ftruncate(file, sizeof(*count)) == 0) {
        void* page = mmap(NULL, sizeof(*count), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

        if (page != MAP_FAILED) {
            atomic_store((atomic_long*)page, so_far);
            count = page;
        }
    }
    close(file);
}

__attribute__((constructor)) static void begin(void) {
    open_file();
    pthread_atfork(NULL, NULL, open_file);
}

static void* counted(void* block) {
    atomic_fetch_add_explicit(count, (long)malloc_usable_size(block), memory_order_relaxed);
    return block;
}

void* malloc(size_t size) {
    return counted(__libc_malloc(size));
}

void* calloc(size_t number, size_t size) {
    return counted(__libc_calloc(number, size));
}

void* memalign(size_t alignment, size_t size) {
    return counted(__libc_memalign(alignment, size));
}

void* aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void** block, size_t alignment, size_t size) {
    *block = memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

void* realloc(void* block, size_t size) {
    long before = (long)malloc_usable_size(block);
    void* moved = __libc_realloc(block, size);

    if (!moved && size) return NULL;
    atomic_fetch_sub_explicit(count, before, memory_order_relaxed);
    return counted(moved);
}

void free(void* block) {
    atomic_fetch_sub_explicit(count, (long)malloc_usable_size(block), memory_order_relaxed);
    __libc_free(block);
}
