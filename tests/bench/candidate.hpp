// SPDX-License-Identifier: GPL-2.0-or-later
//
// One request to one cluster as a line of text, so that what a search found can be repeated:
//   racks=512 sizes=18,144 fill=free weights=3 required=60x4 seed=7 nodes=1-9216 seg=19 max=1
//   spread
// fill: idle, free (0 to 18 free nodes per rack, each as likely), one (one busy node a rack), half
// (every second rack has one), a percentage of busy nodes, or used and a percentage: what jobs
// leave. weights: how many classes. partitions: NVLink partitions per rack, with enforced cliques.
// required=RxN: N nodes in each of R racks. cpus and gpus are totals over nodes that have 72 or 144
// CPUs and 4 or 8 GPUs; sized: without a node count. demand: how many sizes the policy of that name
// keeps slots for, of 18, 16, 9, 8, 6, 4, 3 and 2 nodes; then one of ten usable nodes is not idle,
// and one of ten others is.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "cluster.hpp"

namespace nvl72block::bench {

struct Candidate {
    std::uint32_t racks = 512;
    std::vector<std::uint32_t> sizes{18};
    std::string fill = "idle";
    std::uint32_t weights = 1;
    std::uint32_t partitions = 0;  ///< per rack, cliques being enforced; 0: they are not
    std::uint32_t required_racks = 0, required_each = 0;
    std::uint32_t demand = 0;  ///< sizes; 0 with another policy
    std::uint64_t seed = 1;
    Request request;  ///< `required` is made from the above
};

[[nodiscard]] std::string to_string(const Candidate& candidate);
/// Throws std::invalid_argument.
[[nodiscard]] Candidate parse_candidate(const std::string& text);

[[nodiscard]] Candidate random_candidate(Random& random, std::uint32_t racks);
/// The same but for one or two things.
[[nodiscard]] Candidate changed(Random& random, Candidate candidate);

/// What a candidate says, to be computed with.
struct Scene {
    std::shared_ptr<const Topology> topology;
    NodeSet usable, required, idle;
    std::vector<DemandSize> demand;
    std::vector<std::uint64_t> weight;
    std::vector<std::uint32_t> cpus, gpus;

    [[nodiscard]] Request request(const Candidate& candidate) const;
    [[nodiscard]] State state() const;
};

/// Makes scenes; remembers the topologies.
class Stage {
  public:
    [[nodiscard]] Scene scene(const Candidate& candidate);

  private:
    [[nodiscard]] const NodeSet& used(const Candidate& candidate, const Topology& topology);

    std::map<std::string, NodeSet> used_;
    [[nodiscard]] const std::shared_ptr<const Topology>& topology(const Candidate& candidate);

    using Plan = std::tuple<std::uint32_t, std::vector<std::uint32_t>, std::uint32_t>;
    std::map<Plan, std::shared_ptr<const Topology>> topologies_;  // racks, sizes, partitions
};

}  // namespace nvl72block::bench
