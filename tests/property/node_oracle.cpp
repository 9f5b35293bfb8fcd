// SPDX-License-Identifier: GPL-2.0-or-later
#include "node_oracle.hpp"

#include <algorithm>
#include <numeric>

namespace nvl72block::oracle {

NodeOracle::NodeOracle(Oracle& rules, const Topology& topology, const Request& request,
                       const State& state)
    : rules_(rules),
      topology_(topology),
      request_(request),
      state_(state),
      heeding_(make_view(true)),
      plain_(make_view(false)) {}

// ---- what a job sees ---------------------------------------------------------------------------

NodeOracle::View NodeOracle::make_view(bool heeds) const {
    View view;
    view.usable = NodeSet(topology_.node_count());
    state_.usable.for_each([&](NodeIndex node) {
        const bool outside = topology_.block_of(node) == no_block;
        if (!heeds || topology_.islands() == nullptr || outside ||
            topology_.islands()->island_of[node] != no_island)
            view.usable.set(node);
    });
    request_.required.for_each([&](NodeIndex node) {
        view.required_usable = view.required_usable && view.usable.test(node);
    });
    State narrowed = state_;
    narrowed.usable = view.usable;
    view.facts.emplace(topology_, request_, narrowed);
    view.items = make_items(view, heeds);
    return view;
}

std::vector<NodeOracle::Item> NodeOracle::make_items(const View& view, bool heeds) const {
    std::vector<Item> items;
    const bool totals = request_.cpus > 0 || request_.gpus > 0;
    const auto key = [&](NodeIndex node) {
        const auto value = [&](auto values) { return values.empty() ? 0 : values[node]; };
        const std::uint32_t island =
            heeds && topology_.islands() != nullptr ? topology_.islands()->island_of[node] : 0;
        // Where nothing but the weight differs, the order of the page is best.
        return totals ? std::tuple(island, request_.required.test(node), value(state_.weight),
                                   value(state_.cpus), value(state_.gpus))
                      : std::tuple(island, false, std::uint64_t{0}, 0U, 0U);
    };
    for (BlockIndex block = 0; block < topology_.block_count(); ++block) {
        std::vector<NodeIndex> nodes = view.facts->order[block];
        std::ranges::stable_sort(nodes, {}, key);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (i == 0 || key(nodes[i]) != key(nodes[i - 1]))
                items.push_back({block, std::get<0>(key(nodes[i])), 0, {}});
            items.back().nodes.push_back(nodes[i]);
            items.back().least += request_.required.test(nodes[i]) ? 1 : 0;
        }
    }
    return items;
}

const NodeOracle::View& NodeOracle::view_for(std::uint32_t nodes) const {
    return topology_.islands() != nullptr && heeds_islands(request_, nodes) ? heeding_ : plain_;
}

std::uint32_t NodeOracle::smallest_count() const {
    const std::uint32_t size = request_.segment_size;
    if (size == 0 || request_.min_nodes <= size) return request_.min_nodes;
    return (request_.min_nodes + size - 1) / size * size;
}

Rank NodeOracle::rank_of(const Placement& placement) const {
    return rank(*view_for(placement.nodes.count()).facts, topology_, request_, placement);
}

// ---- the counts of a request -------------------------------------------------------------------

std::optional<NodeOptimum> NodeOracle::solve() {
    const Facts& facts = *plain_.facts;
    if (request_.min_nodes == 0 || request_.min_nodes > request_.max_nodes) return std::nullopt;
    if (!facts.required_usable) return std::nullopt;
    if (facts.required_outside == 0)
        if (auto best = request_.sized_by_totals ? solve_sized() : solve_range()) return best;
    const bool required_inside = request_.required.count() > facts.required_outside;
    return request_.segment_size > 0 || required_inside ? std::nullopt : solve_outside();
}

std::optional<NodeOptimum> NodeOracle::solve_range() {
    for (std::uint32_t nodes = std::min(request_.max_nodes, plain_.facts->inside());
         nodes >= request_.min_nodes; --nodes)
        if (auto rank = best_of(nodes, std::nullopt)) return NodeOptimum{nodes, false, *rank};
    return std::nullopt;
}

/// The fewest nodes, at the smallest level that can; segments need no common block.
std::optional<NodeOptimum> NodeOracle::solve_sized() {
    const std::uint32_t most = std::min(request_.max_nodes, plain_.facts->inside());
    const std::size_t levels = request_.segment_size > 0 ? 0 : plain_.facts->shape.whole();
    for (std::size_t level = 0; level <= levels; ++level)
        for (std::uint32_t nodes = request_.min_nodes; nodes <= most; ++nodes) {
            const std::size_t least = plain_.facts->shape.level_for(nodes);
            const bool any = request_.segment_size == 0 && least < level;
            if (request_.segment_size == 0 && least > level) break;
            if (auto rank = best_of(nodes, any ? std::optional(level) : std::nullopt))
                return NodeOptimum{nodes, false, *rank};
        }
    return std::nullopt;
}

// ---- nodes in no block -------------------------------------------------------------------------

bool NodeOracle::outside_holds(std::uint32_t nodes) const {
    const std::vector<NodeIndex>& all = plain_.facts->outside;
    const std::uint32_t required = plain_.facts->required_outside;
    for (std::uint32_t choice = 0; choice < 1U << all.size(); ++choice) {
        std::vector<NodeIndex> chosen;
        for (std::size_t i = 0; i < all.size(); ++i)
            if ((choice >> i & 1U) != 0) chosen.push_back(all[i]);
        // The required ones come first in `all`.
        const bool takes_required = (choice & ((1U << required) - 1)) == (1U << required) - 1;
        if (chosen.size() == nodes && takes_required && holds_totals(request_, state_, chosen))
            return true;
    }
    return false;
}

std::optional<NodeOptimum> NodeOracle::solve_outside() const {
    const auto all = static_cast<std::uint32_t>(plain_.facts->outside.size());
    std::optional<NodeOptimum> best;
    for (std::uint32_t nodes = request_.min_nodes; nodes <= std::min(request_.max_nodes, all);
         ++nodes) {
        if (!outside_holds(nodes)) continue;
        best = NodeOptimum{nodes, true, {}};
        if (request_.sized_by_totals) break;
    }
    return best;
}

// ---- the search --------------------------------------------------------------------------------

std::optional<Rank> NodeOracle::best_of(std::uint32_t nodes, std::optional<std::size_t> level) {
    view_ = &view_for(nodes);
    level_ = level;
    best_.reset();
    if (!view_->required_usable) return std::nullopt;
    taken_.assign(view_->items.size(), 0);
    of_block_.assign(topology_.block_count(), 0);
    chosen_.clear();
    enumerate(0, nodes);
    return best_;
}

void NodeOracle::enumerate(std::size_t item, std::uint32_t rest) {
    if (item == view_->items.size()) {
        if (rest == 0 && legal()) judge();
        return;
    }
    const Item& at = view_->items[item];
    const std::size_t before = chosen_.size();
    const auto most = std::min(rest, static_cast<std::uint32_t>(at.nodes.size()));
    for (std::uint32_t nodes = 0; nodes <= most; ++nodes) {
        if (nodes > 0) {
            chosen_.push_back(at.nodes[nodes - 1]);
            ++of_block_[at.block];
        }
        taken_[item] = nodes;
        if (nodes >= at.least) enumerate(item + 1, rest - nodes);
    }
    of_block_[at.block] -= most;
    taken_[item] = 0;
    chosen_.resize(before);
}

bool NodeOracle::legal() {
    const auto nodes = static_cast<std::uint32_t>(chosen_.size());
    if (!holds_totals(request_, state_, chosen_)) return false;
    if (topology_.islands() != nullptr && heeds_islands(request_, nodes) && !islands_allow(nodes))
        return false;
    if (!level_) return rules_.legal(of_block_, request_);
    std::vector<std::uint32_t> used;
    for (std::uint32_t block = 0; block < of_block_.size(); ++block)
        if (of_block_[block] > 0) used.push_back(block);
    return in_one_block(rules_.shape(), used, *level_) &&
           (request_.max_base_blocks == 0 || used.size() <= request_.max_base_blocks);
}

/// The page's section on cliques: a segment, and a plain job, of 2 to b nodes lies in one island.
bool NodeOracle::islands_allow(std::uint32_t nodes) const {
    const std::uint32_t planning = rules_.shape().planning;
    const std::uint32_t size = request_.segment_size;
    const bool cut = size > 0 && nodes > size;
    if (cut && size > planning) return false;
    std::map<std::pair<BlockIndex, std::uint32_t>, std::uint32_t> of_island;
    for (std::size_t i = 0; i < taken_.size(); ++i)
        if (taken_[i] > 0) of_island[{view_->items[i].block, view_->items[i].island}] += taken_[i];
    if (!cut) return nodes > planning || of_island.size() == 1;
    return std::ranges::all_of(of_island, [&](const auto& one) { return one.second % size == 0; });
}

void NodeOracle::judge() {
    Placement placement;
    placement.nodes = NodeSet(topology_.node_count());
    for (const NodeIndex node : chosen_) placement.nodes.set(node);
    Rank rank = oracle::rank(*view_->facts, topology_, request_, placement);
    if (!best_ || better(rank, *best_)) best_ = std::move(rank);
}

}  // namespace nvl72block::oracle
