/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A topology of topology.yaml (25.05 and later), which Slurm has parsed. Only the drop-in meets it:
 * in that file Slurm knows no plugins but its own.
 */
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

typedef struct {
    uint32_t* size;
    size_t count;
} nvl72_sizes_t;

static int _add_size(void* x, void* arg) {
    const int* size = x;
    nvl72_sizes_t* sizes = arg;

    /* Nonsense stays visible to the checks that follow: 0 is refused by name. */
    sizes->size[sizes->count++] = MAX(*size, 0);
    return SLURM_SUCCESS;
}

/* Where Slurm has a message for this error, it comes first: tests and log filters look for it. */
static void _say_it_as_slurm(const nvl72_source_t* source, nvl72block_error* problem) {
    nvl72block_error ours = *problem;

    if (!xstrstr(ours.message, ": BlockSizes=")) return;
    snprintf(problem->message, sizeof(problem->message),
             "Invalid BlockSizes value in topology %.100s: %.880s", source->name, ours.message);
}

extern nvl72block_topology* nvl72_yaml_build(const nvl72_source_t* source,
                                             const nvl72block_reader* reader,
                                             nvl72block_error* problem) {
    topology_block_config_t* yaml = source->yaml;
    nvl72block_block* blocks = xcalloc(yaml->config_cnt + 1, sizeof(*blocks));
    nvl72_sizes_t sizes = {0};
    nvl72block_topology* topology;
    char* name = xstrdup_printf("topology.yaml, topology %s", source->name);

    for (int i = 0; i < yaml->config_cnt; i++) {
        blocks[i].name = yaml->block_configs[i].block_name;
        blocks[i].nodes = yaml->block_configs[i].nodes;
    }
    if (yaml->block_sizes) {
        sizes.size = xcalloc(list_count(yaml->block_sizes) + 1, sizeof(*sizes.size));
        (void)list_for_each(yaml->block_sizes, _add_size, &sizes);
    }
    topology = nvl72block_topology_build(name, blocks, yaml->config_cnt, sizes.size, sizes.count,
                                         reader, problem);
    if (!topology) _say_it_as_slurm(source, problem);
    xfree(sizes.size);
    xfree(blocks);
    xfree(name);
    return topology;
}

/* By the name: with Nvl72Aggregate=name the blocks are not in the order of the file. */
extern void nvl72_yaml_update(const nvl72_source_t* source, const char* name, const char* nodes) {
    topology_block_config_t* yaml = source->yaml;

    for (int i = 0; yaml && (i < yaml->config_cnt); i++) {
        if (xstrcmp(yaml->block_configs[i].block_name, name)) continue;
        xfree(yaml->block_configs[i].nodes);
        yaml->block_configs[i].nodes = xstrdup(nodes);
        return;
    }
}

extern void nvl72_yaml_add_block(const nvl72_source_t* source, const char* name) {
    topology_block_config_t* yaml = source->yaml;

    if (!yaml) return;
    xrecalloc(yaml->block_configs, yaml->config_cnt + 1, sizeof(*yaml->block_configs));
    yaml->block_configs[yaml->config_cnt++].block_name = xstrdup(name);
}
