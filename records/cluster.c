/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The configuration, nodes, partitions and reservations.
 */
#include "json.h"
#include "libslurm.h"
#include "records.h"

/* For partitions that leave a limit or a default to slurm.conf. */
static slurm_conf_t* config;

/* Slurm's limits of time in minutes; those without a number are none. */
static void _write_limit(const char* key, uint32_t minutes) {
    if (minutes != INFINITE && minutes != NO_VAL) json_integer(key, (int64_t)minutes * 60);
}

extern uint64_t time_of_slurmctld(void) {
    if (libslurm.slurm_load_ctl_conf(0, &config) || !config) fail_with_errno("configuration");
    return (uint64_t)config->last_update;
}

/* As slurm.conf has EnforcePartLimits=. */
static const char* _enforced(uint16_t limits) {
    if (limits == PARTITION_ENFORCE_NONE) return "NO";
    return (limits == PARTITION_ENFORCE_ALL) ? "ALL" : "ANY";
}

extern void write_config(void) {
    uint64_t now = time_of_slurmctld();
    char hidden[128] = "";

    libslurm.slurm_private_data_string(config->private_data, hidden, sizeof hidden);
    json_open("config", '{');
    json_count("time", now);
    json_text("cluster_name", config->cluster_name);
    json_text("slurm_version", config->version);
    json_text("topology_plugin", config->topology_plugin);
    json_text("topology_param", config->topology_param);
    json_text("private_data", hidden);
    json_text("preempt_type", config->preempt_type);
    json_text("slurm_conf", config->slurm_conf);
    if (config->max_node_cnt != NO_VAL) json_count("max_nodes", config->max_node_cnt);
    json_text("state_save_location", config->state_save_location);
    json_text("enforce_part_limits", _enforced(config->enforce_part_limits));
    json_close('}');
}

static void _write_node(node_info_t* node) {
    json_open(NULL, '{');
    json_text("name", node->name);
    json_text("state", libslurm.slurm_node_state_string_complete(node->node_state));
    json_text("available_features", node->features);
    json_text("active_features", node->features_act);
    json_text("reason", node->reason);
    json_count("cpus", node->cpus_efctv);
    json_count("allocated_cpus", ALLOCATED_CPUS(node));
    json_count("threads_per_core", node->threads);
    json_count("memory", node->real_memory > node->mem_spec_limit
                             ? node->real_memory - node->mem_spec_limit
                             : 0);
    json_count("allocated_memory", ALLOCATED_MEMORY(node));
    json_text("gres", node->gres);
    json_text("gres_used", node->gres_used);
    json_text("allocated_tres", ALLOCATED_TRES(node));
    json_count("weight", node->weight);
    json_close('}');
}

extern void write_nodes(void) {
    node_info_msg_t* nodes = NULL;

    if (libslurm.slurm_load_node(0, &nodes, SHOW_ALL | SHOW_DETAIL | SHOW_FUTURE | SHOW_MIXED) ||
        !nodes)
        fail_with_errno("nodes");
    json_open("nodes", '[');
    for (uint32_t i = 0; i < nodes->record_count; i++)
        if (nodes->node_array[i].name) _write_node(&nodes->node_array[i]); /* or a hole */
    json_close(']');
}

static void _write_count_limit(const char* key, uint32_t limit) {
    if (limit < NO_VAL) json_count(key, limit);
}

/* A DefCpuPerGPU= or DefMemPerGPU=; 0 for none. */
static uint64_t _default_per_gpu(const partition_info_t* partition, uint16_t type) {
    list_t* lists[] = {partition->job_defaults_list, config->job_defaults_list};

    for (int i = 0; i < 2; i++) {
        list_itr_t* iterator = lists[i] ? libslurm.slurm_list_iterator_create(lists[i]) : NULL;
        const job_defaults_t* each;

        while (iterator && (each = libslurm.slurm_list_next(iterator)))
            if (each->type == type) return each->value;
    }
    return 0;
}

static void _write_limits(const partition_info_t* partition) {
    uint64_t memory =
        partition->max_mem_per_cpu ? partition->max_mem_per_cpu : config->max_mem_per_cpu;

    _write_limit("max_time", partition->max_time);
    _write_limit("default_time", partition->default_time);
    json_count("min_nodes", partition->min_nodes);
    if (partition->max_nodes != INFINITE) json_integer("max_nodes", partition->max_nodes);
    json_count(memory & MEM_PER_CPU ? "max_memory_per_cpu" : "max_memory_per_node",
               memory & ~MEM_PER_CPU);
    _write_count_limit("max_cpus_per_node", partition->max_cpus_per_node);
    _write_count_limit("max_cpus_per_socket", partition->max_cpus_per_socket);
    json_count("default_cpus_per_gpu", _default_per_gpu(partition, JOB_DEF_CPU_PER_GPU));
    json_count("default_memory_per_gpu", _default_per_gpu(partition, JOB_DEF_MEM_PER_GPU));
}

/* Whose jobs it takes; what is not written is not restricted. */
static void _write_access(const partition_info_t* partition) {
    json_text("allow_groups", partition->allow_groups);
    json_text("allow_accounts", partition->allow_accounts);
    json_text("deny_accounts", partition->deny_accounts);
    json_text("allow_qos", partition->allow_qos);
    json_text("deny_qos", partition->deny_qos);
    json_text("alloc_nodes", partition->allow_alloc_nodes);
    json_flag("root_only", partition->flags & PART_FLAG_ROOT_ONLY);
    json_flag("needs_reservation", partition->flags & PART_FLAG_REQ_RESV);
}

static void _write_partition(const partition_info_t* partition) {
    uint16_t sharing = partition->max_share & ~SHARED_FORCE;

    json_open(NULL, '{');
    json_text("name", partition->name);
    json_text("nodes", partition->nodes);
    json_flag("default", partition->flags & PART_FLAG_DEFAULT);
    json_flag("up", partition->state_up & PARTITION_SCHED);
    json_flag("closed", !(partition->state_up & PARTITION_SUBMIT));
    json_flag("exclusive_topo", partition->flags & PART_FLAG_EXCLUSIVE_TOPO);
    json_flag("exclusive_node", sharing == 0);
    json_flag("exclusive_user", partition->flags & PART_FLAG_EXCLUSIVE_USER);
    json_flag("shares_cpus", sharing > 1 || (sharing && partition->max_share & SHARED_FORCE));
    _write_limits(partition);
    _write_access(partition);
    json_count("tier", partition->priority_tier);
    json_flag("preemptible", config->preempt_type && partition->preempt_mode != PREEMPT_MODE_OFF);
    json_text("topology", PARTITION_TOPOLOGY(partition));
    json_close('}');
}

extern void write_partitions(void) {
    partition_info_msg_t* partitions = NULL;

    if (libslurm.slurm_load_partitions(0, &partitions, SHOW_ALL) || !partitions)
        fail_with_errno("partitions");
    json_open("partitions", '[');
    for (uint32_t i = 0; i < partitions->record_count; i++)
        _write_partition(&partitions->partition_array[i]);
    json_close(']');
}

extern void write_reservations(void) {
    reserve_info_msg_t* reservations = NULL;

    if (libslurm.slurm_load_reservations(0, &reservations) || !reservations)
        fail_with_errno("reservations");
    json_open("reservations", '[');
    for (uint32_t i = 0; i < reservations->record_count; i++) {
        const reserve_info_t* reservation = &reservations->reservation_array[i];

        json_open(NULL, '{');
        json_text("name", reservation->name);
        json_text("nodes", reservation->node_list);
        json_count("start", (uint64_t)reservation->start_time);
        json_count("end", (uint64_t)reservation->end_time);
        json_flag("flex", reservation->flags & RESERVE_FLAG_FLEX);
        json_flag("any_nodes", reservation->flags & RESERVE_FLAG_ANY_NODES);
        json_flag("magnetic", reservation->flags & RESERVE_FLAG_MAGNETIC);
        json_flag("partial", reservation->core_spec_cnt);
        json_flag("maint", reservation->flags & RESERVE_FLAG_MAINT);
        json_flag("overlap", reservation->flags & RESERVE_FLAG_OVERLAP);
        json_close('}');
    }
    json_close(']');
}
