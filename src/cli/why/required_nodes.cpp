// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/question/node_use.hpp"
#include "cli/why/diagnosis.hpp"
#include "text/excerpt.hpp"

namespace nvl72block::cli {
namespace {

/// Its jobs and until when they may have it; empty for none that is shown.
std::string holders(const ClusterState& state, NodeIndex node) {
    std::vector<std::string> jobs;
    for (const JobRecord& job : state.jobs)
        if (holds_nodes(job) && job.nodes.test(node))
            jobs.push_back(fmt::format("job {} of {}{}", job.label(), job.user,
                                       job.end ? " until " + short_time(*job.end, state.now) : ""));
    return fmt::format("{}", fmt::join(jobs, " and "));
}

std::string because(const ClusterState& state, const Diagnosis& diagnosis, NodeIndex index) {
    const NodeRecord& node = state.nodes[index];
    if (!in_service(node))
        return node.reason.empty() ? "out of service"
                                   : fmt::format("out of service ({})", excerpt(node.reason));
    if (std::string jobs = holders(state, index); !jobs.empty()) return jobs;
    if (diagnosis.nodes.reserved.test(index)) return "reserved";
    if (runs_job(node)) return "in use by jobs that are not shown";
    return node.has(flag_blocked) ? "blocked: a job has its base block to itself (--exclusive=topo)"
                                  : "not suitable for the job";
}

}  // namespace

std::vector<RequiredNode> required_not_usable(const ClusterState& state,
                                              const JobQuestion& question,
                                              const Diagnosis& diagnosis) {
    std::vector<RequiredNode> found;
    if (diagnosis.fits()) return found;
    question.required.for_each([&](NodeIndex node) {
        if (!diagnosis.usable.test(node))
            found.push_back({state.cluster.nodes.name(node), because(state, diagnosis, node)});
    });
    return found;
}

}  // namespace nvl72block::cli
