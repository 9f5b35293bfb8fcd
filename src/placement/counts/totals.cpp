// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/counts/totals.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "placement/counts/offered_counts.hpp"
#include "placement/rules/rules.hpp"
#include "placement/state/bisect.hpp"

namespace nvl72block {
namespace {

/// What the order of a resource takes, in first answers: it is made, searched, and nodes are named.
constexpr std::uint64_t answers_per_order = 3;

/// Mixes tried for one node count; each halves the doubt at least, and few remain open after two.
constexpr int most_mixes = 8;
/// Mixes stay below this, so that sums over all nodes stay within 64 bits.
constexpr unsigned mix_bits = 12;
/// Mixes between CPUs alone and GPUs alone by which nodes of a division are named, each for so many
/// of them as may be.
constexpr std::uint64_t naming_mixes = 64;
/// Steps of naming a node by a mix, at most.
constexpr std::uint64_t steps_to_name = 8;

std::vector<std::uint64_t> values(const State& state, const Mix& mix) {
    std::vector<std::uint64_t> value(state.usable.size());
    state.usable.for_each([&](NodeIndex node) {
        if (!state.cpus.empty()) value[node] += mix.cpus * state.cpus[node];
        if (!state.gpus.empty()) value[node] += mix.gpus * state.gpus[node];
    });
    return value;
}

/// At most as many values as a search tells apart, with as many nodes each as may be; every node
/// counts for the next of them that is not below its own.
std::vector<std::uint64_t> rounded_up(std::vector<std::uint64_t> value, const State& state) {
    std::set<std::uint64_t> distinct;  // few on most clusters: no sorting of all nodes for them
    state.usable.for_each([&](NodeIndex node) {
        if (distinct.size() <= max_weight_classes) distinct.insert(value[node]);
    });
    if (distinct.size() <= max_weight_classes) return value;
    std::vector<std::uint64_t> sorted;
    state.usable.for_each([&](NodeIndex node) { sorted.push_back(value[node]); });
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint64_t> steps;
    for (std::size_t i = 1; i <= max_weight_classes; ++i)
        steps.push_back(sorted[i * sorted.size() / max_weight_classes - 1]);
    state.usable.for_each([&](NodeIndex node) {
        value[node] = *std::lower_bound(steps.begin(), steps.end(), value[node]);
    });
    return value;
}

std::vector<std::uint64_t> lacking(const std::vector<std::uint64_t>& value) {
    const std::uint64_t most = value.empty() ? 0 : *std::max_element(value.begin(), value.end());
    std::vector<std::uint64_t> weight;
    weight.reserve(value.size());
    for (const std::uint64_t one : value) weight.push_back(most - one);
    return weight;
}

/// Of each base block the nodes of most value, as many as hold their share of a total of `nodes`
/// nodes together: whatever is taken of these holds it, the best nodes of each block first.
NodeSet rich_nodes(const Decision& decision, const std::vector<std::uint64_t>& value,
                   std::uint64_t total, std::uint32_t nodes) {
    const Topology& topology = decision.topology();
    const NodeSetView required = decision.request().required;
    NodeSet rich(topology.node_count());
    std::vector<std::tuple<bool, std::uint64_t, NodeIndex>> best;  // required ones first
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        best.clear();
        topology.for_each(block, decision.state().usable, [&](NodeIndex node) {
            best.emplace_back(!required.test(node), ~value[node], node);
        });
        std::sort(best.begin(), best.end());
        std::uint64_t sum = 0;
        std::uint64_t count = 0;
        for (const auto& [free, lacking, node] : best) {
            sum += value[node];
            ++count;
            if (free && sum * nodes < total * count && value[node] * nodes < total) break;
            rich.set(node);
        }
    }
    return rich;
}

/// Weights by the mix that `at` tells: from GPUs alone (0) to CPUs alone, in steps of one node.
std::vector<std::uint64_t> between_mixes(const State& state, const Mix& mix, std::uint64_t at) {
    std::vector<std::uint64_t> value(state.usable.size());
    state.usable.for_each([&](NodeIndex node) {
        const std::uint64_t part = at / value.size() + (node < at % value.size() ? 1 : 0);
        value[node] = mix.cpus * state.cpus[node] * part +
                      mix.gpus * state.gpus[node] * (naming_mixes - part);
    });
    return lacking(value);
}

}  // namespace

std::vector<std::uint64_t> weights_of_lacking(const State& state, const Mix& mix) {
    return lacking(values(state, mix));
}

/// The search for the placement with the most CPUs, GPUs or some mix of both.
class ResourceOrder {
  public:
    ResourceOrder(const Decision& decision, const Mix& mix)
        : exact_(weights_of_lacking(decision.state(), mix)),
          value_(rounded_up(values(decision.state(), mix), decision.state())),
          weight_(lacking(value_)),
          state_(by_weight(decision.state(), weight_)),
          decision_(decision.topology(), decision.request(), state_, decision.effort(),
                    Aim::total_weight) {
        decision.effort().steps += value_.size();
    }
    ResourceOrder(const ResourceOrder&) = delete;
    ResourceOrder& operator=(const ResourceOrder&) = delete;

    [[nodiscard]] Found most(const Problem& problem) const { return decision_.solve(problem); }
    [[nodiscard]] std::uint64_t known_price() const { return decision_.known_price(); }
    /// What the nodes lack to the best: by this they are named, of those that are equal by weight.
    [[nodiscard]] std::span<const std::uint64_t> exact() const { return exact_; }
    [[nodiscard]] Placement name_nodes(const Division& division,
                                       std::span<const std::uint64_t> weight) const {
        return decision_.name_nodes(division, by_weight(state_, weight));
    }
    /// What the nodes count for. Where nodes differ in more ways than a search tells apart, it is a
    /// little more than they have, and then the most is found by that.
    [[nodiscard]] std::uint64_t value_of(const Placement& placement) const {
        std::uint64_t sum = 0;
        placement.nodes.for_each([&](NodeIndex node) { sum += value_[node]; });
        return sum;
    }

  private:
    static State by_weight(State state, std::span<const std::uint64_t> weight) {
        state.weight = weight;
        return state;
    }

    std::vector<std::uint64_t> exact_;   // per node: what it lacks to the best
    std::vector<std::uint64_t> value_;   // per node, rounded up to few
    std::vector<std::uint64_t> weight_;  // per node: what that lacks to the best
    State state_;                        // its weights are weight_
    Decision decision_;
};

std::uint64_t value(const Mix& mix, const Sums& sums) {
    return mix.cpus * sums.cpus + mix.gpus * sums.gpus;
}

Mix mix_of_shares(const Sums& whole) {
    const Mix mix{whole.gpus, whole.cpus};
    const auto bits = static_cast<unsigned>(std::bit_width(std::max(mix.cpus, mix.gpus)));
    if (bits <= mix_bits) return mix;
    return {std::max<std::uint64_t>(mix.cpus >> (bits - mix_bits), 1),
            std::max<std::uint64_t>(mix.gpus >> (bits - mix_bits), 1)};
}

Sums sums_of(const State& state, NodeSetView nodes) {
    Sums sums;
    nodes.for_each([&](NodeIndex node) {
        if (!state.cpus.empty()) sums.cpus += state.cpus[node];
        if (!state.gpus.empty()) sums.gpus += state.gpus[node];
    });
    return sums;
}

Sums totals_of(const Request& request, const State& state) {
    return {state.cpus.empty() ? 0 : request.cpus, state.gpus.empty() ? 0 : request.gpus};
}

std::optional<Placement> name_holding(const State& state, const Sums& totals, Sums sums,
                                      const Naming& naming) {
    std::uint64_t few_cpus = 0, few_gpus = naming_mixes * state.usable.size();
    // First those with most of what is lacking: it may be too much.
    std::uint64_t at = sums.cpus < totals.cpus ? few_gpus : few_cpus;
    while (naming.effort.left() > naming.price &&
           (sums.cpus >= totals.cpus || sums.gpus >= totals.gpus)) {
        naming.effort.steps += state.usable.size();
        Placement placement = naming.name(between_mixes(state, mix_of_shares(totals), at));
        sums = sums_of(state, placement.nodes);
        if (sums.hold(totals)) return placement;
        (sums.cpus < totals.cpus ? few_cpus : few_gpus) = at;
        if (few_gpus - few_cpus <= 1) break;
        at = few_cpus + (few_gpus - few_cpus) / 2;
    }
    return std::nullopt;
}

Totals::Totals(const Decision& decision)
    : decision_(decision), totals_(totals_of(decision.request(), decision.state())) {
    const auto add = [&](Resource& resource, std::uint64_t total,
                         std::span<const std::uint32_t> per_node) {
        if (total == 0) return;
        resource.bound.emplace(decision.tally(), decision.state(), per_node, total);
    };
    add(cpus_, totals_.cpus, decision.state().cpus);
    add(gpus_, totals_.gpus, decision.state().gpus);
    Effort& effort = decision.effort();
    effort.first_answer = std::max(effort.first_answer, decision.expected_answer(true));
    effort.steps += decision.tally().in_blocks();
}

bool Totals::may_hold(const Problem& problem, bool or_fewer) const {
    const auto may = [&](const Resource& resource) {
        return !resource.bound ||
               resource.bound->may_hold(problem, or_fewer, decision_.effort().steps);
    };
    return may(cpus_) && may(gpus_);
}

/// Where more nodes cannot, limits at the same levels, fewer cannot either.
std::uint64_t Totals::next_holding(const Problem& problem, std::size_t level) const {
    const std::uint64_t step = problem.segmented ? problem.unit_nodes : 1;
    const std::uint64_t alike = OfferedCounts(decision_, level).alike(problem).most;
    const std::uint64_t end =
        (std::min<std::uint64_t>(alike, decision_.request().max_nodes) - problem.nodes) / step;
    const auto lacks = [&](std::uint64_t steps) {
        return !may_hold(decision_.problem(problem.nodes + steps * step, level), true);
    };
    const std::uint64_t steps =
        end == 0 || lacks(end) ? end + 1 : first_failing(std::uint64_t{1}, end, lacks);
    return next_count(decision_.request(), problem.nodes + steps * step);
}

std::optional<Placement> Totals::place(const Problem& problem) {
    Effort& effort = decision_.effort();
    const auto in_doubt = [&](const Resource& resource) {
        return resource.bound && !resource.bound->surely_holds(problem.nodes);
    };
    const bool cpus = in_doubt(cpus_);
    const bool gpus = in_doubt(gpus_);
    const std::uint64_t orders = answers_per_order * (cpus && gpus ? 2 : 1);
    const bool orders_follow = cpus || gpus;
    if (!orders_follow || (effort.pays(1 + orders) && effort.left() >= 2 * price_)) {
        // An order has a quarter of what is left, several five eighths. The last resort is one.
        const std::uint64_t eighths = cpus && gpus ? 3 : orders_follow ? 6 : 8;
        const bool last = effort.last_resort();
        const Temporary resort(
            effort.resort_until,
            std::min(effort.resort_until, orders_follow ? effort.budget : ~std::uint64_t{0}));
        const Temporary part(effort.budget, effort.steps + effort.left() / 8 * eighths);
        const Found found = decision_.solve(problem);
        std::optional<Placement> placement;
        if (found.division) placement = decision_.name_nodes(*found.division);
        if (placement ? sums_of(decision_.state(), placement->nodes).hold(totals_)
                      : found.complete || !last || !orders_follow) {
            decision_.note(found);
            return placement;
        }
    }
    const Mix mix = !gpus ? cpus_.mix : !cpus ? gpus_.mix : mix_of_shares(totals_);
    Try most = try_rich_nodes(mix, orders, problem);
    if (most.outcome == Try::Outcome::open)
        most = !gpus   ? most_of_one(cpus_, problem)
               : !cpus ? most_of_one(gpus_, problem)
                       : most_of_both(problem);
    if (most.outcome == Try::Outcome::held) {
        effort.proven = false;
        return std::move(most.placement);
    }
    if (most.outcome == Try::Outcome::open) effort.complete = false;
    return std::nullopt;
}

/// By the preferences among nodes of which any hold the totals, in little more than a first answer.
/// Nothing follows from a failure: others may hold them, too.
Totals::Try Totals::try_rich_nodes(const Mix& mix, std::uint64_t orders, const Problem& problem) {
    Effort& effort = decision_.effort();
    const Temporary price(effort.first_answer, std::max(decision_.known_price(), price_));
    // The order of a resource is the last resort; it may find nothing where rules of thumb search.
    const bool by_rule_of_thumb = problem.large_segments() || problem.max_base_blocks != 0;
    const std::uint64_t spare = by_rule_of_thumb ? 0 : answers_per_order;
    // Where both are in doubt, nodes are mostly named twice, and nothing comes of it.
    const std::uint64_t own = answers_per_order + (orders > answers_per_order ? 2 : 0);
    if (!effort.pays(own + (effort.last_resort() ? spare : orders))) return {};
    const Temporary by_resource(effort.to_follow, effort.to_follow + orders);
    const Temporary few(effort.budget, effort.budget_of_answers(answers_per_order + orders));
    const NodeSet rich =
        rich_nodes(decision_, values(decision_.state(), mix), value(mix, totals_), problem.nodes);
    effort.steps += decision_.tally().in_blocks();
    State state = decision_.state();
    if (state.idle.empty()) state.idle = state.usable;
    state.usable = rich.view();
    const Decision decision(decision_.topology(), decision_.request(), state, effort);
    const Found found = decision.solve(problem);
    if (!found.division) return {};
    decision_.remember(problem, true);
    const std::vector<std::uint64_t> richest_first = weights_of_lacking(decision_.state(), mix);
    for (const std::span<const std::uint64_t> weight : {state.weight, {richest_first}}) {
        state.weight = weight;
        Placement placement = decision.name_nodes(*found.division, state);
        if (sums_of(decision_.state(), placement.nodes).hold(totals_))
            return {Try::Outcome::held, std::move(placement), {}};
        if (effort.left() == 0) break;
    }
    return {};
}

Totals::Try Totals::attempt(const ResourceOrder& order, const Mix& mix, const Problem& problem) {
    const Found found = order.most(problem);
    price_ = std::max(price_, order.known_price());
    Try result;
    if (!found.division) {
        if (found.complete) result.outcome = Try::Outcome::excluded;
        return result;
    }
    decision_.remember(problem, true);
    result.placement = order.name_nodes(*found.division, order.exact());
    result.sums = sums_of(decision_.state(), result.placement->nodes);
    if (result.sums.hold(totals_))
        result.outcome = Try::Outcome::held;
    else if (found.proven && order.value_of(*result.placement) < value(mix, totals_))
        result.outcome = Try::Outcome::excluded;
    if (result.outcome != Try::Outcome::open || totals_.cpus == 0 || totals_.gpus == 0)
        return result;
    const auto name = [&](auto weight) { return order.name_nodes(*found.division, weight); };
    const std::uint64_t price = steps_to_name * decision_.tally().in_blocks();
    if (std::optional<Placement> held = name_holding(decision_.state(), totals_, result.sums,
                                                     {decision_.effort(), price, name}))
        return {Try::Outcome::held, std::move(held), {}};
    return result;
}

Totals::Try Totals::most_of_one(Resource& resource, const Problem& problem) {
    if (!decision_.effort().may_answer()) return {};
    if (!resource.order) resource.order = std::make_shared<ResourceOrder>(decision_, resource.mix);
    return attempt(*resource.order, resource.mix, problem);
}

/// README.md tells which mixes, one after another ("Totals of CPUs and GPUs").
Totals::Try Totals::most_of_both(const Problem& problem) {
    Effort& effort = decision_.effort();
    if (!both_.order)  // it is kept for all counts
        both_.mix = mix_of_shares(
            {1 + cpus_.bound->slack(problem.nodes), 1 + gpus_.bound->slack(problem.nodes)});
    std::optional<Sums> enough_cpus, enough_gpus;
    Resource between;
    std::uint64_t line = 0;  // what these two count for under the mix between them
    Resource* by = &both_;
    for (int tried = 0; tried == 0 || (tried <= most_mixes && effort.pays(answers_per_order));
         ++tried) {
        const std::uint64_t others =
            tried == 0 && effort.pays(3 * answers_per_order) ? 2 * answers_per_order : 0;
        const Temporary to_follow(effort.to_follow, effort.to_follow + others);
        const Temporary part(effort.budget, effort.budget_of_part(tried == 0 ? 1 : 2));
        const Temporary resort(effort.resort_until, tried == 0 ? effort.resort_until : 0);
        Try found = most_of_one(*by, problem);
        if (found.outcome != Try::Outcome::open || !found.placement) return found;
        const bool cpus = found.sums.cpus >= totals_.cpus, gpus = found.sums.gpus >= totals_.gpus;
        if ((by == &cpus_ && !cpus) || (by == &gpus_ && !gpus)) break;
        if (by == &between && (!(cpus || gpus) || value(between.mix, found.sums) <= line)) break;
        if (cpus) enough_cpus = found.sums;
        if (gpus) enough_gpus = found.sums;
        by = !enough_cpus ? &cpus_ : !enough_gpus ? &gpus_ : &between;
        if (by != &between) continue;
        between.mix = mix_of_shares(
            {enough_cpus->cpus - enough_gpus->cpus, enough_gpus->gpus - enough_cpus->gpus});
        between.order.reset();
        line = std::max(value(between.mix, *enough_cpus), value(between.mix, *enough_gpus));
    }
    return {};
}

}  // namespace nvl72block
