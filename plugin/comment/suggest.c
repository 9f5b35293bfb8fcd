/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What would start instead of a refused job: asked of the engine on the very nodes that Slurm
 * offered the job, with the CPUs and GPUs that it would get of each. What is told was placed.
 */
#include "comment/comment.h"
#include "comment/system_comment.h"
#include "job/job.h"
#include "slurm/facts.h"

#include "src/common/job_record.h"
#include "src/common/part_record.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

/* A line under way. */
typedef struct {
    char* text;
    size_t room;
} nvl72_line_t;

/* What does not fit into the line is left out as a whole: half an option would be another one. */
static void _add(void* argument, const char* option) {
    nvl72_line_t* line = argument;
    const char* first = xstrncmp(option, "without", 7) ? NVL72_STARTS_WITH " " : "; starts ";
    const char* before = line->text[0] ? " or " : first;
    size_t length = strlen(before) + strlen(option);

    if (length >= line->room) return;
    strcat(strcat(line->text, before), option);
    line->room -= length;
}

extern bool nvl72_may_share_blocks(const job_record_t* job) {
    return (job->details->whole_node & WHOLE_TOPO) &&
           !(job->part_ptr && (job->part_ptr->flags & PART_FLAG_EXCLUSIVE_TOPO));
}

/* `in_any_block` NULL: the candidates. */
static nvl72block_job_facts _facts(const nvl72_case_t* c, bitstr_t* in_any_block) {
    const job_details_t* details = c->job->details;
    const part_record_t* part = c->job->part_ptr;
    bool counted = (c->job->bit_flags & JOB_NTASKS_SET) && !details->ntasks_per_node;

    return (nvl72block_job_facts){
        .least_nodes = details->job_size_bitmap ? c->least_nodes
                       : part                   ? part->min_nodes
                                                : 1,
        .tasks = counted ? details->num_tasks : 0,
        .may_share_blocks = nvl72_may_share_blocks(c->job),
        .without_exclusive = in_any_block ? nvl72_view(in_any_block) : c->state.usable};
}

extern void nvl72_case_take_offers(nvl72_case_t* c, bitstr_t* nodes) {
    nvl72block_view all = nvl72_view(nodes);

    if (c->job->gres_list_req) return;
    c->examined = true;
    c->cpus = xcalloc(node_record_count, sizeof(*c->cpus));
    c->state.cpus = c->cpus;
    c->request.cpus = nvl72_least_cpus(c);
    for (int i = nvl72_next_node(all, 0); i >= 0; i = nvl72_next_node(all, i + 1)) {
        c->cpus[i] = nvl72_cpus_of_node(c, i, c->eval->avail_res_array[i]->avail_cpus);
        if (!c->cpus[i]) bit_clear(c->candidates, i);
    }
}

/* Whether the engine knows all that the job asks for; on its candidates then. */
static bool _can_ask(nvl72_case_t* c) {
    return !nvl72_case_examine(c) && !c->request.sized_by_totals && !c->job->req_switch &&
           !c->share_cpus && !c->job->details->arbitrary_tpn && !nvl72_counts_features(c->job);
}

static nvl72block_request _request(const nvl72_case_t* c) {
    nvl72block_request request = c->request;

    request.max_nodes = MIN(request.max_nodes, c->eval->max_nodes);
    request.min_nodes = c->least_nodes;
    return request;
}

extern void nvl72_suggest(nvl72_case_t* c, bitstr_t* in_any_block, char* text, size_t room) {
    nvl72_line_t line = {.text = text, .room = room};
    nvl72block_job_facts facts = _facts(c, in_any_block);
    nvl72block_request request;

    text[0] = '\0';
    if (!_can_ask(c)) return;
    request = _request(c);
    nvl72block_suggest(c->topology, &request, &c->state, &facts, _add, &line);
}

extern void nvl72_suggest_blocks_in_use(nvl72_case_t* c, char* sentence, size_t room) {
    const char* suggestions = xstrstr(sentence, NVL72_STARTS_WITH);
    size_t length = suggestions ? (size_t)(suggestions - sentence) : strlen(sentence);
    nvl72_line_t line = {.text = sentence + length};
    nvl72block_answer* answer;
    nvl72block_request request;

    if ((strlen(sentence) >= room) || xstrstr(sentence, NVL72_WITHOUT_EXCLUSIVE) || !_can_ask(c))
        return;
    line.room = room - strlen(sentence);
    request = _request(c);
    request.exclusive = false;
    answer = nvl72block_place(c->topology, &request, &c->state, NULL);
    if (nvl72block_answer_placed(answer)) _add(&line, NVL72_WITHOUT_EXCLUSIVE);
    nvl72block_answer_free(answer);
}
