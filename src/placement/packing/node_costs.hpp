// SPDX-License-Identifier: GPL-2.0-or-later
//
// The least cost of every number of nodes that a block can give, however segments are cut from
// them: tables as those of the exact search, not pruned by prices.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "placement/rules/problem.hpp"
#include "placement/search/label_table.hpp"
#include "placement/state/effort.hpp"

namespace nvl72block {

/// Makes and keeps the tables of base blocks and of blocks of higher levels, one for all that offer
/// the same; units are nodes. When the steps or the room run out, ok() is false and what was made
/// since is of no use.
class AmountTables {
  public:
    /// Amounts beyond `most` are left out; without most.blocks base blocks are not counted.
    AmountTables(const Tally& tally, const CostLayout& layout, const LabelKey& most, Effort& effort)
        : tally_(tally),
          layout_(layout),
          most_(most),
          effort_(effort),
          collector_(layout.words()),
          kinds_(Less{&tally}) {}

    [[nodiscard]] bool ok() const { return ok_; }

    /// The table of a vertex; null when not ok().
    [[nodiscard]] const LabelTable* of(std::size_t level, std::uint32_t index);

    /// Both together. `from_second`: the least nodes that the second one gives.
    [[nodiscard]] LabelTable join(const LabelTable& first, const LabelTable& second,
                                  std::uint32_t from_second = 0);

    /// tables[i]: the first i of these children together.
    [[nodiscard]] std::vector<LabelTable> join_all(const std::vector<const LabelTable*>& parts);
    /// A table that gives nothing, for nothing.
    [[nodiscard]] LabelTable nothing() const;

    /// What each part gives in an amount of join_all(parts).back().
    [[nodiscard]] std::vector<LabelKey> split_all(const std::vector<const LabelTable*>& parts,
                                                  const std::vector<LabelTable>& joined,
                                                  LabelKey amount) const;

    /// Appends the shares of the base blocks of a vertex.
    void read(std::size_t level, std::uint32_t index, const LabelKey& amount,
              std::vector<Share>& shares);

    /// Whether there are enough steps and room left to join parts with so many nodes each.
    [[nodiscard]] bool affordable(const std::vector<std::uint32_t>& nodes) const;
    /// Whether there is room for so many labels.
    [[nodiscard]] bool has_room(std::uint64_t labels) const;

  private:
    struct Less {
        const Tally* tally;
        bool operator()(BlockIndex a, BlockIndex b) const { return tally->compare(a, b) < 0; }
    };
    struct Inner {
        std::vector<LabelTable> joined;
        LabelTable table;  // with what the vertex itself costs
    };
    using Children = std::vector<const LabelTable*>;

    [[nodiscard]] const LabelTable* of_block(BlockIndex block);
    [[nodiscard]] std::optional<Children> children_of(std::size_t level, std::uint32_t index);
    void note(const LabelTable& table);

    const Tally& tally_;
    const CostLayout& layout_;
    LabelKey most_;
    Effort& effort_;
    LabelCollector collector_;
    std::map<BlockIndex, LabelTable, Less> kinds_;
    std::vector<std::map<Children, Inner>> inner_;  // per level above 0
    std::size_t bytes_ = 0;
    bool ok_ = true;
};

}  // namespace nvl72block
