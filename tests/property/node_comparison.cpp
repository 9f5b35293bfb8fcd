// SPDX-License-Identifier: GPL-2.0-or-later
#include "node_comparison.hpp"

namespace nvl72block::oracle {

namespace {

std::string list(const NodeSet& nodes) {
    std::string text;
    nodes.for_each(
        [&](NodeIndex node) { text += (text.empty() ? "" : ",") + std::to_string(node); });
    return text;
}

std::string kind_of_job(const Request& request) {
    std::string text = request.segment_size == 0 ? "plain" : "segments";
    if (request.cpus > 0) text += " cpus";
    if (request.gpus > 0) text += " gpus";
    if (request.sized_by_totals) text += " sized";
    if (request.max_nodes > request.min_nodes) text += " range";
    if (request.max_base_blocks > 0) text += " max";
    if (!request.required.empty()) text += " required";
    return text;
}

/// How two answers of different node counts compare: the first is the engine's.
std::string count_kind(const Request& request, std::uint32_t is, std::uint32_t best) {
    if (request.sized_by_totals)
        return "not the fewest nodes at the smallest level";  // a wider level may need fewer
    return is > best ? "more nodes than can be" : "not the largest count";
}

/// Such a refusal speaks of the required nodes alone.
bool names_required(const Refusal& refusal) {
    return refusal.reason == RefusalReason::required_not_usable ||
           refusal.reason == RefusalReason::required_without_island;
}

}  // namespace

NodeComparison::NodeComparison(Engine engine) : engine_(std::move(engine)), budgets_{Budget{}} {
    for (const std::uint64_t steps : {0, 1, 10, 100}) budgets_.push_back(Budget{steps});
    tallies_.resize(budgets_.size());
}

Oracle& NodeComparison::rules_for(const Instance& instance) {
    const Shape shape(instance.topology);
    if (!rules_ || rules_->shape() != shape) {
        rules_.emplace(shape, Counts(shape.blocks, 31));
    }
    return *rules_;
}

void NodeComparison::run(const Case& sample, const Instance& instance, const Request& request) {
    const State state = instance.state();
    NodeOracle oracle(rules_for(instance), instance.topology, request, state);
    const auto best = oracle.solve();
    for (std::size_t i = 0; i < budgets_.size(); ++i) {
        Tallies& tally = tallies_[i];
        ++tally.cases;
        tally.fit += best ? 1 : 0;
        const Answer answer = engine_(instance.topology, request, state, budgets_[i]);
        tally.placed += answer.index() == 0 ? 1 : 0;
        tally.proven += is_proven(answer) ? 1 : 0;
        Verdict verdict = judge(answer, best, oracle, instance, request);
        if (verdict.kind.empty() && answer.index() == 1)
            verdict = judge_refusal(std::get<Refusal>(answer), oracle, instance, request);
        if (verdict.kind.empty()) continue;
        Case shown = sample;
        shown.job = to_string(request);
        const std::size_t size = 10 * sample.blocks.size() + instance.topology.node_count();
        tally.findings.add(
            verdict.kind, kind_of_job(request), size,
            to_string(shown) + " " + to_string(budgets_[i]) + "\n      " + verdict.detail);
    }
}

Verdict NodeComparison::judge(const Answer& answer, const std::optional<NodeOptimum>& best,
                              const NodeOracle& oracle, const Instance& instance,
                              const Request& request) const {
    if (const auto* refusal = std::get_if<Refusal>(&answer)) {
        if (!best) return {};
        return {refusal->proven ? "refuses what fits" : "beyond: refuses what fits",
                sentence(*refusal) + "; oracle places " + std::to_string(best->nodes) +
                    (best->outside ? " outside" : "")};
    }
    const auto& found = std::get<Placement>(answer);
    const std::string beyond = found.proven ? "" : "beyond: ";
    const std::string nodes = list(found.nodes);
    if (auto trouble = check(instance.topology, request, instance.state(), found); !trouble.empty())
        return {"breaks a rule", trouble + ": " + nodes};
    if (!best) return {"places what does not fit", nodes};
    if (found.blocks.empty() != best->outside)
        return {(best->outside ? "" : beyond) + "inside or outside", nodes};
    if (const std::uint32_t count = found.nodes.count(); count != best->nodes) {
        const std::string kind = count_kind(request, count, best->nodes);
        return {(kind.starts_with("more") ? "" : beyond) + kind,
                nodes + "; oracle " + std::to_string(best->nodes) + " nodes"};
    }
    if (best->outside) return {};
    const Rank is = oracle.rank_of(found);
    const int preference = first_difference(is, best->rank);
    if (preference == 0) return {};
    const std::string ranks =
        nodes + " " + to_string(is) + "\n      oracle " + to_string(best->rank);
    if (better(is, best->rank) && !request.sized_by_totals) return {"engine beats oracle", ranks};
    if (preference == 6 && is_packed(Shape(instance.topology), request, best->nodes))
        return {"note: preference 6", ranks};
    return {beyond + "preference " + std::to_string(preference), ranks};
}

/// The numbers are those of the smallest count. "Never, whatever the state": then not with every
/// node usable either.
Verdict NodeComparison::judge_refusal(const Refusal& refusal, const NodeOracle& oracle,
                                      const Instance& instance, const Request& request) const {
    const std::uint32_t smallest = oracle.smallest_count();
    if (!refusal.permanent && !names_required(refusal) &&
        (refusal.wanted_nodes != smallest ||
         refusal.usable_nodes != oracle.usable_for(smallest).count()))
        return {"numbers of another count",
                sentence(refusal) + ": the smallest count is " + std::to_string(smallest)};
    if (!refusal.permanent) return {};
    NodeSet all(instance.topology.node_count());
    for (NodeIndex node = 0; node < all.size(); ++node) all.set(node);
    State state = instance.state();
    state.usable = all;
    const Shape shape(instance.topology);
    Oracle rules(shape, Counts(shape.blocks, 31));
    if (!NodeOracle(rules, instance.topology, request, state).solve()) return {};
    return {"permanent", sentence(refusal) + ": is permanent, but all nodes would do"};
}

std::uint64_t NodeComparison::failures() const {
    std::uint64_t sum = 0;
    for (const Tallies& tally : tallies_) sum += tally.findings.count();
    return sum;
}

std::uint64_t NodeComparison::count(const std::string& kind) const {
    std::uint64_t sum = 0;
    for (const Tallies& tally : tallies_) sum += tally.findings.count(kind);
    return sum;
}

std::string NodeComparison::summary() const {
    std::string text;
    for (std::size_t i = 0; i < budgets_.size(); ++i) {
        const Tallies& tally = tallies_[i];
        text += to_string(budgets_[i]) + ": " + std::to_string(tally.cases) + " cases, " +
                std::to_string(tally.fit) + " that fit, " + std::to_string(tally.placed) +
                " placed, " + std::to_string(tally.proven) + " proven, " +
                std::to_string(tally.findings.count()) + " failures, " +
                std::to_string(tally.findings.beyond()) + " unproven ones differ\n";
    }
    return text;
}

std::string NodeComparison::report(std::size_t examples) const {
    std::string text;
    for (std::size_t i = 0; i < budgets_.size(); ++i)
        text += to_string(budgets_[i]) + "\n" + tallies_[i].findings.report(examples);
    return text;
}

}  // namespace nvl72block::oracle
