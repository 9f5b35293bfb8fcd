/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm 25.05 has changed; release_24_11.h says what each name means.
 */
#include "slurm/release_24_11.h"

#undef NVL72_ENTRIES
#undef NVL72_TCTX
#undef NVL72_AND_CTX
#undef NVL72_PASS_TCTX
#undef NVL72_PASS_CTX
#undef NVL72_CONTEXT_OF_TCTX
#undef NVL72_CONTEXT_OF_CTX
#undef NVL72_CONTEXT_OF_EVAL
#undef NVL72_SET_CONTEXT
#undef NVL72_KEY_OF_TCTX
#undef NVL72_KEY_OF_EVAL
#undef NVL72_SOURCE
#undef NVL72_AND_UNIT
#undef NVL72_PASS_UNIT
#undef NVL72_PRINT
#undef NVL72_RANKED_BY_DEFAULT
#undef NVL72_HAS_YAML
#undef NVL72_CANNOT_SPREAD
#undef NVL72_BOOT_NOW
#undef NVL72_DIVIDES_BY_TASKS

#define NVL72_BOOT_NOW UINT64_C(0x30000000000) /* a node that boots already is lighter */

#define NVL72_CANNOT_SPREAD(job) ((void)(job), false)

#define NVL72_TCTX topology_ctx_t* tctx
#define NVL72_AND_CTX , void* plugin_ctx
#define NVL72_PASS_TCTX tctx
#define NVL72_PASS_CTX , plugin_ctx
#define NVL72_CONTEXT_OF_TCTX ((nvl72_context_t*)tctx->plugin_ctx)
#define NVL72_CONTEXT_OF_CTX ((nvl72_context_t*)plugin_ctx)
#define NVL72_CONTEXT_OF_EVAL(eval) ((nvl72_context_t*)(eval)->tctx->plugin_ctx)
#define NVL72_SET_CONTEXT(context) (tctx->plugin_ctx = (context))
#define NVL72_KEY_OF_TCTX tctx
#define NVL72_KEY_OF_EVAL(eval) ((eval)->tctx)
#define NVL72_SOURCE \
    ((nvl72_source_t){.path = tctx->topo_conf, .yaml = tctx->config, .name = tctx->name})

#define NVL72_AND_UNIT , char* unit
#define NVL72_PASS_UNIT , unit
#define NVL72_PRINT nvl72_print_matching(topoinfo, nodes, unit, out)

#define NVL72_RANKED_BY_DEFAULT false

#define NVL72_HAS_YAML 1

#define NVL72_DIVIDES_BY_TASKS false

#define NVL72_ENTRIES(ENTRY) NVL72_ENTRIES_24_11(ENTRY) NVL72_ENTRIES_25_05(ENTRY)
#define NVL72_ENTRIES_25_05(ENTRY)                                                      \
    ENTRY(int, add_rm_node, topology_p_add_rm_node,                                     \
          (node_record_t * node, char* unit, topology_ctx_t* tctx), (node, unit, tctx)) \
    ENTRY(int, destroy_config, topology_p_destroy_config, (topology_ctx_t * tctx), (tctx))
