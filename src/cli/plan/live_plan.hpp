// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs planned in a cluster: the nodes that they would get now, or when they could start, and what
// of Slurm's decision the answer leaves open.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/input/request_options.hpp"
#include "cli/question/availability.hpp"
#include "cli/question/demand_in_force.hpp"
#include "cli/question/job_question.hpp"
#include "cli/state/cluster_state.hpp"
#include "nvl72block/placement.hpp"

namespace nvl72block::cli {

/// sbatch's options that only a running cluster gives a meaning; empty: not given.
struct LiveJobOptions {
    std::string partition;
    std::string time;
    std::string reservation;
    std::string constraint;
};

struct LiveAnswer {
    Answer answer;
    /// When it could start if no other job comes first; nullopt: now, or not with the known ends.
    std::optional<SlurmTime> start;
    /// What may make Slurm decide otherwise.
    std::vector<std::string> remarks;
    const PartitionRecord* partition = nullptr;  ///< that the answer is for
};

/// Whose nodes are idle, but for these, and all in one partition of whole nodes. `weights` has an
/// entry per node, or none.
[[nodiscard]] ClusterState cluster_without_jobs(LoadedCluster loaded, const NodeSet& busy,
                                                const NodeSet& drained,
                                                const std::vector<std::uint64_t>& weights);

class LivePlan {
  public:
    explicit LivePlan(ClusterState state);

    [[nodiscard]] const ClusterState& state() const { return state_; }

    /// Jobs of whole nodes are planned one after another: the nodes of one are busy for the next.
    /// InputError for an unknown partition or reservation.
    [[nodiscard]] LiveAnswer plan(const JobRequest& request, const LiveJobOptions& options);
    /// A job as sbatch would submit it, and what sbatch has no options for; InputError as above.
    [[nodiscard]] LiveAnswer plan(const JobRecord& job, const JobRequest& wishes) const;

  private:
    [[nodiscard]] LiveAnswer plan_in(const PartitionRecord& partition, const JobRecord& job,
                                     const JobRequest& wishes) const;
    [[nodiscard]] std::vector<std::string> remarks(const JobQuestion& question) const;
    void occupy(const JobRecord& job, const PartitionRecord& partition, const NodeSet& nodes);

    ClusterState state_;
    std::optional<DemandInForce> demand_;
};

}  // namespace nvl72block::cli
