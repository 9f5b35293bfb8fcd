/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whether the structures in SLURM_SOURCE_DIR are those of the released Slurm of its version. The
 * plugin reads slurmctld's memory: built from a tree that is patched, or is another one than META
 * says, it would read the wrong members. Nothing here becomes code. Measured by compiling the
 * tagged versions 24.11.5 to 24.11.7, 25.05.0 to 25.05.8, 25.11.0 to 25.11.7 and 26.05.0 to 26.05.3
 * for x86_64; within 24.11, 25.05, 25.11 and 26.05 the layout did not change. aarch64 has the same:
 * this file compiles for it with 24.11.5, 25.05.8, 25.11.7 and 26.05.3. cmake/SlurmSource.cmake
 * leaves this file out for other versions, and where the builder accepts a patched tree.
 */
#include <stddef.h>

#include "slurm/release.h"

#include "src/common/job_record.h"
#include "src/common/job_resources.h"
#include "src/common/node_conf.h"
#include "src/common/node_features.h"
#include "src/common/part_record.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/select.h"
#if NVL72_HAS_HRES
#include "src/slurmctld/licenses.h"
#endif

#define WHAT_TO_DO                                                                            \
    " differs from the released Slurm " NVL72BLOCK_SLURM_VERSION                              \
    ": SLURM_SOURCE_DIR must be the source that the running Slurm was built from. If it is, " \
    "patches included, configure with -DNVL72BLOCK_ACCEPT_PATCHED_SLURM=ON"

/* The number of the version that is built for. */
#if NVL72_SINCE(26, 5)
#define PICK(v24_11, v25_05, v25_11, v26_05) v26_05
#elif NVL72_SINCE(25, 11)
#define PICK(v24_11, v25_05, v25_11, v26_05) v25_11
#elif NVL72_SINCE(25, 5)
#define PICK(v24_11, v25_05, v25_11, v26_05) v25_05
#else
#define PICK(v24_11, v25_05, v25_11, v26_05) v24_11
#endif

#define SIZE(type, ...) \
    _Static_assert(sizeof(type) == PICK(__VA_ARGS__), "the size of " #type WHAT_TO_DO)
#define OFFSET(type, member, ...)                               \
    _Static_assert(offsetof(type, member) == PICK(__VA_ARGS__), \
                   "the offset of " #member " in " #type WHAT_TO_DO)

/* 24.11, 25.05, 25.11, 26.05; 0 where the version has no such member. */
/* clang-format off */
SIZE(topology_eval_t, 104, 112, 112, 112);
OFFSET(topology_eval_t, avail_core, 0, 0, 0, 0);
OFFSET(topology_eval_t, avail_cpus, 8, 8, 8, 8);
OFFSET(topology_eval_t, avail_res_array, 16, 16, 16, 16);
OFFSET(topology_eval_t, cr_type, 24, 24, 24, 24);
OFFSET(topology_eval_t, eval_nodes, 32, 32, 32, 32);
OFFSET(topology_eval_t, first_pass, 40, 40, 40, 40);
OFFSET(topology_eval_t, gres_per_job, 41, 41, 41, 41);
OFFSET(topology_eval_t, job_ptr, 48, 48, 48, 48);
OFFSET(topology_eval_t, max_nodes, 56, 56, 56, 56);
OFFSET(topology_eval_t, mc_ptr, 64, 64, 64, 64);
OFFSET(topology_eval_t, min_nodes, 72, 72, 72, 72);
OFFSET(topology_eval_t, node_map, 80, 80, 80, 80);
OFFSET(topology_eval_t, req_nodes, 92, 92, 92, 92);
OFFSET(topology_eval_t, trump_others, 96, 96, 96, 96);
SIZE(avail_res_t, 48, 48, 56, 56);
OFFSET(avail_res_t, avail_cpus, 0, 0, 0, 0);
OFFSET(avail_res_t, avail_gpus, 2, 2, 2, 2);
OFFSET(avail_res_t, avail_cores_per_sock, 8, 8, 16, 16);
OFFSET(avail_res_t, gres_min_cpus, 16, 16, 24, 24);
OFFSET(avail_res_t, max_cpus, 24, 24, 32, 32);
OFFSET(avail_res_t, min_cpus, 26, 26, 34, 34);
OFFSET(avail_res_t, sock_cnt, 28, 28, 36, 36);
OFFSET(avail_res_t, sock_gres_list, 32, 32, 40, 40);
SIZE(job_record_t, 1160, 1160, 1208, 1288);
OFFSET(job_record_t, array_job_id, 48, 56, 80, 80);
OFFSET(job_record_t, array_recs, 56, 64, 88, 88);
OFFSET(job_record_t, bit_flags, 112, 120, 144, 144);
OFFSET(job_record_t, details, 216, 224, 248, 256);
OFFSET(job_record_t, gres_list_req, 296, 296, 320, 344);
OFFSET(job_record_t, gres_list_alloc, 312, 312, 336, 360);
OFFSET(job_record_t, het_job_id, 360, 360, 384, 408);
OFFSET(job_record_t, job_id, 392, 392, 424, 448);
OFFSET(job_record_t, job_resrcs, 440, 440, 480, 504);
OFFSET(job_record_t, job_state, 448, 448, 488, 512);
OFFSET(job_record_t, network, 552, 560, 600, 624);
OFFSET(job_record_t, node_bitmap, 584, 592, 632, 656);
OFFSET(job_record_t, node_cnt, 616, 624, 664, 696);
OFFSET(job_record_t, node_cnt_wag, 620, 628, 668, 700);
OFFSET(job_record_t, part_ptr, 680, 688, 728, 776);
OFFSET(job_record_t, priority, 728, 736, 776, 832);
OFFSET(job_record_t, system_comment, 968, 968, 1008, 1088);
OFFSET(job_record_t, total_cpus, 1000, 1000, 1048, 1128);
OFFSET(job_record_t, req_switch, 1136, 1136, 1184, 1264);
OFFSET(job_record_t, wait4switch, 1140, 1140, 1188, 1268);
OFFSET(job_record_t, best_switch, 1144, 1144, 1192, 1272);
OFFSET(job_record_t, wait4switch_start, 1152, 1152, 1200, 1280);
OFFSET(job_array_struct_t, task_cnt, 0, 0, 0, 0);
SIZE(job_details_t, 528, 544, 544, 560);
OFFSET(job_details_t, arbitrary_tpn, 24, 24, 24, 24);
OFFSET(job_details_t, begin_time, 48, 48, 48, 48);
OFFSET(job_details_t, contiguous, 64, 64, 64, 64);
OFFSET(job_details_t, cpus_per_task, 96, 96, 96, 96);
OFFSET(job_details_t, exc_node_bitmap, 168, 168, 168, 168);
OFFSET(job_details_t, job_size_bitmap, 224, 224, 224, 224);
OFFSET(job_details_t, mc_ptr, 248, 248, 248, 248);
OFFSET(job_details_t, max_cpus, 232, 232, 232, 232);
OFFSET(job_details_t, max_nodes, 240, 240, 240, 240);
OFFSET(job_details_t, min_cpus, 268, 268, 268, 272);
OFFSET(job_details_t, min_nodes, 284, 284, 284, 288);
OFFSET(job_details_t, ntasks_per_node, 292, 292, 292, 296);
OFFSET(job_details_t, num_tasks, 296, 296, 296, 300);
OFFSET(job_details_t, overcommit, 301, 301, 301, 305);
OFFSET(job_details_t, pn_min_memory, 312, 312, 312, 320);
OFFSET(job_details_t, task_dist, 472, 488, 488, 504);
OFFSET(job_details_t, req_node_bitmap, 376, 376, 376, 392);
OFFSET(job_details_t, segment_size, 412, 424, 424, 440);
OFFSET(job_details_t, share_res, 414, 426, 426, 442);
OFFSET(job_details_t, submit_time, 464, 480, 480, 496);
OFFSET(job_details_t, whole_node, 480, 496, 496, 512);
SIZE(multi_core_data_t, 18, 18, 18, 18);
OFFSET(multi_core_data_t, sockets_per_node, 4, 4, 4, 4);
OFFSET(multi_core_data_t, threads_per_core, 8, 8, 8, 8);
OFFSET(multi_core_data_t, ntasks_per_socket, 12, 12, 12, 12);
OFFSET(multi_core_data_t, ntasks_per_core, 14, 14, 14, 14);
SIZE(part_record_t, 360, 376, 376, 368);
OFFSET(part_record_t, max_cpus_per_node, 184, 184, 184, 184);
OFFSET(part_record_t, max_cpus_per_socket, 188, 188, 188, 188);
OFFSET(part_record_t, max_share, 208, 208, 208, 204);
OFFSET(part_record_t, node_bitmap, 240, 240, 240, 232);
SIZE(node_record_t, 536, 568, 592, 576);
OFFSET(node_record_t, config_ptr, 72, 104, 104, 80);
OFFSET(node_record_t, cores, 82, 114, 114, 90);
OFFSET(node_record_t, cpus_efctv, 114, 146, 146, 122);
OFFSET(node_record_t, features, 144, 176, 176, 152);
OFFSET(node_record_t, index, 208, 240, 240, 216);
OFFSET(node_record_t, mem_spec_limit, 264, 296, 296, 272);
OFFSET(node_record_t, name, 272, 304, 304, 280);
OFFSET(node_record_t, node_rank, 304, 336, 336, 312);
OFFSET(node_record_t, node_state, 320, 352, 352, 328);
OFFSET(node_record_t, real_memory, 376, 408, 424, 408);
OFFSET(node_record_t, sched_weight, 440, 472, 488, 472);
OFFSET(node_record_t, tot_cores, 512, 544, 568, 552);
OFFSET(node_record_t, tot_sockets, 514, 546, 570, 554);
OFFSET(node_record_t, tpc, 528, 560, 584, 568);
SIZE(config_record_t, 128, 136, 144, 152);
OFFSET(config_record_t, gres, 40, 40, 40, 40);
OFFSET(config_record_t, weight, 120, 128, 136, 144);
OFFSET(config_record_t, node_bitmap, 64, 64, 64, 64);
SIZE(node_feature_t, 24, 24, 24, 24);
OFFSET(node_feature_t, name, 8, 8, 8, 8);
OFFSET(node_feature_t, node_bitmap, 16, 16, 16, 16);
SIZE(gres_job_state_t, 192, 192, 192, 192);
OFFSET(gres_job_state_t, cpus_per_gres, 18, 18, 18, 18);
OFFSET(gres_job_state_t, gres_per_job, 24, 24, 24, 24);
OFFSET(gres_job_state_t, gres_per_node, 32, 32, 32, 32);
OFFSET(gres_job_state_t, gres_per_socket, 40, 40, 40, 40);
OFFSET(gres_job_state_t, gres_per_task, 48, 48, 48, 48);
OFFSET(gres_job_state_t, mem_per_gres, 56, 56, 56, 56);
OFFSET(gres_job_state_t, def_cpus_per_gres, 66, 66, 66, 66);
OFFSET(gres_job_state_t, def_mem_per_gres, 72, 72, 72, 72);
OFFSET(gres_job_state_t, total_gres, 128, 128, 128, 128);
OFFSET(gres_job_state_t, node_cnt, 136, 136, 136, 136);
OFFSET(gres_job_state_t, gres_cnt_node_alloc, 152, 152, 152, 152);
SIZE(gres_node_state_t, 176, 176, 176, 176);
OFFSET(gres_node_state_t, topo_cnt, 64, 64, 64, 64);
SIZE(job_resources_t, 160, 160, 160, 168);
OFFSET(job_resources_t, core_bitmap, 0, 0, 0, 0);
OFFSET(job_resources_t, node_bitmap, 96, 96, 96, 96);
SIZE(gres_state_t, 32, 32, 32, 32);
OFFSET(gres_state_t, gres_data, 8, 8, 8, 8);
OFFSET(gres_state_t, plugin_id, 4, 4, 4, 4);
SIZE(gres_mc_data_t, 40, 40, 40, 40);
OFFSET(gres_mc_data_t, cpus_per_task, 10, 10, 10, 10);
SIZE(sock_gres_t, 88, 88, 88, 88);
OFFSET(sock_gres_t, cnt_any_sock, 16, 16, 16, 16);
OFFSET(sock_gres_t, cnt_by_sock, 24, 24, 24, 24);
OFFSET(sock_gres_t, gres_state_node, 40, 40, 40, 40);
SIZE(dynamic_plugin_data_t, 16, 16, 16, 16);
OFFSET(dynamic_plugin_data_t, data, 0, 0, 0, 0);
OFFSET(dynamic_plugin_data_t, plugin_id, 8, 8, 8, 8);
SIZE(slurm_conf_t, 1544, 1552, 1584, 1640);
OFFSET(slurm_conf_t, debug_flags, 320, 336, 336, 336);
OFFSET(slurm_conf_t, preempt_mode, 804, 804, 828, 868);
OFFSET(slurm_conf_t, state_save_location, 1344, 1352, 1376, 1432);
OFFSET(slurm_conf_t, topology_param, 1480, 1488, 1512, 1568);

#if NVL72_SINCE(25, 5)
OFFSET(topology_eval_t, tctx, 0, 104, 104, 104);
SIZE(topology_ctx_t, 0, 56, 56, 56);
OFFSET(topology_ctx_t, config, 0, 8, 8, 8);
OFFSET(topology_ctx_t, name, 0, 24, 24, 24);
OFFSET(topology_ctx_t, plugin, 0, 32, 32, 32);
OFFSET(topology_ctx_t, topo_conf, 0, 40, 40, 40);
OFFSET(topology_ctx_t, plugin_ctx, 0, 48, 48, 48);
SIZE(topology_block_config_t, 0, 24, 24, 24);
OFFSET(topology_block_config_t, config_cnt, 0, 0, 0, 0);
OFFSET(topology_block_config_t, block_configs, 0, 8, 8, 8);
OFFSET(topology_block_config_t, block_sizes, 0, 16, 16, 16);
OFFSET(part_record_t, topology_idx, 0, 336, 336, 328);
OFFSET(node_record_t, topology_str, 0, 504, 528, 512);
OFFSET(config_record_t, topology_str, 0, 104, 112, 120);
#endif

#if NVL72_SINCE(25, 11)
OFFSET(avail_res_t, hres_leaf_idx, 0, 0, 52, 52);
OFFSET(job_record_t, hres_select, 0, 0, 416, 440);
OFFSET(job_record_t, topo_jobinfo, 0, 0, 1032, 1112);
OFFSET(node_record_t, topology_orig_str, 0, 0, 520, 504);
SIZE(hres_select_t, 0, 0, 48, 56);
OFFSET(hres_select_t, avail_hres, 0, 0, 0, 0);
OFFSET(hres_select_t, avail_hres_orig, 0, 0, 8, 8);
OFFSET(hres_select_t, hres_per_node, 0, 0, 18, 20);
OFFSET(hres_select_t, layers_cnt, 0, 0, 20, 24);
OFFSET(hres_select_t, leaf_cnt, 0, 0, 32, 40);
OFFSET(hres_select_t, topology_idx, 0, 0, 40, 48);
#endif

#if NVL72_SINCE(26, 5)
OFFSET(topology_eval_t, eval_action, 0, 0, 0, 28);
#endif
/* clang-format on */
