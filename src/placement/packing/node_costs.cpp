// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/node_costs.hpp"

#include <algorithm>

namespace nvl72block {
namespace {

/// A sum of costs takes as long as so many steps of other searches.
constexpr std::uint64_t steps_per_sum = 2;

}  // namespace

void AmountTables::note(const LabelTable& table) {
    bytes_ += table.bytes();
    if (bytes_ > room_for_tables(tally_) || effort_.left() == 0) ok_ = false;
}

LabelTable AmountTables::nothing() const {
    LabelTable table;
    table.reserve(1, layout_.words());
    static constexpr Cost none{};
    table.append({}, 0, none.data());
    table.seal();
    return table;
}

const LabelTable* AmountTables::of_block(BlockIndex block) {
    if (const auto known = kinds_.find(block); known != kinds_.end()) return &known->second;
    const std::uint32_t most = std::min(tally_.free(0, block), most_.units);
    LabelTable table;
    table.reserve(most + 1U, layout_.words());
    for (std::uint32_t nodes = tally_.required(0, block); nodes <= most; ++nodes) {
        ++effort_.steps;
        Cost cost{};
        layout_.add_block(cost, block, nodes);
        table.append({nodes, 0, nodes > 0 && most_.blocks > 0 ? 1U : 0U}, 0, cost.data());
    }
    table.seal();
    note(table);
    return ok_ ? &kinds_.emplace(block, std::move(table)).first->second : nullptr;
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

const LabelTable* AmountTables::of(std::size_t level, std::uint32_t index) {
    if (!ok_) return nullptr;
    if (level == 0) return of_block(index);
    const std::optional<Children> children = children_of(level, index);
    if (!children) return nullptr;
    if (inner_.size() <= level) inner_.resize(level + 1);
    if (const auto known = inner_[level].find(*children); known != inner_[level].end())
        return &known->second.table;
    std::vector<LabelTable> joined = join_all(*children);
    if (!ok_) return nullptr;
    const LabelTable& sums = joined.back();
    LabelTable table;
    table.reserve(sums.size(), layout_.words());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        Cost cost{};
        std::copy_n(sums.cost(i), layout_.words(), cost.begin());
        layout_.add_aggregate(cost, level, index, sums.key(i).units);
        table.append(sums.key(i), 0, cost.data());
    }
    table.seal();
    note(table);
    if (!ok_) return nullptr;
    return &inner_[level]
                .emplace(*children, Inner{std::move(joined), std::move(table)})
                .first->second.table;
}

LabelTable AmountTables::join(const LabelTable& first, const LabelTable& second,
                              std::uint32_t from_second) {
    const std::uint32_t most = std::min(first.most_units() + second.most_units(), most_.units);
    collector_.start({}, {most, 0, most_.blocks});
    for (std::size_t i = 0; i < first.size() && effort_.left() > 0; ++i) {
        const LabelKey& a = first.key(i);
        if (a.units > most) break;
        const auto [begin, end] = second.with_units(from_second, most - a.units);
        effort_.steps += (end - begin) * steps_per_sum;
        for (std::size_t j = begin; j < end; ++j) {
            const LabelKey& b = second.key(j);
            if (a.blocks + b.blocks > most_.blocks) continue;
            collector_.add({a.units + b.units, 0, a.blocks + b.blocks}, 0, first.cost(i),
                           second.cost(j));
        }
    }
    LabelTable sum = collector_.finish();
    note(sum);
    return sum;
}

std::vector<LabelTable> AmountTables::join_all(const std::vector<const LabelTable*>& parts) {
    std::vector<LabelTable> joined{nothing()};
    for (const LabelTable* part : parts) {
        if (!ok_) break;
        joined.push_back(join(joined.back(), *part));
    }
    return joined;
}

std::vector<LabelKey> AmountTables::split_all(const std::vector<const LabelTable*>& parts,
                                              const std::vector<LabelTable>& joined,
                                              LabelKey amount) const {
    std::vector<LabelKey> given(parts.size());
    for (std::size_t i = parts.size(); i-- > 0;) {
        const LabelKey left = left_of_sum(joined[i], *parts[i], joined[i + 1], amount);
        effort_.steps += parts[i]->size();
        given[i] = amount - left;
        amount = left;
    }
    return given;
}

void AmountTables::read(std::size_t level, std::uint32_t index, const LabelKey& amount,
                        std::vector<Share>& shares) {
    if (amount.units == 0) return;
    if (level == 0) {
        shares.push_back({index, amount.units});
        return;
    }
    const std::optional<Children> children = children_of(level, index);
    if (!children) return;
    const std::vector<LabelKey> given =
        split_all(*children, inner_[level].at(*children).joined, amount);
    for (std::size_t i = 0; i < given.size(); ++i)
        read(level - 1, tally_.first_child(level, index) + static_cast<std::uint32_t>(i), given[i],
             shares);
}

bool AmountTables::has_room(std::uint64_t labels) const {
    return bytes_ + labels * (layout_.words() + 3) * sizeof(std::uint64_t) <=
           room_for_tables(tally_);
}

bool AmountTables::affordable(const std::vector<std::uint32_t>& nodes) const {
    std::uint64_t steps = 0;
    std::uint64_t labels = 0;
    std::uint64_t sum = 0;
    std::uint64_t parts = 0;
    for (const std::uint32_t most : nodes) {
        const std::uint64_t blocks = std::min<std::uint64_t>(parts++, most_.blocks) + 1;
        const std::uint64_t own = std::min(most, most_.units) + 1U;
        steps += (sum + 1) * blocks * own * steps_per_sum;
        sum = std::min<std::uint64_t>(sum + most, most_.units);
        labels += (sum + 1) * blocks;
    }
    return steps <= effort_.left() && has_room(labels);
}

}  // namespace nvl72block
