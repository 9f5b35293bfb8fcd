// SPDX-License-Identifier: GPL-2.0-or-later
#include "comparison.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "refusals.hpp"

namespace nvl72block::oracle {

std::string job_kind(const Facts& facts, const Request& request) {
    std::string text = request.segment_size == 0                      ? "plain"
                       : request.segment_size <= facts.shape.planning ? "segment<=b"
                                                                      : "segment>b";
    if (request.segment_size > 0 && request.spread_segments) text += " spread";
    if (request.segment_size > 0 && request.consolidate_segments) text += " cons";
    if (request.max_nodes > request.min_nodes) text += " range";
    if (request.max_base_blocks > 0) text += " max";
    if (request.exclusive) text += " excl";
    if (request.policy == Policy::compact) text += " compact";
    if (request.policy == Policy::demand) text += " demand";
    if (!request.required.empty()) text += " required";
    if (facts.weights.size() > 1) text += " weights";
    return text;
}

namespace {

std::string list(const Counts& counts) {
    std::string text;
    for (const std::uint32_t count : counts)
        text += (text.empty() ? "" : ",") + std::to_string(count);
    return text;
}

std::string list(const NodeSet& nodes) {
    std::string text;
    nodes.for_each(
        [&](NodeIndex node) { text += (text.empty() ? "" : ",") + std::to_string(node); });
    return text;
}

std::string without_digits(std::string text) {
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
}

/// The fewest base blocks that hold `nodes` nodes, more than are allowed; none: all of them.
std::uint32_t blocks_needed(Oracle& oracle, const Facts& facts, Request request,
                            std::uint32_t nodes) {
    request.min_nodes = request.max_nodes = nodes;
    do ++request.max_base_blocks;
    while (request.max_base_blocks < facts.shape.blocks && !oracle.solve(facts, request));
    return request.max_base_blocks;
}

/// Claims of a refusal that only the oracle can judge; `full`: with the full budget.
Verdict judge_refusal(Oracle& oracle, const Instance& instance, const Facts& facts,
                      const Request& request, const Refusal& refusal, bool full) {
    if (auto trouble = check_refusal(instance.topology, request, instance.state(), refusal);
        !trouble.empty())
        return {"refusal " + without_digits(trouble), trouble};
    if (refusal.permanent) {
        // "Never, whatever the state": then not with every node usable either.
        NodeSet all(instance.topology.node_count());
        for (NodeIndex node = 0; node < all.size(); ++node) all.set(node);
        State state = instance.state();
        state.usable = all;
        if (oracle.solve(Facts(instance.topology, request, state), request))
            return {"permanent", std::string(to_string(refusal.reason)) +
                                     " is permanent, but all nodes would do"};
    }
    if (refusal.reason == RefusalReason::too_many_base_blocks && refusal.proven) {
        const std::uint32_t needed = blocks_needed(oracle, facts, request, refusal.wanted_nodes);
        if (refusal.needed_base_blocks > needed || (full && refusal.needed_base_blocks < needed))
            return {"needed_base_blocks", "says " + std::to_string(refusal.needed_base_blocks) +
                                              ", oracle " + std::to_string(needed)};
    }
    if (refusal.reason == RefusalReason::segments_do_not_fit && !request.consolidate_segments &&
        request.min_nodes == request.max_nodes) {
        const std::uint32_t fit = oracle.segments_fit(facts, request);
        if (refusal.segments_fit != fit)
            return {"note: segments_fit", "says " + std::to_string(refusal.segments_fit) +
                                              ", oracle " + std::to_string(fit)};
    }
    return {};
}

}  // namespace

Verdict Comparison::judge_placement(const Optimum& best, const Instance& instance,
                                    const Facts& facts, const Request& request,
                                    const Placement& placement) {
    const NodeSet expected = nodes_of(facts, best, instance.topology.node_count());
    const std::string beyond = placement.proven ? "" : "beyond: ";
    if (placement.blocks.empty() != best.outside)
        return {(best.outside ? "" : beyond) + "inside or outside",
                best.outside ? "must lie outside" : "must lie in blocks"};
    if (placement.nodes.count() > best.nodes)
        return {"more nodes than can be", "engine " + list(placement.nodes)};
    if (placement.nodes.count() < best.nodes)
        return {beyond + "not the largest count",
                "engine " + std::to_string(placement.nodes.count()) + " nodes, oracle " +
                    std::to_string(best.nodes)};
    if (best.outside)
        return placement.nodes == expected
                   ? Verdict{}
                   : Verdict{"order outside",
                             "engine " + list(placement.nodes) + ", oracle " + list(expected)};
    --unranked_;
    const Rank is = rank(facts, instance.topology, request, placement);
    const auto ranks = [&] {
        return "engine t=" + list(taken_counts(instance.topology, placement)) + " " +
               to_string(is) + "\n      oracle t=" + list(best.taken) + " " + to_string(best.rank);
    };
    if (better(is, best.rank)) return {"engine beats oracle", ranks()};
    if (const int preference = first_difference(is, best.rank); preference > 0) {
        ++differs_[preference];
        const bool exempt =
            preference == 6 && is_packed(facts.shape, request, placement.nodes.count());
        return {(exempt ? "note: " : beyond) + "preference " + std::to_string(preference), ranks()};
    }
    if (placement.nodes == expected) return {};
    return {"order inside a block",
            "engine " + list(placement.nodes) + ", oracle " + list(expected)};
}

Verdict Comparison::judge(Oracle& oracle, const std::optional<Optimum>& best,
                          const Instance& instance, const Facts& facts, const Request& request) {
    ++(best ? placed_ : refused_);
    if (best && !best->outside) ++unranked_;
    const Answer answer = engine_(instance.topology, request, instance.state(), budget_);
    proven_ += is_proven(answer) ? 1 : 0;
    if (const auto* refusal = std::get_if<Refusal>(&answer)) {
        if (best)
            return {refusal->proven ? "refuses what fits" : "beyond: refuses what fits",
                    std::string(to_string(refusal->reason)) + ", oracle " +
                        (best->outside ? "outside" : "t=" + list(best->taken))};
        return judge_refusal(oracle, instance, facts, request, *refusal, !budget_.steps);
    }
    const auto& placement = std::get<Placement>(answer);
    if (auto trouble = check(instance.topology, request, instance.state(), placement);
        !trouble.empty())
        return {"breaks a rule", trouble + ": " + list(placement.nodes)};
    if (!best) return {"places what does not fit", list(placement.nodes)};
    return judge_placement(*best, instance, facts, request, placement);
}

void Comparison::run(Oracle& oracle, const std::optional<Optimum>& best, const Case& sample,
                     const Instance& instance, const Facts& facts, const Request& request) {
    ++cases_;
    const Verdict verdict = judge(oracle, best, instance, facts, request);
    if (!verdict.kind.empty()) record(verdict, sample, facts, request);
}

void Comparison::record(const Verdict& verdict, const Case& sample, const Facts& facts,
                        const Request& request) {
    const std::size_t size = 10 * sample.blocks.size() + facts.inside() + sample.outside.size();
    std::string example;
    if (findings_.keeps(verdict.kind, size)) {
        Case shown = sample;
        shown.job = to_string(request);
        example = to_string(shown) + " " + to_string(budget_) + "\n      f=" + list(facts.free) +
                  " " + verdict.detail;
    }
    findings_.add(verdict.kind, job_kind(facts, request), size, example);
}

std::string Comparison::summary() const {
    std::string text = to_string(budget_) + ": " + std::to_string(cases_) + " cases, " +
                       std::to_string(placed_) + " that fit and " + std::to_string(refused_) +
                       " that do not; " + std::to_string(failures()) + " failures, " +
                       std::to_string(proven_) + " proven, " + std::to_string(beyond()) +
                       " unproven ones differ; agreement in preferences";
    std::uint64_t agree = placed_ - std::min(placed_, unranked_);
    agree -= std::min(agree, differs_[locality] + differs_[slots]);
    for (const int preference : {1, 2, 3, 4, 5, 6}) {
        agree -= std::min(agree, differs_[preference]);
        const double share = 100.0 * static_cast<double>(agree) /
                             static_cast<double>(std::max<std::uint64_t>(placed_, 1));
        char percent[32];
        std::snprintf(percent, sizeof percent, " 1-%d: %.4f %%", preference, share);
        text += percent;
    }
    return text;
}

void Comparison::add(const Comparison& other) {
    cases_ += other.cases_;
    placed_ += other.placed_;
    refused_ += other.refused_;
    proven_ += other.proven_;
    unranked_ += other.unranked_;
    for (std::size_t i = 0; i < differs_.size(); ++i) differs_[i] += other.differs_[i];
    findings_.add(other.findings_);
}

// ---- several budgets ---------------------------------------------------------------------------

std::string to_string(const Budget& budget) {
    return budget.steps ? "budget " + std::to_string(*budget.steps) : "full budget";
}

BudgetComparison::BudgetComparison(bool thorough) : thorough_(thorough) {
    judges_.emplace_back();
    for (const std::uint64_t steps : {0, 1, 10, 100}) judges_.emplace_back(Budget{steps});
}

void BudgetComparison::run(Oracle& oracle, const Case& sample, const Instance& instance,
                           const Facts& facts, const Request& request) {
    const std::optional<Optimum> best = oracle.solve(facts, request);
    judges_.front().run(oracle, best, sample, instance, facts, request);
    for (std::size_t judge = 1; judge < judges_.size(); ++judge)
        if (thorough_ || judge == next_)
            judges_[judge].run(oracle, best, sample, instance, facts, request);
    next_ = next_ + 1 < judges_.size() ? next_ + 1 : 1;
}

void BudgetComparison::add(const BudgetComparison& other) {
    for (std::size_t judge = 0; judge < judges_.size(); ++judge)
        judges_[judge].add(other.judges_[judge]);
}

}  // namespace nvl72block::oracle
