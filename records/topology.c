/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The blocks. Each topology plugin has its own form of them, and only the plugin reads it; what it
 * prints of a block is one line of KEY=VALUE. Of the values only that of Nodes=, which is as
 * topology.conf has it, can have blanks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json.h"
#include "libslurm.h"
#include "records.h"

static pid_t child;
static int printed, said; /* by the child, on its two outputs */

static void _print_topology(void) {
    topo_info_response_msg_t* topology = NULL;

    libslurm.slurm_init(NULL);
    if (LOAD_TOPO(&topology) || !topology) fail_with_errno("topology");
    PRINT_TOPO(stdout, topology);
    fflush(stdout);
}

extern void ask_topology(void) {
    printed = memfd_create("topology", MFD_CLOEXEC);
    said = memfd_create("messages", MFD_CLOEXEC);
    if (printed < 0 || said < 0 || (child = fork()) < 0) fail("topology", strerror(errno));
    if (child) return;
    dup2(printed, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    _print_topology();
    _exit(0);
}

static char* _read_all(int file) {
    off_t size = lseek(file, 0, SEEK_END);
    char* text = calloc((size_t)size + 1, 1);

    if (!text || pread(file, text, (size_t)size, 0) != size) fail("topology", strerror(errno));
    return text;
}

/* The value of KEY= in a line, cut off where `next` follows; NULL without the key. */
static char* _value(char* line, const char* key, const char* next) {
    char *at = strstr(line, key), *end;

    if (!at || (at != line && at[-1] != ' ')) return NULL;
    at += strlen(key);
    if ((end = strstr(at, next))) *end = '\0';
    return at;
}

/* Values are cut off from the last of the line to the first, so that each key is still found. */
static void _write_block(char* line) {
    char* size = _value(line, "BlockSize=", " ");
    char* nodes = _value(line, "Nodes=", " BlockSize=");
    char* index = _value(line, "BlockIndex=", " ");
    bool aggregated = !strncmp(line, "AggregatedBlock=", 16);

    if (!aggregated && strncmp(line, "BlockName=", 10)) return;
    json_open(NULL, '{');
    json_text("name", _value(line, aggregated ? "AggregatedBlock=" : "BlockName=", " "));
    json_flag("aggregated", aggregated);
    json_count("index", index ? strtoul(index, NULL, 10) : 0);
    json_text("nodes", nodes);
    json_count("size", size ? strtoul(size, NULL, 10) : 0);
    json_close('}');
}

extern void write_topology(void) {
    int status = 0;
    char *rest, *line;

    if (waitpid(child, &status, 0) != child) fail("topology", strerror(errno));
    if (status != 0) {
        rest = _read_all(said);
        json_text("topology_error", *rest ? rest : "Slurm ended the process that asked for it");
        return;
    }
    rest = _read_all(printed);
    json_open("blocks", '[');
    while ((line = strsep(&rest, "\n"))) _write_block(line);
    json_close(']');
}
