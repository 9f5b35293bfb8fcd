/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Opens Slurm's own topology_block.so, of the same version, by its path: a search by name would
 * find the drop-in, which is this plugin.
 */
#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

#include "shadow.h"
#include "src/common/log.h"
#include "src/common/plugin.h"
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

/* Another copy of the drop-in is another file. Looked at before Slurm calls its init(). */
static bool _is_ours(const char* path) {
    void* library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    const char* name = library ? dlsym(library, "plugin_name") : NULL;
    bool ours = name && !xstrncmp(name, NVL72_OWN_NAME, strlen(NVL72_OWN_NAME));

    if (library) dlclose(library);
    return ours;
}

/* Whether its data say the same as ours: Slurm reads ours and calls its functions. */
static bool _agrees(plugin_handle_t library, const char* path) {
    const uint32_t* id = plugin_get_sym(library, "plugin_id");
    const bool* exclusive = plugin_get_sym(library, "supports_exclusive_topo");

    if (id && (*id == plugin_id) && (!exclusive || (*exclusive == supports_exclusive_topo)))
        return true;
    error(
        "%s: Nvl72Shadow=on: %s has another plugin_id or supports_exclusive_topo than this plugin",
        plugin_type, path);
    return false;
}

static bool _open(const char* path) {
    plugin_handle_t library;

    if (plugin_load_from_file(&library, path) != SLURM_SUCCESS) return false;
    if (plugin_get_syms(library, NVL72_NAMES, names, (void**)&found) < NVL72_NAMES) {
        error("%s: Nvl72Shadow=on: %s lacks a function that Slurm %s looks up", plugin_type, path,
              NVL72BLOCK_SLURM_VERSION);
        return false;
    }
    return _agrees(library, path);
}

static bool _try_directory(const char* directory) {
    char* path = xstrdup_printf("%s/" NVL72_FILE, directory);
    struct stat status;
    bool opened = !stat(path, &status) && S_ISREG(status.st_mode) && !_is_this_file(&status) &&
                  !_is_ours(path) && _open(path);

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
