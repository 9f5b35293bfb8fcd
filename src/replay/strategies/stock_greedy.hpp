// SPDX-License-Identifier: GPL-2.0-or-later
//
// Baseline: the order in which Slurm's own topology/block chooses, written anew from its documented
// and observed behaviour. Segment by segment, each in the block with the fewest sufficient free
// nodes; of equals the last. Nodes have no weights here, and a search that ends without a placement
// is not repeated with nodes left out.
#pragma once

#include "replay/strategies/strategy.hpp"

namespace nvl72block::replay {

/// Jobs of one node: Slurm 26.05 takes the first free node, earlier releases the best fit.
enum class OneNodeJobs { first_node, best_fit };

class StockGreedy : public Strategy {
  public:
    explicit StockGreedy(OneNodeJobs one_node_jobs) : one_node_jobs_(one_node_jobs) {}

    [[nodiscard]] std::string name() const override {
        return one_node_jobs_ == OneNodeJobs::first_node ? "stock-26.05" : "stock-24.11";
    }
    [[nodiscard]] std::optional<Placement> choose(const Topology& topology, const Job& job,
                                                  NodeSetView free) const override;

  private:
    OneNodeJobs one_node_jobs_;
};

}  // namespace nvl72block::replay
