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

static char why_not[PATH_MAX + 256]; /* the last library that was found and did not serve */

extern void fail(const char* what, const char* message) {
    fprintf(stderr, "nvl72block-records: %s: %s\n", what, message);
    _exit(1); /* what is printed so far is no document */
}

extern void fail_with_errno(const char* what) {
    fail(what, libslurm.slurm_strerror(errno));
}

/* Slurm's own plugins look for its functions among those that are global. */
static bool _open_library(const char* name) {
    void* library = dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
    const char* missing = NULL;

    if (!library) {
        snprintf(why_not, sizeof why_not, "; %s", dlerror());
        return false;
    }
#define LIBSLURM_LOOK_UP(function)                                               \
    if (!(libslurm.function = (__typeof__(&function))dlsym(library, #function))) \
        missing = #function;
    LIBSLURM_FUNCTIONS(LIBSLURM_LOOK_UP)
#undef LIBSLURM_LOOK_UP
    if (!missing && libslurm.slurm_api_version() >> 16 == atol(NVL72BLOCK_SLURM_API)) return true;
    snprintf(why_not, sizeof why_not, "; %s is of another version", name);
    return false;
}

/* The first of `names`, of which an earlier one is preferred, below the directory `parent`. */
static bool _open_below(const char* parent, const char* const names[]) {
    for (; *names; names++) {
        char pattern[PATH_MAX];
        glob_t found;
        bool opened = false;

        if (snprintf(pattern, sizeof pattern, "%s/%s", parent, *names) >= (int)sizeof pattern)
            continue;
        if (glob(pattern, 0, NULL, &found) != 0) continue;
        for (size_t i = 0; i < found.gl_pathc && !opened; i++)
            opened = _open_library(found.gl_pathv[i]);
        globfree(&found);
        if (opened) return true;
    }
    return false;
}

/* Cuts the last part off a path. */
static void _to_parent(char* path) {
    char* slash = strrchr(path, '/');

    if (slash) *slash = '\0';
}

/* In PluginDir, or in the drop-in's directory in it. */
static bool _open_beside_program(void) {
    static const char* const names[] = {FULL_LIBRARY, "../" FULL_LIBRARY, NULL};
    char self[PATH_MAX] = "";

    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return false;
    _to_parent(self);
    return _open_below(self, names);
}

static bool _open_of_scontrol(void) {
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
    if (!found) return false;
    _to_parent(real);
    _to_parent(real);
    return _open_below(real, names);
}

extern void libslurm_open(void) {
    if (_open_beside_program() || _open_of_scontrol() || _open_library(LIBRARY)) return;
    fprintf(stderr,
            "nvl72block-records: no client library of Slurm %s is found (" LIBRARY
            " or the " FULL_LIBRARY " of its commands)%s\n",
            NVL72BLOCK_SLURM_VERSION, why_not);
    _exit(1); /* what is printed so far is no document */
}
