// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/counts/count_walk.hpp"

#include <algorithm>
#include <utility>

#include "placement/counts/offered_counts.hpp"
#include "placement/rules/rules.hpp"
#include "placement/state/bisect.hpp"

namespace nvl72block {
namespace {

/// Parts of the budget that are kept: for the last count, twice that where it is sized_by_both();
/// for first answers, where a count may fail.
constexpr std::uint64_t share_of_last = 8, share_of_first_answers = 4;

bool sized_by_both(const Request& request) {
    return request.sized_by_totals && request.cpus != 0 && request.gpus != 0;
}

/// The searches for one count after another, paid from one budget.
class Attempts {
  public:
    Attempts(const Decision& decision, Totals* totals)
        : decision_(decision),
          effort_(decision.effort()),
          totals_(totals),
          scarce_(effort_.left() / share_of_first_answers),
          answers_(decision.request().max_base_blocks != 0 ? 2 : 1),
          reserve_((sized_by_both(decision.request()) ? 2 : 1) * effort_.left() / share_of_last),
          without_reserve_(effort_.budget, effort_.budget - reserve_) {}

    /// Whether counts are searched, not only given a first answer each.
    [[nodiscard]] bool plenty() const { return effort_.left() > scarce_; }

    /// The counts to pass over, of so many that remain: none as long as there is plenty; then so
    /// that what can be paid spreads over all of them.
    [[nodiscard]] std::uint64_t passed_over(std::uint64_t remaining) const {
        const std::uint64_t less = plenty() ? 0 : remaining / (affordable() + 1);
        if (less > 0) effort_.complete = false;
        return less;
    }
    /// Counts that can still be paid, each with its first answer.
    [[nodiscard]] std::uint64_t affordable() const { return effort_.affordable() / answers_; }

    /// README.md has the rules ("Counts"). A count that cannot fail is tried whatever is left, too.
    std::optional<Placement> at(const Problem& problem, bool may_fail, bool last) {
        if (last) effort_.budget += std::exchange(reserve_, 0);
        std::uint64_t budget = effort_.budget;
        const bool may_prove = plenty() && totals_ == nullptr && problem.max_base_blocks == 0;
        const Temporary found_one(effort_.once_found, may_prove ? budget + reserve_ : 0);
        if (may_fail)
            budget = plenty() ? effort_.budget_of_part(2) : effort_.budget_of_answers(answers_);
        const Temporary part(effort_.budget, budget);
        const Temporary resort(effort_.resort_until, last || !may_fail ? ~std::uint64_t{0} : 0);
        if (totals_ != nullptr) return totals_->place(problem);
        const Found found = decision_.solve(problem);
        decision_.note(found);
        if (!found.division) return std::nullopt;
        return decision_.name_nodes(*found.division);
    }

  private:
    const Decision& decision_;
    Effort& effort_;
    Totals* totals_;
    std::uint64_t scarce_;   // with no more left, counts have first answers only
    std::uint64_t answers_;  // first answers that a count takes
    std::uint64_t reserve_;  // steps kept for the last count
    Temporary<std::uint64_t> without_reserve_;
};

/// The largest count of the request's range for which a placement in blocks satisfies the rules
/// and, with `totals`, holds them.
class LargestCount {
  public:
    LargestCount(const Decision& decision, Totals* totals)
        : decision_(decision),
          totals_(totals),
          smallest_(next_count(decision.request(), decision.request().min_nodes)),
          attempts_(decision, totals) {}

    std::optional<Placement> run() {
        std::uint64_t count = decision_.valid_count(decision_.tally().in_blocks());
        std::uint64_t failed = 0;  // the count before
        std::uint64_t step = 1;    // units
        while (count >= smallest_) {
            const Problem problem = decision_.problem(count);
            const std::uint32_t most = decision_.most(problem);
            // No smaller count allows more required nodes, nor offers a plain job more; but what is
            // too large for segments may fit as a plain job.
            if (most < count || decision_.least(problem) > count) {
                const std::uint32_t plain = problem.segmented ? problem.unit_nodes : 0;
                count = decision_.valid_count(std::max(most < count ? most : 0, plain));
                continue;
            }
            if (last_ == 0) last_ = smallest_worth(count, false);
            if (totals_ == nullptr || totals_->may_hold(problem))
                if (auto placed = attempts_.at(problem, may_fail(problem), count <= last_))
                    return raised(*std::move(placed), count, failed);
            // Mostly the largest count is placed, and no smaller one need be looked at.
            const bool is_first = failed == 0;
            failed = count;
            if (totals_ != nullptr && is_first) {
                const bool was_last = last_ == count;
                last_ = smallest_ = smallest_worth(count, true);
                if (last_ == count && !was_last) continue;
            }
            const std::uint64_t below = decision_.valid_count(count - 1);
            count = next_below(below);
            // Where what fits leaves no smaller count of its rule out, steps double.
            if (totals_ != nullptr || decision_.tally().required_in_blocks() > 0) continue;
            const std::uint64_t alike = OfferedCounts(decision_).alike(problem, true).least;
            const std::uint64_t least = next_count(decision_.request(), std::max(smallest_, alike));
            const std::uint64_t less = std::min((step - 1) * problem.unit_nodes, below);
            count = std::min(count,
                             std::max<std::uint64_t>(least, decision_.valid_count(below - less)));
            step *= 2;
        }
        return std::nullopt;
    }

  private:
    /// The smallest count up to `most` that the offers allow, and the totals if they are looked at.
    [[nodiscard]] std::uint64_t smallest_worth(std::uint64_t most, bool by_totals) const {
        std::uint64_t count = smallest_;
        while (count < most) {
            const Problem problem = decision_.problem(count);
            const std::uint64_t least = decision_.least(problem);
            const OfferedCounts offered(decision_);
            if (!offered.has(problem))
                count = next_count(decision_.request(), offered.above(problem));
            else if (least > count)
                count = next_count(decision_.request(), least);
            else if (by_totals && !totals_->may_hold(problem))
                count = totals_->next_holding(problem, 0);
            else
                return count;
        }
        return most;
    }

    [[nodiscard]] std::uint64_t next_below(std::uint64_t count) const {
        if (count <= last_) return count;
        const std::uint64_t less = attempts_.passed_over(count - last_);
        return std::max<std::uint64_t>(last_, decision_.valid_count(count - less));
    }

    /// Whether the offers may promise too much.
    [[nodiscard]] bool may_fail(const Problem& problem) const {
        const bool exact_offer = problem.large_segments() ? false
                                 : problem.segmented
                                     ? decision_.tally().required_in_blocks() == 0
                                     : problem.max_base_blocks == 0 || problem.limited_level == 0;
        return problem.nodes > smallest_ && (totals_ != nullptr || !exact_offer);
    }

    /// A larger count below `failed` if one is found: what lies between is halved.
    Placement raised(Placement best, std::uint64_t fits, std::uint64_t failed) {
        while (failed > fits) {
            const std::uint64_t count = decision_.valid_count(fits + (failed - fits) / 2);
            if (count <= fits) break;
            if (attempts_.affordable() == 0) {
                decision_.effort().complete = false;
                break;
            }
            const Problem problem = decision_.problem(count);
            auto placed = attempts_.at(problem, may_fail(problem), count <= last_);
            (placed ? fits : failed) = count;
            if (placed) best = *std::move(placed);
        }
        return best;
    }

    const Decision& decision_;
    Totals* totals_;
    std::uint64_t smallest_;
    std::uint64_t last_ = 0;  // the smallest that is worth a search; 0: not looked for yet
    Attempts attempts_;
};

/// A request that is sized by totals: the fewest nodes in blocks that hold the totals, in one block
/// of the smallest level.
class FewestNodes {
  public:
    FewestNodes(const Decision& decision, Totals& totals)
        : decision_(decision),
          totals_(totals),
          topology_(decision.topology()),
          request_(decision.request()),
          most_(std::min(request_.max_nodes, decision.tally().in_blocks())),
          attempts_(decision, &totals) {}

    std::optional<Placement> run() {
        const std::uint64_t first = next_count(
            request_, std::max(request_.min_nodes, decision_.tally().required_in_blocks()));
        if (first > most_) return std::nullopt;
        last_ = largest_offered();
        if (request_.segment_size != 0) return along(first, std::nullopt);
        for (std::size_t level = plain_rule(topology_, first).level; level <= whole(); ++level) {
            // Without a budget the counts of a level may still prove the refusal.
            const bool tells = attempts_.affordable() > 0 || decision_.effort().complete;
            if (!tells && level < whole()) continue;
            if (std::optional<Placement> placed = along(first, level)) return placed;
        }
        return std::nullopt;
    }

  private:
    [[nodiscard]] std::size_t whole() const { return topology_.levels().size(); }

    /// Counts from `count` up in one block of `level`; without a level, where each one's rule says.
    std::optional<Placement> along(std::uint64_t count, std::optional<std::size_t> level) {
        while (count <= most_) {
            if (level && plain_rule(topology_, count).level > *level) break;
            const Problem problem = decision_.problem(count, level.value_or(0));
            const OfferedCounts offered(decision_, level.value_or(0));
            // A smaller level has been tried already, and no other scope serves these counts.
            const bool tried = level && problem.scope_level < *level;
            if (tried || decision_.most(problem) < count) {
                // A larger count may have more lower blocks.
                count = next_count(request_, tried ? offered.alike(problem, true).most + 1
                                                   : offered.above(problem));
                continue;
            }
            const std::uint64_t least = decision_.least(problem);
            if (least > count) {  // for its required nodes
                count =
                    next_count(request_, std::min(least, offered.alike(problem, true).most + 1));
                continue;
            }
            if (!totals_.may_hold(problem)) {
                count = totals_.next_holding(problem, level.value_or(0));
                continue;
            }
            const bool whole_cluster = level.value_or(whole()) == whole();
            if (attempts_.affordable() == 0 && !whole_cluster) {
                decision_.effort().complete = false;
                break;
            }
            const bool last = count >= last_ && whole_cluster;
            if (std::optional<Placement> placed = attempts_.at(problem, !last, last)) return placed;
            const std::uint64_t following = next_count(request_, count + 1);
            if (following > most_) break;
            const std::uint64_t more =
                last_ > following ? attempts_.passed_over(last_ - following) : 0;
            count = next_count(request_, following + more);
        }
        return std::nullopt;
    }

    /// The largest count that the offers allow in the whole cluster, or where its rule says.
    [[nodiscard]] std::uint64_t largest_offered() const {
        const std::size_t level = request_.segment_size != 0 ? 0 : whole();
        std::uint32_t count = decision_.valid_count(most_);
        while (count > 0) {
            const OfferedCounts offered(decision_, level);
            const Problem problem = decision_.problem(count, level);
            if (offered.has(problem)) break;
            count = decision_.valid_count(offered.below(problem));
        }
        return count;
    }

    const Decision& decision_;
    Totals& totals_;
    const Topology& topology_;
    const Request& request_;
    std::uint64_t most_;      // nodes
    std::uint64_t last_ = 0;  // the most that are worth a search
    Attempts attempts_;
};

}  // namespace

std::optional<Placement> place_in_blocks(const Decision& decision) {
    const Request& request = decision.request();
    if (decision.tally().required_outside() > 0) return std::nullopt;
    const bool totals_matter = totals_of(request, decision.state()).any();
    if (!request.sized_by_totals && !totals_matter) return LargestCount(decision, nullptr).run();
    Totals totals(decision);
    return request.sized_by_totals ? FewestNodes(decision, totals).run()
                                   : LargestCount(decision, &totals).run();
}

}  // namespace nvl72block
