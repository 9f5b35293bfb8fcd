// SPDX-License-Identifier: GPL-2.0-or-later
//
// What jobs have of the nodes, now and when some of them have ended. A node's own record tells what
// all its jobs have together; how much of it one job has is its total, evenly over its nodes.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "cli/state/cluster_state.hpp"

namespace nvl72block::cli {

class Occupancy {
  public:
    /// For nodes that are in use by what is not shown, or by a job without an end.
    static constexpr SlurmTime never = std::numeric_limits<SlurmTime>::max();

    /// `state` has to outlive this.
    explicit Occupancy(const ClusterState& state);

    /// What is left of a node.
    struct Rest {
        std::uint32_t cpus = 0;
        std::uint32_t gpus = 0;
        std::uint64_t memory = 0;
    };
    /// At `time`, from now on: not before the node's jobs of that time leave it.
    [[nodiscard]] Rest rest(NodeIndex node, SlurmTime time) const;

    /// Whether a job has some of the node then.
    [[nodiscard]] bool is_used(NodeIndex node, SlurmTime time) const;
    /// Whether a job with --exclusive=topo keeps others from the node then, which it does not use.
    [[nodiscard]] bool is_blocked(NodeIndex node, SlurmTime time) const;
    /// Whether another user's job is there then, and that job or `job` wants no other users.
    [[nodiscard]] bool is_kept_by_another_user(NodeIndex node, SlurmTime time,
                                               const JobRecord& job) const;

    /// The times at which something of the node becomes free, none of them `never`.
    [[nodiscard]] std::vector<SlurmTime> releases(NodeIndex node) const;
    /// Whether it is never known to become free.
    [[nodiscard]] bool is_endless(NodeIndex node) const { return is_used(node, never - 1); }

  private:
    struct Share {
        const JobRecord* job = nullptr;
        SlurmTime end = 0;
        bool one_user = false;
        Rest amount;
    };
    [[nodiscard]] bool wants_one_user(const JobRecord& job) const;
    void add(const JobRecord& job);
    void block(const JobRecord& job, SlurmTime end);
    [[nodiscard]] SlurmTime last_end_in_block(NodeIndex node) const;

    const ClusterState& state_;
    std::vector<std::vector<Share>> shares_;  ///< by node
    std::vector<SlurmTime> blocked_until_;    ///< by node
};

}  // namespace nvl72block::cli
