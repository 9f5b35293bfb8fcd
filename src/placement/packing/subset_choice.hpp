// SPDX-License-Identifier: GPL-2.0-or-later
//
// The best way to give segments from few different parts, by all sets of the parts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "placement/packing/packing.hpp"
#include "placement/packing/part_groups.hpp"
#include "placement/packing/part_sets.hpp"
#include "placement/search/label_table.hpp"

namespace nvl72block {

/// What a group takes from its parts, in the order of group.parts.
struct ChosenGroup {
    PartGroup group;
    std::vector<LabelKey> amounts;
};

class SubsetChoice {
  public:
    /// Up to `most_segments` segments from the parts of these tables; parts of one table offer the
    /// same.
    SubsetChoice(const PackedVertex& vertex, std::vector<const LabelTable*> tables,
                 const std::vector<SegmentPart>& parts, const SegmentRule& rule,
                 std::uint32_t most_segments, Effort& effort);

    /// False when there are not enough steps, or not enough room, for all subsets.
    [[nodiscard]] bool run();

    /// The cheapest groups for so many segments and base blocks (0 where these are not limited)
    /// that hold all required nodes.
    [[nodiscard]] std::optional<std::vector<ChosenGroup>> cheapest(std::uint32_t segments,
                                                                   std::uint32_t blocks);

  private:
    /// Where the best way ends: a set as one group, or as so many groups.
    struct End {
        std::uint32_t set = 0;
        std::uint32_t groups = 0;  ///< 0: one group, whatever its number of parts
        Cost cost = impossible_cost();
    };

    [[nodiscard]] const LabelTable& table(std::size_t kind) const {
        return *tables_[sets_.kind(kind).front()];
    }
    [[nodiscard]] bool affordable() const;
    [[nodiscard]] std::uint32_t most_in_group() const;
    [[nodiscard]] std::uint32_t most_nodes() const;
    [[nodiscard]] bool fill_amounts();
    [[nodiscard]] LabelTable join(const LabelTable& others, const LabelTable& part);
    void fill_groups(std::uint32_t set);
    [[nodiscard]] std::uint32_t group_segments(std::uint32_t set) const;
    [[nodiscard]] Cost group_cost(std::uint32_t set, std::uint32_t segments,
                                  std::uint32_t blocks) const;
    [[nodiscard]] Cost& groups_cost(std::uint32_t set, std::uint32_t groups, std::uint32_t blocks) {
        return groups_[(std::size_t{set} * (most_groups_ + 1U) + groups) * (most_blocks_ + 1U) +
                       blocks];
    }
    void keep_cheaper(End& best, const End& other) const;
    [[nodiscard]] ChosenGroup read_group(std::uint32_t set, LabelKey amount,
                                         std::vector<std::size_t>& used) const;
    [[nodiscard]] std::vector<ChosenGroup> read_groups(End end, std::uint32_t blocks);

    std::vector<const LabelTable*> tables_;
    const std::vector<SegmentPart>& parts_;
    SegmentRule rule_;
    PartSets sets_;
    const CostLayout& layout_;
    std::size_t room_;  // bytes
    std::uint32_t most_segments_, most_blocks_, most_groups_;
    Effort& effort_;
    LabelCollector collector_;
    std::vector<LabelTable> amounts_;  // per set: every part of it is used; empty: too large
    std::vector<Cost> groups_;         // per set, groups and base blocks
};

}  // namespace nvl72block
