// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/answer/sized_by_capacity.hpp"

#include <algorithm>

#include "placement/count/count_rule.hpp"

namespace nvl72block {
namespace {

class FewestNodes {
  public:
    FewestNodes(const Decision& decision, Totals& totals)
        : decision_(decision),
          totals_(totals),
          topology_(decision.tally().topology()),
          request_(decision.request()) {}

    std::optional<Placement> run() {
        const std::uint64_t first =
            next_count(request_, std::max<std::uint64_t>({request_.min_nodes, totals_.fewest(),
                                                          decision_.tally().required_in_blocks()}));
        if (first > last_count()) return std::nullopt;
        if (request_.segment_size != 0) return along(first, std::nullopt);
        for (std::size_t level = plain_rule(topology_, first).level;
             level <= topology_.levels().size(); ++level) {
            if (decision_.effort().exhausted() && level < topology_.levels().size()) continue;
            if (std::optional<Placement> placed = along(first, level)) return placed;
        }
        return std::nullopt;
    }

  private:
    [[nodiscard]] std::uint64_t last_count() const {
        return std::min(request_.max_nodes, decision_.tally().in_blocks());
    }

    /// Counts from `count` up in one block of `level`; without a level, where each one's rule says.
    std::optional<Placement> along(std::uint64_t count, std::optional<std::size_t> level) {
        while (count <= last_count()) {
            const auto nodes = static_cast<std::uint32_t>(count);
            if (level && plain_rule(topology_, nodes).level > *level) break;
            const Problem problem = decision_.problem(nodes, level.value_or(0));
            // A smaller level has been tried already, and no other scope serves these counts.
            const bool tried = level && problem.scope_level < *level;
            if (tried || decision_.most(problem) < nodes) {
                // No more nodes under the same rule; a larger count may have more lower blocks.
                count = counts_of_one_rule(topology_, request_, nodes).most + 1;
                count = next_count(request_, count);
                continue;
            }
            if (std::optional<Placement> placed = attempt(problem)) return placed;
            count = following(count);
        }
        return std::nullopt;
    }

    /// A count has half of what is left of the budget, so that some is left for the next.
    std::optional<Placement> attempt(const Problem& problem) {
        if (!totals_.may_hold(problem)) return std::nullopt;
        Effort& effort = decision_.effort();
        const TemporaryBudget half(effort, effort.budget_of_part(2));
        return totals_.place(problem);
    }

    /// The count to try after `count`. Beyond the budget there are few: steps grow, whatever the
    /// level, and at the end the largest count is tried.
    std::uint64_t following(std::uint64_t count) {
        if (decision_.effort().left() > 0) return next_count(request_, count + 1);
        decision_.effort().complete = false;
        if (!decision_.effort().exhausted()) return next_count(request_, count + (stride_ *= 16));
        const std::uint64_t largest = decision_.valid_count(last_count());
        return count < largest ? largest : last_count() + 1;
    }

    const Decision& decision_;
    Totals& totals_;
    const Topology& topology_;
    const Request& request_;
    std::uint64_t stride_ = 1;
};

}  // namespace

std::optional<Placement> place_fewest(const Decision& decision, Totals& totals) {
    return FewestNodes(decision, totals).run();
}

}  // namespace nvl72block
