// SPDX-License-Identifier: GPL-2.0-or-later
// Loaded into slurmctld with LD_PRELOAD: has its schedulers look at the queue when asked, and tells
// when they have.
//
// slurmctld's main scheduler looks at new jobs once per second, which is nearly all of the time
// that a request takes. What it does is untouched: slurmctld's own schedule() wakes it, and it has
// finished when its thread waits to be woken again. The backfill scheduler begins a cycle at most
// once per second; it is woken more often to see whether it may.
//
// To each byte that a client of the socket named by PARITY_PASSES sends, 'm' (main scheduler) or
// 'b' (backfill), it gets the same byte back when a pass that began after that is over.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// Without news, backfill begins no cycle: that is sure after as many wakes as last two seconds.
enum { WAKE_NANOSECONDS = 20000000, NANOSECONDS = 1000000000, MOST_WAKES = 100 };

// A scheduler's thread. All of it is guarded by the mutex with which that thread waits.
struct scheduler {
    const char* name;
    pthread_mutex_t* mutex;
    pthread_cond_t* condition;
    pthread_cond_t slept;  // told whenever the thread is about to wait
    bool asleep;
    unsigned sleeps;
    bool asked, looked;  // of backfill: for a pass, and whether it has begun one since
};

static struct scheduler main_scheduler = {.name = "sched_agent", .slept = PTHREAD_COND_INITIALIZER};
static struct scheduler backfill = {.name = "bckfl", .slept = PTHREAD_COND_INITIALIZER};

static uintptr_t program_start, program_end;

static void* next(const char* name) {
    // Without its version the oldest one may come, which has other condition variables.
    void* found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    return found ? found : dlsym(RTLD_NEXT, name);
}

static int note_program(struct dl_phdr_info* program, size_t size, void* unused) {
    (void)size;
    (void)unused;
    for (int part = 0; part < program->dlpi_phnum; part++) {
        const ElfW(Phdr)* header = &program->dlpi_phdr[part];
        if (header->p_type == PT_LOAD) {
            program_start = program_start ? program_start : program->dlpi_addr + header->p_vaddr;
            program_end = program->dlpi_addr + header->p_vaddr + header->p_memsz;
        }
    }
    return 1;  // the first one is the program itself
}

// Whether an object is a static one of slurmctld's, as its locks and its scheduler's condition
// variable are.
static bool is_of_slurmctld(const void* address) {
    return (uintptr_t)address >= program_start && (uintptr_t)address < program_end;
}

__attribute__((constructor)) static void find_program(void) {
    dl_iterate_phdr(note_program, NULL);
}

static bool is_thread_of(const struct scheduler* one) {
    char name[17] = "";  // not kept: slurmctld gives threads other names when it uses them again
    prctl(PR_GET_NAME, name);
    return !strcmp(name, one->name);
}

static int wait_on(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    static int (*wait)(pthread_cond_t*, pthread_mutex_t*);
    if (!wait) {
        *(void**)&wait = next("pthread_cond_wait");
    }
    return wait(condition, mutex);
}

static int wait_until(pthread_cond_t* condition, pthread_mutex_t* mutex,
                      const struct timespec* end) {
    static int (*wait)(pthread_cond_t*, pthread_mutex_t*, const struct timespec*);
    if (!wait) {
        *(void**)&wait = next("pthread_cond_timedwait");
    }
    return wait(condition, mutex, end);
}

static void main_pass(void) {
    void (*schedule)(bool) = (void (*)(bool))dlsym(RTLD_DEFAULT, "schedule");
    struct scheduler* one = &main_scheduler;
    pthread_mutex_lock(one->mutex);
    while (!one->asleep) {  // a pass that began before is none of ours
        wait_on(&one->slept, one->mutex);
    }
    unsigned before = one->sleeps;
    pthread_mutex_unlock(one->mutex);
    schedule(true);
    pthread_mutex_lock(one->mutex);
    while (one->sleeps == before) {
        wait_on(&one->slept, one->mutex);
    }
    pthread_mutex_unlock(one->mutex);
}

static void backfill_pass(void) {
    struct scheduler* one = &backfill;
    pthread_mutex_lock(one->mutex);
    one->asked = true;
    one->looked = false;
    unsigned before = one->sleeps;
    pthread_cond_broadcast(one->condition);
    while ((!one->looked || !one->asleep) && one->sleeps - before < MOST_WAKES) {
        wait_on(&one->slept, one->mutex);
    }
    one->asked = false;
    pthread_mutex_unlock(one->mutex);
}

static void* serve(void* listener) {
    int server = (int)(long)listener;
    for (;;) {
        int client = accept(server, NULL, NULL);
        for (char what; client >= 0 && read(client, &what, 1) == 1;) {
            if (what == 'm') {
                main_pass();
            } else {
                backfill_pass();
            }
            if (write(client, &what, 1) != 1) {
                break;
            }
        }
        close(client);
    }
    return NULL;
}

static void begin(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char* path = getenv("PARITY_PASSES");
    int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    pthread_t thread;
    strncpy(address.sun_path, path ? path : "", sizeof address.sun_path - 1);
    if (server < 0 || bind(server, (struct sockaddr*)&address, sizeof address) ||
        listen(server, 1) || pthread_create(&thread, NULL, serve, (void*)(long)server)) {
        abort();
    }
}

static void fall_asleep(struct scheduler* one, pthread_cond_t* condition, pthread_mutex_t* mutex) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    one->condition = condition;
    one->mutex = mutex;
    one->asleep = true;
    one->sleeps++;
    pthread_cond_broadcast(&one->slept);
    if (main_scheduler.mutex && backfill.mutex) {
        pthread_once(&once, begin);
    }
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    if (!is_of_slurmctld(condition) || !is_thread_of(&main_scheduler)) {
        return wait_on(condition, mutex);
    }
    fall_asleep(&main_scheduler, condition, mutex);
    int result = wait_on(condition, mutex);
    main_scheduler.asleep = false;
    return result;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                           const struct timespec* end) {
    if (!is_thread_of(&backfill)) {
        return wait_until(condition, mutex, end);
    }
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += WAKE_NANOSECONDS;
    soon.tv_sec += soon.tv_nsec / NANOSECONDS;
    soon.tv_nsec %= NANOSECONDS;
    fall_asleep(&backfill, condition, mutex);
    int result = wait_until(condition, mutex, backfill.asked ? &soon : end);
    backfill.asleep = false;
    return result;
}

// A cycle of backfill begins with slurmctld's write locks. Each of Slurm's lists has one, too.
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
    static int (*take)(pthread_rwlock_t*);
    if (!take) {
        *(void**)&take = dlsym(RTLD_NEXT, "pthread_rwlock_wrlock");
    }
    int result = take(lock);
    if (is_of_slurmctld(lock) && is_thread_of(&backfill)) {
        backfill.looked = true;
    }
    return result;
}
