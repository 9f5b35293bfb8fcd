/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libslurm.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libslurm.so." NVL72BLOCK_SLURM_API
/* What Slurm's own programs use; it has no version in its name. */
#define FULL_LIBRARY "libslurmfull.so"

struct libslurm libslurm;

static char** arguments;             /* of this program */
static char self[PATH_MAX];          /* this program */
static char why_not[PATH_MAX + 256]; /* the first library that was found and did not serve */

extern void fail(const char* what, const char* message) {
    fprintf(stderr, "nvl72block-records: %s: %s\n", what, message);
    _exit(1); /* what is printed so far is no document */
}

extern void fail_with_errno(const char* what) {
    fail(what, libslurm.slurm_strerror(errno));
}

/* Whether `library` is one of this version, whose functions are then called. */
static bool _serves(void* library) {
    const char* missing = NULL;

#define LIBSLURM_LOOK_UP(function)                                               \
    if (!(libslurm.function = (__typeof__(&function))dlsym(library, #function))) \
        missing = #function;
    LIBSLURM_FUNCTIONS(LIBSLURM_LOOK_UP)
#undef LIBSLURM_LOOK_UP
    return !missing && libslurm.slurm_api_version() >> 16 == atol(NVL72BLOCK_SLURM_API);
}

/* Slurm and its plugins call functions whose names the C library has, too, as error(): in a program
 * that is linked with Slurm, Slurm's come first. So the library is loaded before the C library,
 * which takes a new start. */
static void _start_again(const char* library) {
    const char* others = getenv("LD_PRELOAD");
    char* all;

    if (others && strstr(others, library)) fail(library, "is not loaded before the C library");
    if (asprintf(&all, "%s%s%s", others ? others : "", others ? ":" : "", library) < 0) abort();
    setenv("LD_PRELOAD", all, 1);
    execv(self, arguments);
    fail(self, strerror(errno));
}

/* Does not return where it serves. */
static void _try_library(const char* name) {
    void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);

    if (library && _serves(library)) _start_again(name);
    if (!*why_not && library)
        snprintf(why_not, sizeof why_not, "; %s is of another version", name);
    else if (!*why_not)
        snprintf(why_not, sizeof why_not, "; %s", dlerror());
}

/* Those with a name of `names`, in this order, below the directory `parent`. */
static void _try_below(const char* parent, const char* const names[]) {
    for (; *names; names++) {
        char pattern[PATH_MAX];
        glob_t found;

        if (snprintf(pattern, sizeof pattern, "%s/%s", parent, *names) >= (int)sizeof pattern)
            continue;
        if (glob(pattern, 0, NULL, &found) != 0) continue;
        for (size_t i = 0; i < found.gl_pathc; i++) _try_library(found.gl_pathv[i]);
        globfree(&found);
    }
}

/* Cuts the last part off a path. */
static void _to_parent(char* path) {
    char* slash = strrchr(path, '/');

    if (slash) *slash = '\0';
}

/* In PluginDir, or in the drop-in's directory in it. */
static void _try_beside_program(void) {
    static const char* const names[] = {FULL_LIBRARY, "../" FULL_LIBRARY, NULL};
    char directory[PATH_MAX];

    strcpy(directory, self);
    _to_parent(directory);
    _try_below(directory, names);
}

static void _try_of_scontrol(void) {
    static const char* const names[] = {"lib*/slurm/" FULL_LIBRARY,
                                        "lib/*/slurm-wlm/" FULL_LIBRARY,
                                        "lib/*/slurm/" FULL_LIBRARY,
                                        "lib*/" LIBRARY,
                                        "lib/*/" LIBRARY,
                                        NULL};
    char* path = strdup(getenv("PATH") ?: "/usr/bin:/bin");
    char *rest = path, *directory, program[PATH_MAX], real[PATH_MAX];
    bool found = false;

    while (!found && (directory = strsep(&rest, ":"))) {
        snprintf(program, sizeof program, "%s/scontrol", directory);
        found = access(program, X_OK) == 0 && realpath(program, real);
    }
    free(path);
    if (!found) return;
    _to_parent(real);
    _to_parent(real);
    _try_below(real, names);
}

extern void libslurm_open(char** argv) {
    arguments = argv;
    if (_serves(RTLD_DEFAULT)) return;
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        fail("/proc/self/exe", strerror(errno));
    _try_beside_program();
    _try_of_scontrol();
    _try_library(LIBRARY);
    fprintf(stderr,
            "nvl72block-records: no client library of Slurm %s is found (" LIBRARY
            " or the " FULL_LIBRARY " of its commands)%s\n",
            NVL72BLOCK_SLURM_VERSION, why_not);
    _exit(1);
}
