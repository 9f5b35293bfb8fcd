// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/greedy_search.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

#include "placement/preference/taken_nodes.hpp"
#include "placement/search/slot_keeping.hpp"
#include "placement/state/bisect.hpp"

namespace nvl72block {
namespace {

/// An offer is read, sorted, chosen and shared out for three candidates.
constexpr std::uint64_t steps_per_offer = 12;
/// Steps per base block up to which every order is tried, whatever the budget is.
constexpr std::uint64_t steps_of_all_orders = 256;

/// Of the sizes at `next` to `end`, which descend: where the smallest is that still holds `rest`,
/// the first of equal ones; `next` if none does.
template <typename Size>
std::size_t tightest(std::size_t next, std::size_t end, std::uint64_t rest, Size size) {
    const auto holds = [&](std::size_t at) { return size(at) >= rest; };
    const std::size_t below = first_failing(next, end, holds);
    return first_failing(next, below, [&](auto at) { return size(at) > size(below - 1); });
}

class GreedySearch {
  public:
    GreedySearch(const CostLayout& layout, const Problem& problem, Effort& effort)
        : tally_(layout.tally()), layout_(layout), problem_(problem), effort_(effort) {}

    std::optional<Division> run() {
        for (scope_ = 0; scope_ < tally_.vertices(problem_.scope_level); ++scope_)
            if (may_lie_in(tally_, problem_, scope_)) look_into_scope();
        if (best_.empty()) return std::nullopt;
        Division division;
        division.cost = cost_;
        append_segments(division, best_, problem_.segmented ? problem_.unit_nodes : problem_.nodes);
        return division;
    }

  private:
    using Positions = std::vector<std::uint32_t>;  // into offers_

    /// What a candidate goes by: slots in base blocks are kept; whole blocks stay whole; as many
    /// light nodes as possible; whatever is largest.
    enum class Order { slots_last, whole_last, lightest_first, largest_first };

    [[nodiscard]] bool has_weights() const { return tally_.weight_classes().size() > 1; }

    [[nodiscard]] std::uint64_t sum_of(std::uint32_t FillOffer::*amount) const {
        std::uint64_t sum = 0;
        for (const FillOffer& offer : offers_) sum += offer.*amount;
        return sum;
    }
    /// Positions in offers_ of the base blocks of a vertex.
    [[nodiscard]] Vertices positions(std::size_t level, std::uint32_t index) const {
        const auto [first, last] = tally_.blocks(level, index);
        return {first - first_, last - first_};
    }
    /// Vertices of `level` inside the scope.
    [[nodiscard]] Vertices inside(std::size_t level) const {
        return tally_.below(problem_.scope_level, scope_, level);
    }

    /// Proposes ways to take problem.units units, each in one base block of the scope; none when
    /// the scope cannot hold them.
    void look_into_scope() {
        if (problem_.scope_level == 0) return propose_block();
        units_ = {};
        bool found = false;
        for (const Order order :
             {Order::slots_last, Order::whole_last, Order::lightest_first, Order::largest_first}) {
            const bool late = effort_.steps > steps_of_all_orders * tally_.vertices(0);
            const bool spent = late && effort_.left() == 0;
            const bool keeps = !tally_.slots().empty() && !tally_.slots()[0].empty() &&
                               !(late && effort_.left() < SlotKeeping::steps(problem_.units));
            if (order == Order::slots_last && !keeps) continue;
            const bool limits =
                must_limit() || (problem_.max_base_blocks != 0 && !(found && spent));
            if (order == Order::lightest_first && !(has_weights() && limits)) continue;
            if (order == Order::largest_first && found && (spent || !few_blocks_first())) continue;
            collect_offers();
            effort_.steps += offers_.size() * steps_per_offer;
            if (!limit_lower_blocks(order)) return;
            if (order == Order::lightest_first) limit_base_blocks();
            if (!holds_units()) continue;
            if (order != Order::largest_first && has_weights()) force_lightest();
            for (FillOffer& offer : offers_) {
                offer.slack = std::min(offer.slack, offer.most);
                offer.allowed = offer.most;
            }
            if (order == Order::slots_last)
                SlotKeeping(layout_, problem_, first_, offers_, effort_.steps).run();
            else if (order != Order::largest_first)
                open_whole_blocks();
            found = propose_different_choices() || found;
        }
    }

    /// Where the scope is a base block there is nothing to choose.
    void propose_block() {
        ++effort_.steps;
        const UnitRange range = block_range(tally_, problem_, scope_);
        if (range.least <= problem_.units && problem_.units <= range.most)
            propose({{scope_, problem_.units * problem_.unit_nodes}});
    }

    void collect_offers() {
        first_ = inside(0).first;
        offers_.clear();
        for (const BlockIndex block : inside(0)) {
            const UnitRange range = block_range(tally_, problem_, block);
            FillOffer offer;
            offer.forced = range.least;
            offer.most = offer.slack = range.most;
            if (tally_.whole(0, block))
                offer.slack = std::min(offer.most, tally_.spare(block) / problem_.unit_nodes);
            offers_.push_back(offer);
        }
    }

    /// Whether the scope has more vertices of the limited level than may be used. Otherwise the
    /// order that prefers light ones among them finds what whole_last finds.
    [[nodiscard]] bool must_limit() const {
        if (problem_.limit == 0) return false;
        return inside(problem_.limited_level).size() > problem_.limit;
    }

    /// Keeps at most problem_.limit vertices of the limited level: those with required nodes, then
    /// the first ones by `order`; then, as long as they do not suffice, the largest other one for
    /// the smallest. False when even the largest do not hold the job.
    bool limit_lower_blocks(Order order) {
        if (!must_limit()) return true;
        const std::size_t level = problem_.limited_level;
        const auto free = [&](std::uint32_t vertex) { return tally_.free(level, vertex); };
        const auto whole = [&](std::uint32_t vertex) { return tally_.whole(level, vertex); };
        const auto light = [&](std::uint32_t vertex) { return tally_.lightest(level, vertex); };
        std::vector<std::uint32_t> chosen;
        std::vector<std::uint32_t> others;
        for (const std::uint32_t vertex : inside(level))
            (tally_.required(level, vertex) > 0 ? chosen : others).push_back(vertex);
        const std::size_t required = chosen.size();
        if (required > problem_.limit) return false;
        std::ranges::stable_sort(others, std::greater{}, free);
        std::vector<std::uint32_t> ranked = others;
        if (order == Order::whole_last || order == Order::slots_last)
            std::ranges::stable_sort(ranked, std::less{}, whole);
        if (order == Order::lightest_first) std::ranges::stable_sort(ranked, std::greater{}, light);
        ranked.resize(std::min(problem_.limit - required, ranked.size()));
        std::ranges::stable_sort(ranked, std::greater{}, free);
        chosen.insert(chosen.end(), ranked.begin(), ranked.end());
        std::vector<std::uint8_t> kept(tally_.vertices(level));
        std::uint64_t total = 0;
        for (const std::uint32_t vertex : chosen) {
            kept[vertex] = 1;
            total += free(vertex);
        }
        for (const std::uint32_t next : others) {
            if (total >= problem_.nodes || chosen.size() == required) break;
            if (kept[next] != 0) continue;
            if (free(next) <= free(chosen.back())) break;
            total += free(next) - free(chosen.back());
            kept[next] = 1;
            kept[chosen.back()] = 0;
            chosen.pop_back();
        }
        for (const std::uint32_t vertex : inside(level))
            if (kept[vertex] == 0)
                for (const std::uint32_t i : positions(level, vertex)) offers_[i] = {};
        return total >= problem_.nodes;
    }

    /// Within max_base_blocks: keeps those that have the lightest nodes if each gives the same
    /// number of nodes, besides those with required nodes.
    void limit_base_blocks() {
        if (problem_.max_base_blocks == 0) return;
        const std::uint32_t share = (problem_.nodes - 1) / problem_.max_base_blocks + 1;
        const auto classes = tally_.weight_classes();
        std::vector<std::tuple<bool, std::uint64_t, std::uint32_t>> ranked;
        for (std::uint32_t i = 0; i < offers_.size(); ++i) {
            if (offers_[i].most == 0) continue;
            std::uint32_t rest = share;
            std::uint64_t weight = 0;
            for (std::size_t c = 0; c < classes.size(); ++c) {
                const std::uint32_t given = std::min(rest, tally_.class_offers(first_ + i)[c].free);
                weight += classes[c] * given;
                rest -= given;
            }
            ranked.emplace_back(offers_[i].forced == 0, weight + classes.back() * rest, i);
        }
        effort_.steps += ranked.size() * classes.size() / 2;
        std::ranges::sort(ranked);
        for (std::size_t at = problem_.max_base_blocks; at < ranked.size(); ++at)
            if (const auto& [optional, weight, i] = ranked[at]; optional) offers_[i] = {};
    }

    /// Whether the job fits between what the offers must give and what they can.
    [[nodiscard]] bool holds_units() const {
        for (const FillOffer& offer : offers_)
            if (offer.forced > offer.most) return false;
        return sum_of(&FillOffer::forced) <= problem_.units &&
               problem_.units <= sum_of(&FillOffer::most);
    }

    /// The weight of every unit that the offers may give beyond what they must.
    struct Units {
        std::size_t words = 0;                 // of a weight
        std::vector<std::uint64_t> weights;    // of each unit
        std::vector<std::uint32_t> positions;  // of its offer
    };

    /// The same in every order: a limit on blocks leaves an offer as it is, or none of it.
    [[nodiscard]] const Units& unit_weights() {
        if (!units_.positions.empty()) return units_;
        units_.words = layout_.weight_words();
        for (std::uint32_t position = 0; position < offers_.size(); ++position) {
            const UnitRange range = block_range(tally_, problem_, first_ + position);
            if (range.least >= range.most) continue;
            layout_.append_unit_weights(units_.weights, first_ + position,
                                        range.least * problem_.unit_nodes, problem_.unit_nodes,
                                        range.most - range.least);
            units_.positions.resize(units_.weights.size() / units_.words, position);
        }
        effort_.steps +=
            units_.positions.size() * (units_.words + tally_.weight_classes().size() / 4);
        return units_;
    }

    /// With several node weights: units lighter than the heaviest one that is needed are taken in
    /// any case, heavier ones not at all.
    void force_lightest() {
        if (problem_.unit_nodes == 1 && !island_rule(problem_).holds && !problem_.spread)
            return force_lightest_nodes();
        const Units& all = unit_weights();
        std::uint64_t wanted = problem_.units;
        for (const FillOffer& offer : offers_)
            wanted -= std::min<std::uint64_t>(wanted, offer.forced);
        if (wanted == 0) return;
        const auto lighter = [&](std::uint32_t a, std::uint32_t b) {
            const std::uint64_t* x = &all.weights[a * all.words];
            const std::uint64_t* y = &all.weights[b * all.words];
            if (*x != *y) return *x < *y;
            return std::lexicographical_compare(x + 1, x + all.words, y + 1, y + all.words);
        };
        std::vector<std::uint32_t> units;
        for (std::uint32_t unit = 0; unit < all.positions.size(); ++unit)
            if (offers_[all.positions[unit]].most > 0) units.push_back(unit);
        effort_.steps += units.size() * all.words;
        const auto heaviest = units.begin() + static_cast<long>(wanted - 1);
        std::nth_element(units.begin(), heaviest, units.end(), lighter);
        const std::uint32_t limit = *heaviest;
        for (FillOffer& offer : offers_) offer.most = offer.forced;
        for (const std::uint32_t unit : units) {
            FillOffer& offer = offers_[all.positions[unit]];
            if (lighter(limit, unit)) continue;
            ++offer.most;
            if (lighter(unit, limit)) ++offer.forced;
        }
    }

    /// The same where a unit is a node: then counts by class tell.
    void force_lightest_nodes() {
        std::uint64_t wanted = problem_.units;
        const std::size_t classes = tally_.weight_classes().size();
        std::vector<std::uint64_t> free(classes);  // nodes that may be chosen
        for (std::uint32_t i = 0; i < offers_.size(); ++i) {
            if (offers_[i].most == 0) continue;
            wanted -= std::min<std::uint64_t>(wanted, offers_[i].forced);
            for (std::size_t c = 0; c < classes; ++c)
                free[c] += tally_.class_offers(first_ + i)[c].optional();
        }
        std::size_t limit = 0;  // the heaviest class that is needed
        while (limit + 1 < classes && free[limit] < wanted) wanted -= free[limit++];
        for (std::uint32_t i = 0; i < offers_.size(); ++i) {
            FillOffer& offer = offers_[i];
            if (offer.most == 0) continue;
            for (std::size_t c = 0; c < limit; ++c)
                offer.forced += tally_.class_offers(first_ + i)[c].optional();
            offer.most = offer.forced + tally_.class_offers(first_ + i)[limit].optional();
        }
    }

    /// Whether the job prefers few base blocks, or little waste in them, to whole blocks.
    [[nodiscard]] bool few_blocks_first() const {
        for (const Component& component : layout_.components())
            if (component.kind > Component::Kind::demand)
                return component.kind != Component::Kind::broken;
        return true;
    }

    /// Level by level: closes every whole block outside those kept already, then opens as few as
    /// the job needs.
    void open_whole_blocks() {
        struct Candidate {
            std::uint64_t gain;
            Vertices positions;
        };
        std::uint64_t total = sum_of(&FillOffer::allowed);
        std::vector<std::uint8_t> kept(offers_.size());
        for (std::size_t level = problem_.scope_level; level-- > 0;) {
            std::vector<Candidate> candidates;
            for (const std::uint32_t vertex : inside(level)) {
                if (!tally_.whole(level, vertex)) continue;
                Candidate candidate{0, positions(level, vertex)};
                bool closed = kept[candidate.positions.first] == 0;
                for (const std::uint32_t i : candidate.positions) {
                    closed = closed && offers_[i].forced <= offers_[i].slack;
                    candidate.gain += offers_[i].most - offers_[i].slack;
                }
                if (!closed || candidate.gain == 0) continue;
                total -= candidate.gain;
                candidates.push_back(candidate);
            }
            std::ranges::stable_sort(candidates, std::greater{}, &Candidate::gain);
            const auto gain = [&](std::size_t at) { return candidates[at].gain; };
            std::size_t next = 0;
            for (; total < problem_.units; ++next) {
                const std::uint64_t rest = problem_.units - total;
                std::swap(candidates[next],
                          candidates[tightest(next, candidates.size(), rest, gain)]);
                total += candidates[next].gain;
            }
            for (; next < candidates.size(); ++next)
                for (const std::uint32_t i : candidates[next].positions) {
                    offers_[i].allowed = offers_[i].slack;
                    kept[i] = 1;
                }
        }
    }

    /// The fewest offers that hold `rest` units: the largest, the last one the tightest. Here and
    /// below `others` are those that need not give anything, the largest first.
    [[nodiscard]] Positions largest_first(const Positions& others, std::uint64_t rest) const {
        Positions chosen;
        for (std::size_t next = 0; next < others.size() && rest > 0; ++next) {
            const std::size_t pick = tightest(next, others.size(), rest, [&](std::size_t at) {
                return offers_[others[at]].allowed;
            });
            rest -= std::min<std::uint64_t>(rest, offers_[others[pick]].allowed);
            chosen.push_back(others[pick]);
        }
        return chosen;
    }

    /// As few vertices as largest_first, but the run of like-sized ones that leaves the least over.
    [[nodiscard]] Positions smallest_window(const Positions& others, std::uint64_t rest) const {
        const auto allowed = [&](std::size_t at) { return offers_[others[at]].allowed; };
        std::uint64_t total = 0;
        std::size_t width = 0;
        while (width < others.size() && total < rest) total += allowed(width++);
        if (width == 0) return {};
        std::size_t begin = 0;
        while (begin + width < others.size()) {
            const std::uint64_t next = total - allowed(begin) + allowed(begin + width);
            if (next < rest) break;
            total = next;
            ++begin;
        }
        // Among equals at the window's front, the lowest indices.
        while (begin > 0 && allowed(begin - 1) == allowed(begin + width - 1)) --begin;
        const auto from = others.begin() + static_cast<long>(begin);
        return {from, from + static_cast<long>(width)};
    }

    /// Top down in a vertex: the fewest blocks of each level, the last one the tightest. `before`
    /// as allowed_before() has it.
    void fewest_aggregates(std::size_t level, std::uint32_t index,
                           const std::vector<std::uint64_t>& before, std::uint64_t& rest,
                           Positions& chosen) const {
        if (rest == 0) return;
        if (level == 0) {
            const std::uint32_t position = index - first_;
            if (offers_[position].forced > 0 || offers_[position].allowed == 0) return;
            chosen.push_back(position);
            rest -= std::min<std::uint64_t>(rest, offers_[position].allowed);
            return;
        }
        std::vector<std::pair<std::uint64_t, std::uint32_t>> children;  // allowed, vertex
        children.reserve(tally_.children(level, index).size());
        for (const std::uint32_t child : tally_.children(level, index)) {
            const auto [from, to] = positions(level - 1, child);
            if (before[to] > before[from]) children.emplace_back(before[to] - before[from], child);
        }
        std::ranges::sort(children, std::less{},
                          [](const auto& each) { return std::pair(~each.first, each.second); });
        for (std::size_t next = 0; next < children.size() && rest > 0; ++next) {
            const std::size_t pick = tightest(next, children.size(), rest,
                                              [&](std::size_t at) { return children[at].first; });
            std::rotate(children.begin() + static_cast<long>(next),
                        children.begin() + static_cast<long>(pick),
                        children.begin() + static_cast<long>(pick) + 1);
            fewest_aggregates(level - 1, children[next].second, before, rest, chosen);
        }
    }

    /// Each chosen vertex gives at least one unit and what is forced; the rest is spread evenly.
    void spread_evenly(const Positions& chosen) {
        const auto given = [&](std::uint32_t i, std::uint32_t level) {
            return std::clamp(level, std::max(1U, offers_[i].forced), offers_[i].allowed);
        };
        const auto sum_at = [&](std::uint32_t level) {
            std::uint64_t sum = 0;
            for (const std::uint32_t i : chosen) sum += given(i, level);
            return sum;
        };
        std::uint32_t highest = 0;
        for (const std::uint32_t i : chosen) highest = std::max(highest, offers_[i].allowed);
        const auto enough = [&](std::uint32_t above) {
            return sum_at(above + 1) <= problem_.units;
        };
        // The highest one that does not give too much.
        const std::uint32_t level = first_failing(0U, highest, enough);
        std::uint64_t rest =
            problem_.units - std::min<std::uint64_t>(problem_.units, sum_at(level));
        for (const std::uint32_t i : chosen) {
            offers_[i].given = given(i, level);
            if (rest == 0 || offers_[i].given != level || level == offers_[i].allowed) continue;
            ++offers_[i].given;
            --rest;
        }
    }

    /// Each chosen vertex gives at least one unit and what is forced; the largest give all they
    /// have.
    void spread_unevenly(Positions chosen) {
        std::uint32_t rest = problem_.units;
        for (const std::uint32_t i : chosen) {
            offers_[i].given = std::max(1U, offers_[i].forced);
            rest -= std::min(rest, offers_[i].given);
        }
        std::ranges::stable_sort(chosen, std::greater{},
                                 [&](std::uint32_t i) { return offers_[i].allowed; });
        for (const std::uint32_t i : chosen) {
            const std::uint32_t more = std::min(rest, offers_[i].allowed - offers_[i].given);
            offers_[i].given += more;
            rest -= more;
        }
    }

    /// By position, and one for all: what the offers before it need not give, but may.
    [[nodiscard]] std::vector<std::uint64_t> allowed_before() const {
        std::vector<std::uint64_t> before(offers_.size() + 1);
        for (std::size_t i = 0; i < offers_.size(); ++i)
            before[i + 1] = before[i] + (offers_[i].forced > 0 ? 0 : offers_[i].allowed);
        return before;
    }

    /// The choices for the offers as they are; often they are the same. False if none is possible.
    bool propose_different_choices() {
        Positions forced;
        Positions others;
        std::uint64_t rest = problem_.units;  // that the forced ones cannot give
        for (std::uint32_t i = 0; i < offers_.size(); ++i) {
            if (offers_[i].forced > 0) {
                forced.push_back(i);
                rest -= std::min<std::uint64_t>(rest, offers_[i].allowed);
            } else if (offers_[i].allowed > 0) {
                others.push_back(i);
            }
        }
        std::ranges::stable_sort(others, std::greater{},
                                 [&](std::uint32_t i) { return offers_[i].allowed; });
        std::array choices{largest_first(others, rest), smallest_window(others, rest), Positions{}};
        fewest_aggregates(problem_.scope_level, scope_, allowed_before(), rest, choices.back());
        bool possible = false;
        for (auto choice = choices.begin(); choice != choices.end(); ++choice) {
            choice->insert(choice->end(), forced.begin(), forced.end());
            std::ranges::sort(*choice);
            if (std::find(choices.begin(), choice, *choice) == choice)
                possible = propose_choice(*choice) || possible;
        }
        return possible;
    }

    /// `chosen` ascend.
    bool propose_choice(const Positions& chosen) {
        if (chosen.empty() || chosen.size() > problem_.units) return false;
        std::uint64_t total = 0;
        for (const std::uint32_t i : chosen) total += offers_[i].allowed;
        if (total < problem_.units) return false;
        if (problem_.max_base_blocks != 0 && chosen.size() > problem_.max_base_blocks) return false;
        if (layout_.keeps_slots())
            spread_unevenly(chosen);
        else
            spread_evenly(chosen);
        std::vector<Share> shares;
        for (const std::uint32_t i : chosen)
            shares.push_back({first_ + i, offers_[i].given * problem_.unit_nodes});
        propose(std::move(shares));
        return true;
    }

    void propose(std::vector<Share> shares) {
        const Cost cost = cost_of_taken(layout_, tally_.whole_level(), shares);
        effort_.steps += shares.size() * (layout_.words() + tally_.weight_classes().size());
        if (!layout_.less(cost, cost_)) return;
        cost_ = cost;
        best_ = std::move(shares);
    }

    const Tally& tally_;
    const CostLayout& layout_;
    const Problem& problem_;
    Effort& effort_;
    std::uint32_t scope_ = 0;
    BlockIndex first_ = 0;           // of offers_[0]
    std::vector<FillOffer> offers_;  // of the base blocks in the scope
    Units units_;                    // of the scope; made when first asked for
    std::vector<Share> best_;        // of all scopes so far
    Cost cost_ = impossible_cost();
};

}  // namespace

std::optional<Division> search_greedily(const CostLayout& layout, const Problem& problem,
                                        Effort& effort) {
    return GreedySearch(layout, problem, effort).run();
}

}  // namespace nvl72block
