// SPDX-License-Identifier: GPL-2.0-or-later
//
// Holds answers about totals and enforced cliques to the search by nodes, budget by budget.
#pragma once

#include <string>
#include <vector>

#include "comparison.hpp"
#include "node_oracle.hpp"

namespace nvl72block::oracle {

/// What one budget's answers came to.
struct Tallies {
    std::uint64_t cases = 0, fit = 0, placed = 0, proven = 0;
    Findings findings;
};

class NodeComparison {
  public:
    explicit NodeComparison(Engine engine = place);

    /// Judges the engine with the full budget and with 0, 1, 10 and 100 steps.
    void run(const Case& sample, const Instance& instance, const Request& request);

    [[nodiscard]] const Tallies& full() const { return tallies_.front(); }
    /// Failures under any budget.
    [[nodiscard]] std::uint64_t failures() const;
    [[nodiscard]] std::uint64_t count(const std::string& kind) const;
    [[nodiscard]] std::string summary() const;
    [[nodiscard]] std::string report(std::size_t examples) const;

  private:
    [[nodiscard]] Verdict judge(const Answer& answer, const std::optional<NodeOptimum>& best,
                                const NodeOracle& oracle, const Instance& instance,
                                const Request& request) const;
    [[nodiscard]] Verdict judge_refusal(const Refusal& refusal, const NodeOracle& oracle,
                                        const Instance& instance, const Request& request) const;
    [[nodiscard]] Oracle& rules_for(const Instance& instance);

    Engine engine_;
    std::vector<Budget> budgets_;
    std::vector<Tallies> tallies_;  ///< by budget, the full one first
    std::optional<Oracle> rules_;
};

}  // namespace nvl72block::oracle
