// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/answer/largest_count.hpp"

#include <algorithm>

#include "placement/count/count_rule.hpp"

namespace nvl72block {
namespace {

/// Part of the budget that is kept for the smallest count of a range.
constexpr std::uint64_t share_of_smallest = 8;

class LargestCount {
  public:
    LargestCount(const Decision& decision, Totals* totals)
        : decision_(decision),
          totals_(totals),
          smallest_(next_count(decision.request(),
                               std::max<std::uint64_t>(decision.request().min_nodes,
                                                       totals != nullptr ? totals->fewest() : 0))) {
    }

    std::optional<Placement> run() {
        Effort& effort = decision_.effort();
        reserve_ = effort.left() / share_of_smallest;
        const TemporaryBudget without_reserve(effort, effort.budget - reserve_);
        return largest();
    }

  private:
    std::optional<Placement> largest() {
        std::uint64_t count = decision_.valid_count(decision_.tally().in_blocks());
        std::uint64_t passed_over = 0;  // the count before, where some between were not tried
        while (count >= smallest_) {
            const Problem problem = decision_.problem(static_cast<std::uint32_t>(count));
            const std::uint32_t most = decision_.most(problem);
            if (most < count) {
                count = below_offer(problem, most);
                continue;
            }
            if (decision_.least(problem) > count) {  // and more than any smaller count
                count = below_offer(problem, 0);
                continue;
            }
            if (totals_ == nullptr || totals_->may_hold(problem)) {
                if (std::optional<Placement> placed = attempt(problem))
                    return raised(*std::move(placed), count, passed_over);
                if (falls_with_count(problem)) {
                    const std::uint64_t least = rule_begin(problem.nodes);
                    if (std::optional<Placement> placed = largest_below(count, least))
                        return placed;
                    count = least;
                }
            }
            count = decision_.valid_count(count - 1);
            passed_over = count;
            if (decision_.effort().left() == 0)
                count = far_below(count, std::max(smallest_, decision_.least(problem)));
        }
        return std::nullopt;
    }

    /// Where the offers may promise too much, a count has half of what is left of the budget, so
    /// that some is left for the next.
    std::optional<Placement> attempt(const Problem& problem) {
        Effort& effort = decision_.effort();
        if (problem.nodes <= std::max(smallest_, decision_.least(problem))) release_reserve();
        const TemporaryBudget part(effort,
                                   may_fail(problem) ? effort.budget_of_part(2) : effort.budget);
        return attempt_within_budget(problem);
    }

    /// The smallest count is searched as well as may be, whatever the larger ones have used up: a
    /// range must not be refused where its minimum alone would be placed.
    void release_reserve() {
        Effort& effort = decision_.effort();
        effort.budget = std::max(effort.budget, effort.steps) + reserve_;
        reserve_ = 0;
    }

    [[nodiscard]] bool may_fail(const Problem& problem) const {
        const bool exact_offer = problem.large_segments() ? false
                                 : problem.segmented
                                     ? decision_.tally().required_in_blocks() == 0
                                     : problem.max_base_blocks == 0 || problem.limited_level == 0;
        return problem.nodes > smallest_ && (totals_ != nullptr || !exact_offer);
    }

    std::optional<Placement> attempt_within_budget(const Problem& problem) {
        if (totals_ != nullptr) return totals_->place(problem);
        const Found found = decision_.solve(problem);
        decision_.note(found);
        if (!found.division) return std::nullopt;
        return decision_.name_nodes(*found.division);
    }

    /// The smallest count of the range that the same rule judges.
    [[nodiscard]] std::uint64_t rule_begin(std::uint32_t count) const {
        const CountInterval counts =
            counts_of_one_rule(decision_.tally().topology(), decision_.request(), count);
        return std::max(smallest_, next_count(decision_.request(), counts.least));
    }

    /// The next count, where a rule offers no more than `most` nodes. The rule of a smaller count
    /// never offers a plain job more; but what is too large for segments may fit as a plain job.
    [[nodiscard]] std::uint32_t below_offer(const Problem& problem, std::uint32_t most) const {
        return decision_.valid_count(
            problem.segmented ? std::max(most, decision_.request().segment_size) : most);
    }

    /// Whether a count that fits leaves no smaller one out under the same rule, as nodes or
    /// segments can be given up one by one. Required nodes and totals may forbid that.
    [[nodiscard]] bool falls_with_count(const Problem& problem) const {
        if (totals_ != nullptr) return false;
        return !problem.segmented || decision_.tally().required_in_blocks() == 0;
    }

    /// The largest count from `least` up to below `failed` that fits: steps that double, then
    /// halves; at the end of the budget half of the count.
    std::optional<Placement> largest_below(std::uint64_t failed, std::uint64_t least) {
        std::optional<Placement> best;
        std::uint64_t fits = least;
        for (std::uint64_t step = 1; !best && failed > least; step *= stride()) {
            const std::uint64_t less = decision_.effort().exhausted() ? failed / 2 : step;
            fits = std::max<std::uint64_t>(
                least, decision_.valid_count(failed > less ? failed - less : 0));
            best = attempt(decision_.problem(static_cast<std::uint32_t>(fits)));
            if (!best) failed = fits;
        }
        if (!best) return best;
        return raised(*std::move(best), fits, failed);
    }

    /// A larger count below `failed` if one is found: what lies between is halved.
    Placement raised(Placement best, std::uint64_t fits, std::uint64_t failed) {
        while (failed > fits) {
            const std::uint64_t count = decision_.valid_count(fits + (failed - fits) / 2);
            if (count <= fits) break;
            if (decision_.effort().exhausted()) {
                decision_.effort().complete = false;
                break;
            }
            std::optional<Placement> placed =
                attempt(decision_.problem(static_cast<std::uint32_t>(count)));
            (placed ? fits : failed) = count;
            if (placed) best = *std::move(placed);
        }
        return best;
    }

    /// By how much steps grow: beyond the budget few counts are tried.
    [[nodiscard]] std::uint64_t stride() const {
        if (decision_.effort().left() > 0) return 2;
        decision_.effort().complete = false;
        return 8;
    }

    /// A count well below, where the budget does not last for all: a quarter less, at the end a
    /// quarter. `smallest`: no smaller one can hold the required nodes.
    [[nodiscard]] std::uint64_t far_below(std::uint64_t count, std::uint64_t smallest) const {
        if (count <= smallest) return count;
        decision_.effort().complete = false;
        const std::uint64_t less = decision_.effort().exhausted() ? count / 4 : count - count / 4;
        return std::max<std::uint64_t>(smallest, decision_.valid_count(less));
    }

    const Decision& decision_;
    Totals* totals_;
    std::uint64_t smallest_;
    std::uint64_t reserve_ = 0;  // steps kept for the smallest count
};

}  // namespace

std::optional<Placement> place_largest(const Decision& decision, Totals* totals) {
    return LargestCount(decision, totals).run();
}

}  // namespace nvl72block
