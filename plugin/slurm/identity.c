/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The plugin's identity: the variables that Slurm reads before it calls anything, and those of
 * Slurm's that the plugin needs to be loaded.
 */
#include "slurm/facts.h"

/*
 * Slurm's own tables, as placeholders: in slurmctld and slurmd the programs' tables take
 * precedence, elsewhere these let the plugin load.
 */
node_record_t** node_record_table_ptr = NULL;
int node_record_count = 0;
bitstr_t* avail_node_bitmap = NULL;
bitstr_t* power_down_node_bitmap = NULL;
list_t* config_list = NULL;
time_t last_node_update = 0;
list_t* job_list = NULL;
time_t last_job_update = 0;

/* topology/block's number: clients and job state must survive a switch in either direction. */
#define NVL72_PLUGIN_ID 103

const char plugin_name[] = "topology nvl72block plugin " NVL72BLOCK_VERSION;
const char plugin_type[] = NVL72BLOCK_PLUGIN_TYPE;
const uint32_t plugin_version = SLURM_VERSION_NUMBER;
const uint32_t plugin_id = NVL72_PLUGIN_ID;
const bool supports_exclusive_topo = true;
