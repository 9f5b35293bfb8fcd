/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Preloaded into slurmctld: what the plugin asks of the system. Each call for a file, a process or
 * a connection that has a function of the plugin among its callers is a line of the file in
 * NVL72_CALLS: what was called and for which path.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_CALLERS = 64 };

#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

static bool is_ours(void) {
    static __thread bool looking;
    void* callers[MOST_CALLERS];
    bool found = false;
    if (looking) return false; /* what follows may open files itself */
    looking = true;
    int count = backtrace(callers, MOST_CALLERS);
    for (int i = 0; i < count && !found; i++) {
        Dl_info from;
        found = dladdr(callers[i], &from) && from.dli_fname && strstr(from.dli_fname, "nvl72block");
    }
    looking = false;
    return found;
}

static void note(const char* call, const char* detail, const char* path) {
    const char* file = getenv("NVL72_CALLS");
    int saved = errno;
    char line[4200];
    if (!file || !is_ours()) return;
    int length = snprintf(line, sizeof(line), "%s%s %s\n", call, detail, path);
    int log = NEXT(open)(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log < 0 || write(log, line, (size_t)length) != length) abort();
    close(log);
    errno = saved;
}

static const char* kind(int flags, mode_t mode) {
    static __thread char text[32];
    if ((flags & O_ACCMODE) == O_RDONLY && !(flags & O_CREAT)) return "-read";
    if (!(flags & O_CREAT)) return "-write";
    snprintf(text, sizeof(text), "-create-%o", mode & 07777);
    return text;
}

#define OPEN(name)                               \
    int name(const char* path, int flags, ...) { \
        va_list more;                            \
        mode_t mode;                             \
        va_start(more, flags);                   \
        mode = va_arg(more, mode_t);             \
        va_end(more);                            \
        note("open", kind(flags, mode), path);   \
        return NEXT(name)(path, flags, mode);    \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                         \
    int name(int folder, const char* path, int flags, ...) { \
        va_list more;                                        \
        mode_t mode;                                         \
        va_start(more, flags);                               \
        mode = va_arg(more, mode_t);                         \
        va_end(more);                                        \
        note("open", kind(flags, mode), path);               \
        return NEXT(name)(folder, path, flags, mode);        \
    }
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name)                                                                       \
    FILE* name(const char* path, const char* mode) {                                      \
        note("open", strcmp(mode, "r") && strcmp(mode, "re") ? "-write" : "-read", path); \
        return NEXT(name)(path, mode);                                                    \
    }
FOPEN(fopen)
FOPEN(fopen64)

#define TEMPORARY(name)                     \
    int name(char* path, int flags) {       \
        int made = NEXT(name)(path, flags); \
        note("open", "-create-600", path);  \
        return made;                        \
    }
TEMPORARY(mkostemp)
TEMPORARY(mkostemp64)

int rename(const char* from, const char* to) {
    note("rename", "", to);
    return NEXT(rename)(from, to);
}

int unlink(const char* path) {
    note("unlink", "", path);
    return NEXT(unlink)(path);
}

int mkdir(const char* path, mode_t mode) {
    note("mkdir", "", path);
    return NEXT(mkdir)(path, mode);
}

int fchmod(int file, mode_t mode) {
    char text[32];
    snprintf(text, sizeof(text), "%o", mode);
    note("fchmod", "", text);
    return NEXT(fchmod)(file, mode);
}

int fsync(int file) {
    note("fsync", "", "");
    return NEXT(fsync)(file);
}

int socket(int domain, int type, int protocol) {
    note("socket", "", "");
    return NEXT(socket)(domain, type, protocol);
}

int connect(int socket_, const struct sockaddr* to, socklen_t size) {
    note("connect", "", "");
    return NEXT(connect)(socket_, to, size);
}

pid_t fork(void) {
    note("fork", "", "");
    return NEXT(fork)();
}

int execve(const char* path, char* const arguments[], char* const environment[]) {
    note("execve", "", path);
    return NEXT(execve)(path, arguments, environment);
}

int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[],
                char* const environment[]) {
    note("posix_spawn", "", path);
    return NEXT(posix_spawn)(process, path, actions, attributes, arguments, environment);
}

int system(const char* command) {
    note("system", "", command);
    return NEXT(system)(command);
}

FILE* popen(const char* command, const char* mode) {
    note("popen", "", command);
    return NEXT(popen)(command, mode);
}
