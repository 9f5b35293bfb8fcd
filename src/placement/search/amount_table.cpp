// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/search/amount_table.hpp"

#include <algorithm>

namespace nvl72block {
namespace {

/// A sum of whole costs takes as long as so many steps of other searches.
constexpr std::uint64_t steps_per_sum = 2;

}  // namespace

bool AmountTables::reserve(std::size_t cells) {
    cells_ += cells;
    if (cells_ > most_cells || effort_.left() == 0) ok_ = false;
    return ok_;
}

const AmountTable* AmountTables::of_block(BlockIndex block) {
    if (const auto known = kinds_.find(block); known != kinds_.end()) return &known->second;
    AmountTable table(std::min(tally_.free(0, block), most_.nodes), most_.blocks > 0 ? 1 : 0);
    if (!reserve(table.size())) return nullptr;
    for (std::uint32_t nodes = tally_.required(0, block); nodes <= table.nodes(); ++nodes) {
        ++effort_.steps;
        Cost cost{};
        layout_.add_block(cost, block, nodes);
        table.at(nodes, nodes > 0 ? table.blocks() : 0) = cost;
    }
    return &kinds_.emplace(block, std::move(table)).first->second;
}

std::optional<AmountTables::Children> AmountTables::children_of(std::size_t level,
                                                                std::uint32_t index) {
    Children children;
    for (std::uint32_t child = tally_.first_child(level, index);
         child < tally_.last_child(level, index); ++child) {
        children.push_back(of(level - 1, child));
        if (children.back() == nullptr) return std::nullopt;
    }
    return children;
}

const AmountTable* AmountTables::of(std::size_t level, std::uint32_t index) {
    if (!ok_) return nullptr;
    if (level == 0) return of_block(index);
    const std::optional<Children> children = children_of(level, index);
    if (!children) return nullptr;
    if (inner_.size() <= level) inner_.resize(level + 1);
    if (const auto known = inner_[level].find(*children); known != inner_[level].end())
        return &known->second.table;
    std::vector<AmountTable> joined = join_all(*children);
    if (!ok_ || !reserve(joined.back().size())) return nullptr;
    AmountTable table = joined.back();
    for (std::uint32_t nodes = 1; nodes <= table.nodes(); ++nodes)
        for (std::uint32_t blocks = 0; blocks <= table.blocks(); ++blocks) {
            Cost& cost = table.at(nodes, blocks);
            if (!is_impossible(cost)) layout_.add_aggregate(cost, level, index, nodes);
        }
    return &inner_[level]
                .emplace(*children, Inner{std::move(joined), std::move(table)})
                .first->second.table;
}

AmountTable AmountTables::join(const AmountTable& first, const AmountTable& second,
                               std::uint32_t from_second) {
    AmountTable sum(std::min(first.nodes() + second.nodes(), most_.nodes),
                    std::min(first.blocks() + second.blocks(), most_.blocks));
    if (!reserve(sum.size())) return sum;
    for (std::uint32_t nodes = 0; nodes <= first.nodes() && effort_.left() > 0; ++nodes)
        for (std::uint32_t blocks = 0; blocks <= first.blocks(); ++blocks) {
            const Cost& left = first.at(nodes, blocks);
            if (is_impossible(left)) continue;
            for (std::uint32_t more = from_second;
                 more <= std::min(second.nodes(), sum.nodes() - nodes); ++more)
                for (std::uint32_t used = 0;
                     used <= std::min(second.blocks(), sum.blocks() - blocks); ++used) {
                    effort_.steps += steps_per_sum;
                    const Cost& right = second.at(more, used);
                    if (is_impossible(right)) continue;
                    Cost cost = left;
                    layout_.add(cost, right);
                    Cost& best = sum.at(nodes + more, blocks + used);
                    if (layout_.less(cost, best)) best = cost;
                }
        }
    if (effort_.left() == 0) ok_ = false;
    return sum;
}

std::vector<AmountTable> AmountTables::join_all(const std::vector<const AmountTable*>& parts) {
    std::vector<AmountTable> joined;
    joined.emplace_back(0, 0);
    joined.back().at(0, 0) = Cost{};
    for (const AmountTable* part : parts) {
        if (!ok_) break;
        joined.push_back(join(joined.back(), *part));
    }
    return joined;
}

AmountAt AmountTables::split(const AmountTable& first, const AmountTable& second,
                             const AmountTable& joined, AmountAt at,
                             std::uint32_t from_second) const {
    // Most from the first: lower blocks come before higher ones (preference 6).
    for (AmountAt pick{from_second, 0}; pick.nodes <= std::min(second.nodes(), at.nodes);
         ++pick.nodes) {
        if (at.nodes - pick.nodes > first.nodes()) continue;
        for (pick.blocks = 0; pick.blocks <= std::min(second.blocks(), at.blocks); ++pick.blocks) {
            ++effort_.steps;
            if (at.blocks - pick.blocks > first.blocks()) continue;
            const Cost& left = first.at(at.nodes - pick.nodes, at.blocks - pick.blocks);
            const Cost& right = second.at(pick.nodes, pick.blocks);
            if (is_impossible(left) || is_impossible(right)) continue;
            Cost cost = left;
            layout_.add(cost, right);
            if (cost == joined.at(at.nodes, at.blocks)) return pick;
        }
    }
    return {};
}

std::vector<AmountAt> AmountTables::split_all(const std::vector<const AmountTable*>& parts,
                                              const std::vector<AmountTable>& joined,
                                              AmountAt at) const {
    std::vector<AmountAt> picks(parts.size());
    for (std::size_t i = parts.size(); i-- > 0;) {
        picks[i] = split(joined[i], *parts[i], joined[i + 1], at);
        at = {at.nodes - picks[i].nodes, at.blocks - picks[i].blocks};
    }
    return picks;
}

void AmountTables::read(std::size_t level, std::uint32_t index, AmountAt at,
                        std::vector<Share>& shares) {
    if (at.nodes == 0) return;
    if (level == 0) {
        shares.push_back({index, at.nodes});
        return;
    }
    const std::optional<Children> children = children_of(level, index);
    if (!children) return;
    const std::vector<AmountAt> picks =
        split_all(*children, inner_[level].at(*children).joined, at);
    for (std::size_t i = 0; i < picks.size(); ++i)
        read(level - 1, tally_.first_child(level, index) + static_cast<std::uint32_t>(i), picks[i],
             shares);
}

bool AmountTables::affordable(const std::vector<std::uint32_t>& nodes) const {
    std::uint64_t steps = 0;
    std::uint64_t cells = cells_;
    std::uint64_t sum = 0;
    std::uint64_t parts = 0;
    for (const std::uint32_t most : nodes) {
        const std::uint64_t blocks = std::min<std::uint64_t>(parts++, most_.blocks) + 1;
        const std::uint64_t own = (std::min(most, most_.nodes) + 1U) * (most_.blocks > 0 ? 2U : 1U);
        steps += (sum + 1) * blocks * own * steps_per_sum;
        sum = std::min<std::uint64_t>(sum + most, most_.nodes);
        cells += (sum + 1) * blocks;
    }
    return steps <= effort_.left() && cells <= most_cells;
}

}  // namespace nvl72block
