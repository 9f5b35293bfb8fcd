/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job keeps of its placement (25.11 and later): with --network=unique-channel-per-segment
 * one node list per segment, from which switch/nvidia_imex allocates one IMEX channel each. Also
 * the hierarchical resources of the same lines. The packed format is topology/block's.
 */
#include "job/job.h"
#include "slurm/entries.h"
#include "slurm/facts.h"

#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/pack.h"
#include "src/common/slurm_protocol_common.h"
#include "src/common/slurm_protocol_pack.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/licenses.h"

#define NVL72_CHANNELS "unique-channel-per-segment"

typedef struct {
    list_t* segments; /* of char *, one node list each */
} nvl72_job_info_t;

static nvl72_job_info_t* _create(void) {
    nvl72_job_info_t* info = xmalloc(sizeof(*info));

    info->segments = list_create(xfree_ptr);
    return info;
}

/* Core has freed what an earlier attempt left; the record itself says which plugin placed the job.
 */
extern void nvl72_job_info_start(job_record_t* job) {
    if (!job->topo_jobinfo) job->topo_jobinfo = xmalloc(sizeof(*job->topo_jobinfo));
    nvl72_own_jobinfo_free(job->topo_jobinfo->data);
    job->topo_jobinfo->data = NULL;
    job->topo_jobinfo->plugin_id = plugin_id;
}

extern void nvl72_job_info_drop(job_record_t* job) {
    if (!job->topo_jobinfo) return;
    nvl72_own_jobinfo_free(job->topo_jobinfo->data);
    xfree(job->topo_jobinfo);
}

extern void nvl72_job_info_record(job_record_t* job, const nvl72block_answer* answer,
                                  uint32_t segment_size) {
    nvl72_job_info_t* info;
    bitstr_t* bitmap;

    if (!xstrstr(job->network, NVL72_CHANNELS)) return;
    info = _create();
    bitmap = bit_alloc(node_record_count);
    for (size_t s = 0; segment_size && (s < nvl72block_answer_segment_count(answer)); s++) {
        size_t count;
        const uint32_t* nodes = nvl72block_answer_segment(answer, s, &count);

        bit_clear_all(bitmap);
        for (size_t i = 0; i < count; i++) bit_set(bitmap, nodes[i]);
        list_append(info->segments, bitmap2node_name(bitmap));
    }
    FREE_NULL_BITMAP(bitmap);
    job->topo_jobinfo->data = info;
}

extern void nvl72_own_jobinfo_free(void* jobinfo) {
    nvl72_job_info_t* info = jobinfo;

    if (!info) return;
    FREE_NULL_LIST(info->segments);
    xfree(info);
}

extern void nvl72_own_jobinfo_pack(void* jobinfo, buf_t* buffer, uint16_t protocol_version) {
    nvl72_job_info_t* info = jobinfo;

    if (protocol_version >= SLURM_25_11_PROTOCOL_VERSION)
        slurm_pack_list(info ? info->segments : NULL, packstr_with_version, buffer,
                        protocol_version);
}

extern int nvl72_own_jobinfo_unpack(void** jobinfo, buf_t* buffer, uint16_t protocol_version) {
    nvl72_job_info_t* info;

    *jobinfo = NULL;
    if (protocol_version < SLURM_25_11_PROTOCOL_VERSION) {
        error("job information of protocol %hu is unknown", protocol_version);
        return SLURM_ERROR;
    }
    info = xmalloc(sizeof(*info));
    if (slurm_unpack_list(&info->segments, unpackstr_with_version, xfree_ptr, buffer,
                          protocol_version) != SLURM_SUCCESS) {
        error("job information cannot be read");
        nvl72_own_jobinfo_free(info);
        return SLURM_ERROR;
    }
    *jobinfo = info;
    return SLURM_SUCCESS;
}

extern int nvl72_own_jobinfo_get(topology_jobinfo_type_t type, void* jobinfo, void* data) {
    nvl72_job_info_t* info = jobinfo;

    if (!info) return SLURM_ERROR;
    if (type != TOPO_JOBINFO_SEGMENT_LIST) {
        error("job information has no item %u", type);
        return SLURM_ERROR;
    }
    *(list_t**)data = info->segments;
    return SLURM_SUCCESS;
}
