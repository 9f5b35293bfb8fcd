/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From topology.conf or topology.yaml to a topology in force. What is wrong is logged with file and
 * line. Then `scontrol reconfigure` fails and the running slurmctld keeps its topology; a slurmctld
 * that starts afresh takes the last topology that was good; slurmd carries on without one.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cliques/cliques.h"
#include "demand/demand.h"
#include "slurm/facts.h"
#include "topology/topology.h"

#include "src/common/hostlist.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/run_in_daemon.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#define NVL72_LAST_GOOD "nvl72block_last_good_topology.conf"

/* Whether this process has read its configuration before, as a backup slurmctld that takes over
 * again has; a reconfigure is another process. */
static bool had_control;

/* Told to the resolver and the reporter. */
typedef struct {
    bool skip_unknown; /* names that no node has (yet) are left out instead of refused */
    bool failed;       /* an error was found; nvl72_load()'s caller logs the first one */
} nvl72_reading_t;

/*
 * The node names that `text` means. slurmctld also knows node sets, feature{…} and ALL; slurmd's
 * table has no features, but there only a node's own address depends on the result.
 */
static hostlist_t* _expand(const char* text) {
    hostlist_t* names;
    node_record_t* node;

    if (running_in_slurmctld()) return nodespec_to_hostlist(text, false, NULL);
    if (xstrcasecmp(text, "ALL")) return hostlist_create(text);
    names = hostlist_create(NULL);
    for (int i = 0; (node = next_node(&i)); i++) hostlist_push_host(names, node->name);
    return names;
}

static void _complain(nvl72block_nodes* nodes, const char* what, const char* name) {
    char* sentence = NULL;

    xstrfmtcat(sentence, "%s %s", what, name);
    nvl72block_nodes_fail(nodes, sentence);
    xfree(sentence);
}

/* A function or node set that Slurm cannot make sense of, block{...} above all, leaves nothing; so
 * does a feature of nodes that are yet to come. */
static void _mention_none(nvl72block_nodes* nodes, const char* text, bool is_mistake) {
    char* sentence = xstrdup_printf("no node matches %s", text);

    if (is_mistake)
        nvl72block_nodes_fail(nodes, sentence);
    else
        nvl72block_nodes_warn(nodes, sentence);
    xfree(sentence);
}

/* slurmd's table may lack nodes that slurmctld knows, so only the latter has something to say. */
static void _mention_unknown(nvl72block_nodes* nodes, hostlist_t* unknown) {
    int count = hostlist_count(unknown);
    char *list, *sentence = NULL;

    if (!count || !running_in_slurmctld()) return;
    list = hostlist_ranged_string_xmalloc(unknown);
    xstrfmtcat(sentence, "%d node name%s that no node has yet: %.200s%s", count,
               (count == 1) ? "" : "s", list, (strlen(list) > 200) ? "..." : "");
    nvl72block_nodes_warn(nodes, sentence);
    xfree(sentence);
    xfree(list);
}

static void _resolve(void* argument, const char* text, nvl72block_nodes* nodes) {
    const nvl72_reading_t* reading = argument;
    hostlist_t* names = _expand(text);
    hostlist_iterator_t* next;
    hostlist_t* unknown;
    char* name;

    if (!names) {
        _complain(nodes, "malformed node list", text);
        return;
    }
    if (running_in_slurmctld() && !hostlist_count(names))
        _mention_none(nodes, text, !reading->skip_unknown);
    unknown = hostlist_create(NULL);
    /* To shift the names off would take quadratic time. */
    next = hostlist_iterator_create(names);
    while ((name = hostlist_next(next))) {
        node_record_t* node = find_node_record2(name);

        if (node)
            nvl72block_nodes_add(nodes, node->index);
        else if (reading->skip_unknown)
            hostlist_push_host(unknown, name);
        else
            _complain(nodes, "slurm.conf has no node named", name);
        free(name);
    }
    hostlist_iterator_destroy(next);
    _mention_unknown(nodes, unknown);
    hostlist_destroy(unknown);
    hostlist_destroy(names);
}

static void _report(void* argument, nvl72block_severity severity, const char* line) {
    nvl72_reading_t* reading = argument;

    switch (severity) {
        case NVL72BLOCK_ERROR:
            if (reading->failed) error("%s", line);
            reading->failed = true;
            break;
        case NVL72BLOCK_WARNING:
            warning("%s", line);
            break;
        case NVL72BLOCK_NOTE:
            verbose("%s", line);
            break;
    }
}

/* Whether there is room for another node, or was before one was created that can be deleted. */
static bool _can_create_nodes(void) {
    node_record_t* node;

    if (node_record_count > active_node_record_count) return true;
    for (int i = 0; (node = next_node(&i)); i++) {
        if (IS_NODE_DYNAMIC_NORM(node)) return true;
    }
    return false;
}

/*
 * Names without a node are mistakes where slurm.conf has all nodes. They are not where nodes can
 * still be created, and a slurmd must not stumble over nodes that its slurmctld knows.
 */
static bool _names_may_be_unknown(void) {
    return !running_in_slurmctld() || _can_create_nodes();
}

extern nvl72block_topology* nvl72_load(const nvl72_source_t* source, const nvl72_options_t* options,
                                       nvl72block_error* problem) {
    nvl72_reading_t reading = {.skip_unknown = source->skips_unknown || _names_may_be_unknown()};
    nvl72block_reader reader = {
        .node_count = node_record_count,
        .resolve = _resolve,
        .report = source->quiet ? NULL : _report,
        .argument = &reading,
        .options = options,
        .saved_of_yaml = source->saved_of_yaml,
    };
    nvl72block_topology* topology;

    if (source->yaml) return nvl72_yaml_build(source, &reader, problem);
    debug("reading %s", source->path);
    topology = nvl72block_topology_read(source->path, &reader, problem);
    if (topology && !source->saved_of_yaml &&
        nvl72block_options_have(options, "Nvl72Clique=derive"))
        topology = nvl72_cliques_follow(topology, options, problem);
    return topology;
}

static void _not_saved(const char* why) {
    error("%s: the topology is not saved as the last good one: %s; %s", plugin_type, why,
          NVL72_SAVE_REMEDY);
}

/* Slurm holds all of its locks here. */
static void _save_last_good(const nvl72_source_t* source, const nvl72block_topology* topology) {
    char* path = nvl72_state_file(source, NVL72_LAST_GOOD);
    nvl72block_error problem;

    if (!nvl72block_topology_save(topology, path, _not_saved, &problem))
        _not_saved(problem.message);
    xfree(path);
}

/* Slurm never unsets the variable, but nobody waits any more for a backup that has had control. */
extern bool nvl72_may_end(void) {
    return !had_control && getenv("SLURMCTLD_RECONF_PARENT_FD");
}

static nvl72block_topology* _stand_in(const nvl72_source_t* source, const nvl72_options_t* options,
                                      const nvl72block_error* problem, const char* what) {
    nvl72block_error second;
    nvl72block_topology* topology = nvl72_load(source, options, &second);

    if (topology)
        error("%s: %s; %s until the line is corrected and scontrol reconfigure run", plugin_type,
              problem->message, what);
    return topology;
}

static nvl72block_topology* _last_good(nvl72_source_t* saved, const nvl72_options_t* options,
                                       const nvl72block_error* problem) {
    char* what = xstrdup_printf("the LAST GOOD topology, %s, is used", saved->path);
    nvl72block_topology* topology =
        access(saved->path, F_OK) ? NULL : _stand_in(saved, options, problem, what);

    xfree(what);
    return topology;
}

/*
 * What is used in place of a topology that is wrong, or the end of this process. Nodes that
 * slurm.conf has no more are in the last good topology as well. Slurm's own plugin starts with
 * them, and so do we.
 */
static nvl72block_topology* _recover(const nvl72_source_t* source, const nvl72_options_t* options,
                                     const nvl72block_error* problem) {
    char* path = nvl72_state_file(source, NVL72_LAST_GOOD);
    nvl72_source_t saved = {
        .path = path, .saved_of_yaml = source->yaml, .name = source->name, .skips_unknown = true};
    nvl72_source_t rest = *source;
    nvl72block_topology* topology;

    if (nvl72_may_end()) fatal("%s", problem->message);
    topology = _last_good(&saved, options, problem);
    rest.quiet = rest.skips_unknown = true;
    if (!topology)
        topology = _stand_in(&rest, options, problem,
                             "no last good topology can be used; the names that no node has are "
                             "skipped");
    if (!topology && !source->yaml && nvl72block_options_have(options, "Nvl72Clique=derive"))
        topology = _stand_in(&saved, options, problem,
                             "no last good topology was saved; the cliques are used without "
                             "BlockSizes");
    if (!topology) fatal("%s", problem->message);
    xfree(path);
    return topology;
}

/* Nodes in no block are legal but often an oversight. */
static void _mention_outsiders(const nvl72block_topology* topology) {
    bitstr_t* outside = bit_alloc(node_record_count);
    node_record_t* node;
    char* names;

    for (int i = 0; (node = next_node(&i)); i++) {
        if (nvl72block_topology_block_of(topology, i) == NVL72BLOCK_NO_BLOCK) bit_set(outside, i);
    }
    if (bit_ffs(outside) >= 0) {
        names = bitmap2node_name(outside);
        info("%d nodes are in no block: %s", bit_set_count(outside), names);
        xfree(names);
    }
    FREE_NULL_BITMAP(outside);
}

static nvl72block_topology* _load_for_use(const nvl72_source_t* source,
                                          const nvl72_options_t* options) {
    nvl72block_error problem;
    nvl72block_topology* topology = nvl72_load(source, options, &problem);

    if (!running_in_slurmctld()) {
        if (!topology) error("%s: no topology: %s", plugin_type, problem.message);
        return topology;
    }
    if (!topology) return _recover(source, options, &problem);
    _save_last_good(source, topology);
    _mention_outsiders(topology);
    return topology;
}

/* The one line that tells an administrator what has been started. */
static void _tell_what_runs(nvl72_context_t* context, const nvl72_source_t* source) {
    nvl72block_topology* topology;
    char options[1024];

    if (!running_in_slurmctld()) return;
    topology = nvl72_context_topology(context);
    nvl72block_options_text(context->options, options, sizeof(options));
    info("%s for Slurm %s, topology %s: %u base blocks of %u nodes, %u levels, %s", plugin_name,
         NVL72BLOCK_SLURM_VERSION, source->name, nvl72block_topology_block_count(topology),
         nvl72block_topology_planning_size(topology), nvl72block_topology_level_count(topology),
         options);
    nvl72block_topology_release(topology);
}

extern nvl72_context_t* nvl72_context_open(const nvl72_source_t* source, nvl72_options_t* options,
                                           nvl72block_topology* topology) {
    nvl72_context_t* context = nvl72_context_create(topology, options);

    if (nvl72block_options_settle(options, topology))
        error(
            "%s: Nvl72Clique=derive works only with topology.conf; with topology.yaml it works as "
            "verify",
            plugin_type);
    context->demand = nvl72_demand_create(source, options);
    nvl72_cliques_watch(context);
    nvl72_deletable_note(context);
    _tell_what_runs(context, source);
    return context;
}

/* What is left of an earlier reading refers to the node table of that time. */
static void _drop_earlier(NVL72_TCTX) {
    if (NVL72_CONTEXT_OF_TCTX) had_control = true;
    nvl72_context_destroy(NVL72_CONTEXT_OF_TCTX);
    NVL72_SET_CONTEXT(NULL);
    nvl72_membership_forget();
    nvl72_features_drop();
}

extern int nvl72_context_build(NVL72_TCTX) {
    nvl72_source_t source = NVL72_SOURCE;
    nvl72_options_t* options;
    nvl72block_topology* topology;

    _drop_earlier(NVL72_PASS_TCTX);
    if (!node_record_count) return SLURM_SUCCESS;
    options = nvl72_read_options(false);
    topology = _load_for_use(&source, options);
    if (!topology) {
        nvl72block_options_free(options);
        return SLURM_ERROR;
    }
    NVL72_SET_CONTEXT(nvl72_context_open(&source, options, topology));
    return SLURM_SUCCESS;
}
