/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The configuration, nodes, partitions and reservations.
 */
#include "json.h"
#include "libslurm.h"
#include "records.h"

/* Slurm's limits of time in minutes; those without a number are none. */
static void _write_limit(const char* key, uint32_t minutes) {
    if (minutes != INFINITE && minutes != NO_VAL) json_integer(key, (int64_t)minutes * 60);
}

extern void write_config(void) {
    slurm_conf_t* config = NULL;
    char hidden[128] = "";

    if (libslurm.slurm_load_ctl_conf(0, &config) || !config) fail_with_errno("configuration");
    libslurm.slurm_private_data_string(config->private_data, hidden, sizeof hidden);
    json_open("config", '{');
    json_count("time", (uint64_t)config->last_update);
    json_text("cluster_name", config->cluster_name);
    json_text("slurm_version", config->version);
    json_text("topology_plugin", config->topology_plugin);
    json_text("topology_param", config->topology_param);
    json_text("private_data", hidden);
    json_text("slurm_conf", config->slurm_conf);
    if (config->max_node_cnt != NO_VAL) json_count("max_nodes", config->max_node_cnt);
    json_text("state_save_location", config->state_save_location);
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
    json_count("memory", node->real_memory);
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

static void _write_partition(const partition_info_t* partition) {
    uint16_t sharing = partition->max_share & ~SHARED_FORCE;

    json_open(NULL, '{');
    json_text("name", partition->name);
    json_text("nodes", partition->nodes);
    json_flag("default", partition->flags & PART_FLAG_DEFAULT);
    json_flag("up", partition->state_up & PARTITION_SCHED);
    json_flag("exclusive_topo", partition->flags & PART_FLAG_EXCLUSIVE_TOPO);
    json_flag("exclusive_node", sharing == 0);
    json_flag("exclusive_user", partition->flags & PART_FLAG_EXCLUSIVE_USER);
    json_flag("shares_cpus", sharing > 1 || (sharing && partition->max_share & SHARED_FORCE));
    _write_limit("max_time", partition->max_time);
    _write_limit("default_time", partition->default_time);
    json_count("min_nodes", partition->min_nodes);
    if (partition->max_nodes != INFINITE) json_integer("max_nodes", partition->max_nodes);
    json_count("tier", partition->priority_tier);
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
        json_close('}');
    }
    json_close(']');
}
