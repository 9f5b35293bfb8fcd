/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Copies of all that an evaluation changes, so that ours leaves nothing behind for the one that
 * decides: the request, the job's record and its wishes for GRES, and of each node that the job is
 * laid out on the cores, the offer and the GRES. Of thousands of candidates ours changes few, so a
 * node's are copied when it is about to: nvl72_own_offer() is called before. What it only reads is
 * shared.
 *
 * Memory comes from blocks that are kept from one evaluation to the next. Every caller that
 * evaluates a job with a number holds Slurm's job write lock, which guards them.
 */
#include <string.h>

#include "job/job.h"
#include "shadow/shadow.h"
#include "slurm/facts.h"

#include "src/common/bitstring.h"
#include "src/common/job_record.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/interfaces/gres.h"
#include "src/plugins/topology/common/gres_sched.h"

/* ---- Memory ------------------------------------------------------------------------------------
 */

#define NVL72_BLOCK (256 << 10) /* bytes, at least */

typedef struct nvl72_block {
    struct nvl72_block* next;
    size_t size;
    size_t used;
    max_align_t bytes[];
} nvl72_block_t;

static nvl72_block_t* blocks; /* the first one has room */

static void* _take(size_t size) {
    nvl72_block_t* block = blocks;
    void* memory;

    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!block || (block->size - block->used < size)) {
        size_t bytes = MAX(NVL72_BLOCK, size);

        block = xmalloc_nz(sizeof(*block) + bytes);
        *block = (nvl72_block_t){.next = blocks, .size = bytes};
        blocks = block;
    }
    memory = (char*)block->bytes + block->used;
    block->used += size;
    return memory;
}

static void* _copy(const void* from, size_t size) {
    return from ? memcpy(_take(size), from, size) : NULL;
}

/* One block that is large enough for what was taken stays. */
static void _give_all_back(void) {
    size_t total = 0;

    if (blocks && !blocks->next) {
        blocks->used = 0;
        return;
    }
    while (blocks) {
        nvl72_block_t* next = blocks->next;

        total += blocks->size;
        xfree(blocks);
        blocks = next;
    }
    if (!total) return;
    blocks = xmalloc_nz(sizeof(*blocks) + total);
    *blocks = (nvl72_block_t){.size = total};
}

/* ---- GRES --------------------------------------------------------------------------------------
 */

/* Lists have memory of Slurm's. */
typedef struct nvl72_list {
    struct nvl72_list* next;
    list_t* list;
} nvl72_list_t;

/* So have the cores per socket of an offer to a job with GRES, which Slurm's helper replaces. */
typedef struct nvl72_owned {
    struct nvl72_owned* next;
    avail_res_t* offer;
} nvl72_owned_t;

static struct {
    const topology_eval_t* original;
    topology_eval_t eval;
    job_record_t job;
    job_details_t details;
    list_t* gres; /* of the job as it is: what its copy replaces, in the same order */
    nvl72_list_t* lists;
    nvl72_owned_t* owned;
    bitstr_t* node_map;
} copies;

static list_t* _new_list(void) {
    nvl72_list_t* entry = _take(sizeof(*entry));

    *entry = (nvl72_list_t){.next = copies.lists, .list = list_create(NULL)};
    copies.lists = entry;
    return entry->list;
}

static int _copy_wish(void* x, void* argument) {
    gres_state_t* wish = _copy(x, sizeof(*wish));

    wish->gres_data = _copy(wish->gres_data, sizeof(gres_job_state_t));
    list_append(argument, wish);
    return 0;
}

static void _copy_wishes(const job_record_t* job) {
    copies.gres = job->gres_list_req;
    if (!copies.gres) return;
    copies.job.gres_list_req = _new_list();
    (void)list_for_each(copies.gres, _copy_wish, copies.job.gres_list_req);
}

/* Of two lists with the same order: where one is in the first, the other is in the second. */
typedef struct {
    const gres_state_t* wanted;
    int position;
} nvl72_search_t;

static int _is_wanted(void* x, void* key) {
    nvl72_search_t* search = key;

    search->position++;
    return x == search->wanted;
}

static int _is_at(void* x, void* key) {
    return --((nvl72_search_t*)key)->position == 0;
}

static gres_state_t* _copy_of_wish(gres_state_t* wish) {
    nvl72_search_t search = {.wanted = wish};

    if (!wish || !copies.gres || !list_find_first(copies.gres, _is_wanted, &search)) return wish;
    return list_find_first(copies.job.gres_list_req, _is_at, &search);
}

static int _copy_sock_gres(void* x, void* argument) {
    sock_gres_t* gres = _copy(x, sizeof(*gres));

    gres->cnt_by_sock = _copy(gres->cnt_by_sock, gres->sock_cnt * sizeof(*gres->cnt_by_sock));
    gres->gres_state_job = _copy_of_wish(gres->gres_state_job);
    list_append(argument, gres);
    return 0;
}

/* ---- Nodes -------------------------------------------------------------------------------------
 */

static void _own_cores_per_sock(avail_res_t* offer, const avail_res_t* from) {
    nvl72_owned_t* owned = _take(sizeof(*owned));

    *owned = (nvl72_owned_t){.next = copies.owned, .offer = offer};
    copies.owned = owned;
    if (!from->avail_cores_per_sock) return;
    offer->avail_cores_per_sock =
        xcalloc(MAX(from->sock_cnt, 1), sizeof(*offer->avail_cores_per_sock));
    memcpy(offer->avail_cores_per_sock, from->avail_cores_per_sock,
           from->sock_cnt * sizeof(*offer->avail_cores_per_sock));
}

static avail_res_t* _copy_offer(const avail_res_t* from) {
    avail_res_t* offer = _copy(from, sizeof(*offer));

    if (!offer) return NULL;
    if (copies.gres)
        _own_cores_per_sock(offer, from);
    else
        offer->avail_cores_per_sock =
            _copy(from->avail_cores_per_sock, from->sock_cnt * sizeof(*from->avail_cores_per_sock));
    if (!from->sock_gres_list) return offer;
    offer->sock_gres_list = _new_list();
    (void)list_for_each(from->sock_gres_list, _copy_sock_gres, offer->sock_gres_list);
    return offer;
}

/* With what is before its bits. */
static bitstr_t* _copy_cores(bitstr_t* cores) {
    size_t head, bits;

    if (!cores) return NULL;
    head = (char*)nvl72_words(cores) - (char*)cores;
    bits = (bit_size(cores) + 63) / 64 * sizeof(uint64_t);
    return _copy(cores, head + bits);
}

/* Slurm's own until they are about to change; only where they are is copied. */
static void _share_offers(const topology_eval_t* eval) {
    copies.original = eval;
    copies.eval.avail_res_array =
        _copy(eval->avail_res_array, node_record_count * sizeof(*eval->avail_res_array));
    copies.eval.avail_core = _copy(eval->avail_core, node_record_count * sizeof(*eval->avail_core));
}

static void _copy_node(topology_eval_t* eval, uint32_t node) {
    const topology_eval_t* original = copies.original;
    avail_res_t** offer = eval->avail_res_array;

    /* Only what is Slurm's is copied: a second time would undo what has been changed. */
    if (offer && (offer[node] == original->avail_res_array[node]))
        offer[node] = _copy_offer(offer[node]);
    if (eval->avail_core && (eval->avail_core[node] == original->avail_core[node]))
        eval->avail_core[node] = _copy_cores(eval->avail_core[node]);
}

/* The record without what only its owner may have: an evaluation would free or replace it. */
static void _copy_job(job_record_t* job) {
    copies.job = *job;
    copies.details = *job->details;
    copies.job.details = &copies.details;
    copies.job.system_comment = NULL;
    NVL72_COPY_JOB_INFO(&copies.job);
    NVL72_COPY_HRES(&copies.job, _copy);
    _copy_wishes(job);
}

extern topology_eval_t* nvl72_copies_make(const topology_eval_t* eval) {
    copies.lists = NULL;
    copies.owned = NULL;
    copies.eval = *eval;
    _copy_job(eval->job_ptr);
    copies.eval.job_ptr = &copies.job;
    copies.node_map = bit_copy(eval->node_map);
    copies.eval.node_map = copies.node_map;
    _share_offers(eval);
    nvl72_own_offer = _copy_node;
    return &copies.eval;
}

extern void nvl72_copies_free(void) {
    nvl72_own_offer = NULL;
    for (nvl72_list_t* entry = copies.lists; entry; entry = entry->next) list_destroy(entry->list);
    for (nvl72_owned_t* entry = copies.owned; entry; entry = entry->next)
        xfree(entry->offer->avail_cores_per_sock);
    NVL72_FREE_JOB_INFO(&copies.job);
    FREE_NULL_BITMAP(copies.node_map);
    _give_all_back();
}
