// SPDX-License-Identifier: GPL-2.0-or-later
//
// The best way to give segments from few different parts, by all sets of the parts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "placement/packing/packing.hpp"
#include "placement/packing/part_groups.hpp"
#include "placement/packing/part_sets.hpp"
#include "placement/search/label_table.hpp"
#include "placement/state/word_sums.hpp"

namespace nvl72block {

/// Groups, and what they take from their parts: group by group, in the order of PartGroup::parts.
struct ChosenGroups {
    PartGroups groups;
    std::vector<LabelKey> amounts;
};

class SubsetChoice {
  public:
    /// Of parts with these tables; those of one table offer the same.
    SubsetChoice(const PackedVertex& vertex, std::vector<const LabelTable*> tables,
                 const std::vector<SegmentPart>& parts, const SegmentRule& rule,
                 std::uint32_t most_segments, Effort& effort)
        : tables_(std::move(tables)),
          parts_(parts),
          rule_(rule),
          sets_(parts.size(),
                [&](std::uint32_t a, std::uint32_t b) {
                    return tables_[a] == tables_[b] &&
                           (!rule.spread || parts[a].group == parts[b].group);
                }),
          layout_(vertex.layout),
          words_(layout_.words()),
          most_segments_(most_segments),
          most_blocks_(vertex.problem.max_base_blocks),
          most_groups_(std::min(most_segments, static_cast<std::uint32_t>(parts_.size()))),
          effort_(effort),
          collector_(words_) {}

    /// False when there are not enough steps, or not enough room, for all subsets.
    [[nodiscard]] bool run() {
        if (!affordable() || !fill_amounts()) return false;
        costs_.assign(amounts_.size() * rows() * (most_blocks_ + 1U) * words_,
                      impossible_cost().front());
        std::fill_n(cost(0, 0, 0), words_, 0);
        for (std::uint32_t set = 1; set < amounts_.size(); ++set) {
            as_group(set);
            fill_groups(set);
        }
        return true;
    }

    /// The cheapest groups of whole segments for an amount of nodes and base blocks (0 where these
    /// are not limited), with all required nodes; none if it is impossible.
    [[nodiscard]] ChosenGroups cheapest(const LabelKey& amount) {
        const std::uint32_t segments = amount.units / rule_.nodes;
        End best{0, 0, no_way.data()};
        const auto keep_cheaper = [&](const End& other) {
            if (std::lexicographical_compare(other.cost, other.cost + words_, best.cost,
                                             best.cost + words_))
                best = other;
        };
        const std::uint32_t required = sets_.all_of(  // that must give something
            [&](std::size_t kind) { return table(kind).find({}) == LabelTable::none; });
        for (std::uint32_t set = 1; set < sets_.size(); ++set) {
            ++effort_.steps;
            if (!sets_.holds(set, required)) continue;
            std::uint32_t groups = segments;
            if (!rule_.spread) {
                if (sizes_[set] <= most_parts(rule_, segments))
                    keep_cheaper({set, 0, group_cost(set, segments, amount.blocks)});
                groups = tight_groups(rule_, segments, sizes_[set]);
            }
            if (groups > 0 && groups <= most_groups_)
                keep_cheaper({set, groups, cost(set, groups, amount.blocks)});
        }
        return read_back(best, amount);
    }

  private:
    /// A sum of costs takes as long as so many steps of other searches.
    static constexpr std::uint64_t steps_per_sum = 2;

    /// Where the best way ends: a set as one group, or as so many groups.
    struct End {
        std::uint32_t set = 0;
        std::uint32_t groups = 0;  ///< 0: one group, whatever its number of parts
        const std::uint64_t* cost;
    };
    static constexpr Cost no_way = impossible_cost();

    [[nodiscard]] const LabelTable& table(std::size_t kind) const {
        return *tables_[sets_.kind(kind).front()];
    }
    /// Of a set in so many groups; as one of several groups it is numbered after these.
    [[nodiscard]] std::uint64_t* cost(std::uint32_t set, std::uint32_t groups,
                                      std::uint32_t blocks) {
        return &costs_[((set * rows() + groups) * (most_blocks_ + 1U) + blocks) * words_];
    }
    [[nodiscard]] std::size_t rows() const { return std::size_t{most_groups_} + 2; }
    [[nodiscard]] std::uint64_t* cost_as_group(std::uint32_t set, std::uint32_t blocks) {
        return cost(set, most_groups_ + 1, blocks);
    }

    [[nodiscard]] std::uint64_t most_in_group() const {
        return rule_.spread ? parts_.size() : most_parts(rule_, most_segments_);
    }

    [[nodiscard]] std::uint32_t most_nodes() const {
        return (rule_.spread ? 1 : most_segments_) * rule_.nodes;
    }

    /// Steps and cells that all subsets need, before any of them is looked at.
    [[nodiscard]] bool affordable() {
        if (!sets_.affordable(effort_.left())) return false;
        const std::uint64_t blocks = most_blocks_ + 1U;
        std::uint64_t joins = 0;
        std::uint64_t cells = 0;
        std::vector<std::uint64_t> nodes(sets_.size(), 0);
        sizes_.resize(sets_.size());
        for (std::uint32_t set = 1; set < sets_.size(); ++set) {
            const std::size_t top = sets_.top(set);
            sizes_[set] = sizes_[set - sets_.stride(top)] + 1;
            const std::uint64_t before = nodes[set - sets_.stride(top)];
            const std::uint64_t own = table(top).most_units();
            nodes[set] = std::min<std::uint64_t>(before + own, most_nodes());
            if (sizes_[set] > most_in_group()) continue;
            joins += (before + 1) * (own + 1) * blocks * (most_blocks_ > 0 ? 2 : 1);
            cells += (nodes[set] + 1) * blocks;
        }
        const std::uint64_t sets = most_groups_ * blocks * blocks * sets_.pairs();
        cells += nodes.size() * rows() * blocks;
        return joins + sets <= effort_.left() &&
               cells * (words_ + 3) * sizeof(std::uint64_t) <= room_for_tables(layout_.tally());
    }

    /// amounts_[set]: the set without one part of its highest kind, and of that at least one node.
    [[nodiscard]] bool fill_amounts() {
        amounts_.resize(sets_.size());
        collector_.start({}, {});
        collector_.add({}, 0, no_cost.data());
        amounts_[0] = collector_.finish();
        for (std::uint32_t set = 1; set < amounts_.size() && effort_.left() > 0; ++set) {
            if (sizes_[set] > most_in_group()) continue;
            const std::size_t top = sets_.top(set);
            amounts_[set] = join(amounts_[set - sets_.stride(top)], table(top));
        }
        return effort_.left() > 0;
    }

    [[nodiscard]] LabelTable join(const LabelTable& others, const LabelTable& part) {
        const std::uint32_t most = std::min(others.most_units() + part.most_units(), most_nodes());
        collector_.start({}, {most, 0, most_blocks_});
        for (std::size_t i = 0; i < others.size() && others.key(i).units <= most; ++i) {
            const LabelKey& a = others.key(i);
            const auto [begin, end] = part.with_units(1, most - a.units);
            effort_.steps += (end - begin) * steps_per_sum;
            for (std::size_t j = begin; j < end; ++j) {
                const LabelKey& b = part.key(j);
                if (a.blocks + b.blocks > most_blocks_) continue;
                collector_.add({a.units + b.units, 0, a.blocks + b.blocks}, 0, others.cost(i),
                               part.cost(j));
            }
        }
        return collector_.finish();
    }

    /// The segments of a set as one of several groups; 0: it is none.
    [[nodiscard]] std::uint32_t group_segments(std::uint32_t set) const {
        if (!rule_.spread) return tight_segments(rule_, sizes_[set]);
        std::uint32_t groups = 0;
        std::uint32_t last = 0;
        for (std::size_t kind = 0; kind < sets_.kinds(); ++kind) {
            if (sets_.digit(set, kind) == 0) continue;
            const std::uint32_t group = parts_[sets_.kind(kind).front()].group;
            if (groups == 0 || group != last) ++groups;
            last = group;
        }
        return groups <= rule_.max_parts ? 1 : 0;
    }

    [[nodiscard]] const std::uint64_t* group_cost(std::uint32_t set, std::uint32_t segments,
                                                  std::uint32_t blocks) const {
        const LabelTable& amounts = amounts_[set];
        const std::size_t at = amounts.find({segments * rule_.nodes, 0, blocks});
        return at == LabelTable::none ? no_way.data() : amounts.cost(at);
    }

    /// What a set costs as one of several groups; it stays impossible where it is none.
    void as_group(std::uint32_t set) {
        const std::uint32_t segments = group_segments(set);
        for (std::uint32_t own = 0; segments > 0 && own <= most_blocks_; ++own)
            std::copy_n(group_cost(set, segments, own), words_, cost_as_group(set, own));
    }

    void fill_groups(std::uint32_t set) {
        sets_.for_each_subset(set, [&](std::uint32_t group) {
            ++effort_.steps;
            for (std::uint32_t own = 0; own <= most_blocks_; ++own) {
                if (is_impossible(cost_as_group(group, own))) continue;
                for (std::uint32_t groups = 1; groups <= most_groups_; ++groups)
                    add_group(set, group, groups, own);
            }
            return true;
        });
    }

    /// A set in so many groups, the last of which takes `own` base blocks.
    void add_group(std::uint32_t set, std::uint32_t group, std::uint32_t groups,
                   std::uint32_t own) {
        effort_.steps += most_blocks_ + 1U - own;
        const std::uint64_t* added = cost_as_group(group, own);
        const std::uint64_t* before = cost(set - group, groups - 1, 0);
        std::uint64_t* best = cost(set, groups, own);
        for (std::uint32_t blocks = own; blocks <= most_blocks_; ++blocks) {
            if (!is_impossible(before)) lower_to_sum(best, before, added, words_);
            before += words_;
            best += words_;
        }
    }

    [[nodiscard]] ChosenGroups read_back(End end, const LabelKey& amount) {
        ChosenGroups chosen;
        std::vector<std::size_t> used(sets_.kinds(), 0);
        if (end.groups == 0 && end.set != 0) read_group(end.set, amount, used, chosen);
        std::uint32_t blocks = amount.blocks;
        for (; end.groups > 0; --end.groups) {
            std::uint32_t found = 0;
            LabelKey given;
            sets_.for_each_subset(end.set, [&](std::uint32_t group) {
                for (std::uint32_t own = 0; own <= blocks && found == 0; ++own) {
                    ++effort_.steps;
                    const std::uint64_t* added = cost_as_group(group, own);
                    const std::uint64_t* before =
                        cost(end.set - group, end.groups - 1, blocks - own);
                    if (is_impossible(added) || is_impossible(before)) continue;
                    if (!is_sum(cost(end.set, end.groups, blocks), before, added, words_)) continue;
                    found = group;
                    given = {group_segments(group) * rule_.nodes, 0, own};
                }
                return found == 0;
            });
            read_group(found, given, used, chosen);
            end.set -= found;
            blocks -= given.blocks;
        }
        return chosen;
    }

    /// `used`: the parts of each kind that groups have so far.
    void read_group(std::uint32_t set, LabelKey amount, std::vector<std::size_t>& used,
                    ChosenGroups& chosen) const {
        PartGroup& group = chosen.groups.emplace_back();
        group.segments = amount.units / rule_.nodes;
        while (set != 0) {
            const std::size_t top = sets_.top(set);
            const std::uint32_t rest = set - sets_.stride(top);
            const LabelKey left =
                left_of_sum(amounts_[rest], table(top), amounts_[set], amount, effort_.steps, 1);
            // The last of its kind gives least, as where parts differ.
            const std::vector<std::uint32_t>& same = sets_.kind(top);
            group.parts.push_back(same[same.size() - ++used[top]]);
            chosen.amounts.push_back(amount - left);
            amount = left;
            set = rest;
        }
    }

    std::vector<const LabelTable*> tables_;
    const std::vector<SegmentPart>& parts_;
    SegmentRule rule_;
    PartSets sets_;
    const CostLayout& layout_;
    std::size_t words_;
    std::uint32_t most_segments_, most_blocks_, most_groups_;
    Effort& effort_;
    LabelCollector collector_;
    std::vector<std::uint32_t> sizes_;  // per set: its parts
    std::vector<LabelTable> amounts_;   // per set: every part of it is used; empty: too large
    std::vector<std::uint64_t> costs_;  // per set, groups and base blocks: words_ of them
};

}  // namespace nvl72block
