// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/requested_job.hpp"

namespace nvl72block::cli {

void add_wishes(const JobRequest& asked, std::span<const DemandSize> in_force, Request& request) {
    request.policy = asked.policy;
    request.demand = asked.demand ? asked.demand->sizes() : in_force;
    request.max_base_blocks = asked.max_base_blocks;
}

JobRecord requested_job(const JobRequest& request, const NodeTable& table) {
    JobRecord job;
    job.state = JobState::pending;
    job.required = table.parse(request.nodelist.location, request.nodelist.text);
    job.excluded = table.parse(request.exclude.location, request.exclude.text);
    job.min_nodes = request.nodes.least;
    job.max_nodes = request.nodes.most;
    job.segment_size = request.segment_size;
    job.spread_segments = request.spread_segments;
    job.consolidate_segments = request.consolidate_segments;
    job.exclusive_topo = request.exclusive_topo;
    job.exclusive_node = true;
    return job;
}

}  // namespace nvl72block::cli
