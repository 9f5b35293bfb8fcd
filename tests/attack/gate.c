/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Preloaded into slurmctld: a disk that does not answer, for the plugin's state files alone. Each
 * call that touches one on its way to the disk is written to the file `calls` in NVL72_GATE; while
 * the file `closed` is there, it waits until somebody opens the FIFO `open` for writing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

static int next_open(const char* path, int flags, mode_t mode) {
    return NEXT(open)(path, flags, mode);
}

/* A path in the folder of the gate. */
static const char* place(char* buffer, size_t size, const char* name) {
    const char* folder = getenv("NVL72_GATE");

    return folder && snprintf(buffer, size, "%s/%s", folder, name) < (int)size ? buffer : NULL;
}

static int is_ours(const char* path) {
    const char* name = path ? strrchr(path, '/') : NULL;

    name = name ? name + 1 : path;
    return name && (strstr(name, "nvl72block_demand") || strstr(name, "nvl72block_last_good"));
}

static void note(const char* call, const char* path) {
    char file[4096], line[4200];
    int log, length = snprintf(line, sizeof(line), "%s %s\n", call, path);

    if (!place(file, sizeof(file), "calls")) return;
    log = next_open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log < 0) return;
    if (write(log, line, (size_t)length) != length) abort();
    close(log);
}

static void pass(const char* call, const char* path) {
    char closed[4096], fifo[4096];
    int saved = errno, held;

    if (!is_ours(path)) return;
    note(call, path);
    if (place(closed, sizeof(closed), "closed") && place(fifo, sizeof(fifo), "open") &&
        !access(closed, F_OK)) {
        held = next_open(fifo, O_RDONLY | O_CLOEXEC, 0);
        if (held >= 0) close(held);
    }
    errno = saved;
}

static void pass_descriptor(const char* call, int descriptor) {
    char link[64], path[4096];
    ssize_t length;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
    length = readlink(link, path, sizeof(path) - 1);
    if (length < 0) return;
    path[length] = '\0';
    pass(call, path);
}

/* What is opened only to be read is no write. */
static int writes(int flags) {
    return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);
}

int open(const char* path, int flags, ...) {
    va_list more;
    mode_t mode;

    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
    if (writes(flags)) pass("open", path);
    return next_open(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list more;
    mode_t mode;

    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
    if (writes(flags)) pass("open", path);
    return next_open(path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
    if (!strchr(mode, 'r') || strchr(mode, '+')) pass("open", path);
    return NEXT(fopen)(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
    if (!strchr(mode, 'r') || strchr(mode, '+')) pass("open", path);
    return NEXT(fopen64)(path, mode);
}

int mkostemp(char* path, int flags) {
    pass("create", path);
    return NEXT(mkostemp)(path, flags);
}

int mkostemp64(char* path, int flags) {
    pass("create", path);
    return NEXT(mkostemp)(path, flags);
}

int fsync(int descriptor) {
    struct stat status;

    pass_descriptor("fsync", descriptor);
    if (!fstat(descriptor, &status) && S_ISDIR(status.st_mode)) note("fsync", "directory");
    return NEXT(fsync)(descriptor);
}

int rename(const char* from, const char* to) {
    pass("rename", to);
    return NEXT(rename)(from, to);
}
