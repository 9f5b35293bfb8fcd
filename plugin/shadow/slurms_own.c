/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Opens Slurm's own topology_block.so, of the same version, by its path: a search by name would
 * find the drop-in, which is this plugin.
 */
#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

#include "shadow/shadow.h"
#include "slurm/entries.h"
#include "slurm/facts.h"

#include "src/common/log.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#define NVL72_FILE "topology_block.so"
#define NVL72_OWN_NAME "topology nvl72block"

#define NAME_OF(exported) #exported
#define NAME(type, name, exported, parameters, arguments) NAME_OF(exported),
static const char* names[] = {NVL72_ENTRIES(NAME)};
#define NVL72_NAMES ((int)(sizeof(names) / sizeof(names[0])))

static nvl72_entries_t found;
static bool complete;

/* Whether both are the same file. */
static bool _is_this_file(const struct stat* status) {
    struct stat own;
    Dl_info where;

    return dladdr((void*)_is_this_file, &where) && where.dli_fname &&
           !stat(where.dli_fname, &own) && (own.st_dev == status->st_dev) &&
           (own.st_ino == status->st_ino);
}

static bool _complain(const char* path, const char* what) {
    error("%s: Nvl72Shadow=on: %s %s", plugin_type, path, what);
    return false;
}

/* Another copy of the drop-in is another file. */
static bool _is_ours(void* library) {
    const char* name = dlsym(library, "plugin_name");

    return !name || !xstrncmp(name, NVL72_OWN_NAME, strlen(NVL72_OWN_NAME));
}

/* Whether its data say the same as ours: Slurm reads ours and calls its functions. */
static bool _agrees(void* library, const char* path) {
    const uint32_t* version = dlsym(library, "plugin_version");
    const uint32_t* id = dlsym(library, "plugin_id");
    const bool* exclusive = dlsym(library, "supports_exclusive_topo");

    if (!version || (*version != SLURM_VERSION_NUMBER))
        return _complain(path, "is not of Slurm " NVL72BLOCK_SLURM_VERSION);
    if (!id || (*id != plugin_id) || (exclusive && (*exclusive != supports_exclusive_topo)))
        return _complain(path, "has another plugin_id or supports_exclusive_topo than this plugin");
    return true;
}

static bool _find_functions(void* library, const char* path) {
    void** function = (void**)&found;

    for (int i = 0; i < NVL72_NAMES; i++) {
        function[i] = dlsym(library, names[i]);
        if (!function[i]) return _complain(path, "lacks a function that this Slurm looks up");
    }
    return true;
}

/*
 * As plugin_load_from_file() does: that has other arguments in later versions, and would call the
 * init() of a copy of ours. What was opened stays open.
 */
static bool _open(const char* path) {
    void* library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    int (*start)(void);

    if (!library) return _complain(path, dlerror());
    if (_is_ours(library)) {
        dlclose(library);
        return false;
    }
    start = (int (*)(void))dlsym(library, "init");
    return _agrees(library, path) && _find_functions(library, path) &&
           (!start || !start() || _complain(path, "does not start"));
}

static bool _try_directory(const char* directory) {
    char* path = xstrdup_printf("%s/" NVL72_FILE, directory);
    struct stat status;
    bool opened =
        !stat(path, &status) && S_ISREG(status.st_mode) && !_is_this_file(&status) && _open(path);

    if (opened) verbose("shadow mode: %s decides", path);
    xfree(path);
    return opened;
}

extern const nvl72_entries_t* nvl72_slurms_own(void) {
    char *directories, *rest = NULL;

    if (complete) return &found;
    directories = xstrdup(slurm_conf.plugindir);
    for (char* directory = strtok_r(directories, ":", &rest); directory && !complete;
         directory = strtok_r(NULL, ":", &rest))
        complete = _try_directory(directory);
    xfree(directories);
    if (!complete)
        error("%s: Nvl72Shadow=on needs Slurm's own " NVL72_FILE
              " of version %s, which PluginDir=%s has not; install it there, or remove "
              "Nvl72Shadow=on from TopologyParam",
              plugin_type, NVL72BLOCK_SLURM_VERSION, slurm_conf.plugindir);
    return complete ? &found : NULL;
}
