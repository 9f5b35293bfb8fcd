// SPDX-License-Identifier: GPL-2.0-or-later
//
// The least cost of every number of nodes that a block can give, however segments are cut from
// them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "placement/count/cost.hpp"
#include "placement/count/effort.hpp"
#include "placement/count/problem.hpp"
#include "placement/count/tally.hpp"

namespace nvl72block {

/// Costs by nodes, and by base blocks used where these are limited.
class AmountTable {
  public:
    AmountTable(std::uint32_t nodes, std::uint32_t blocks)
        : nodes_(nodes),
          blocks_(blocks),
          cells_((std::size_t{nodes} + 1) * (blocks + 1U), impossible_cost()) {}

    [[nodiscard]] std::uint32_t nodes() const { return nodes_; }
    [[nodiscard]] std::uint32_t blocks() const { return blocks_; }
    [[nodiscard]] Cost& at(std::uint32_t nodes, std::uint32_t blocks) {
        return cells_[std::size_t{nodes} * (blocks_ + 1U) + blocks];
    }
    [[nodiscard]] const Cost& at(std::uint32_t nodes, std::uint32_t blocks) const {
        return cells_[std::size_t{nodes} * (blocks_ + 1U) + blocks];
    }
    [[nodiscard]] std::size_t size() const { return cells_.size(); }

  private:
    std::uint32_t nodes_, blocks_;  // the most
    std::vector<Cost> cells_;
};

/// A cell of a table.
struct AmountAt {
    std::uint32_t nodes = 0;
    std::uint32_t blocks = 0;
};

/// Makes and keeps the tables of base blocks and of blocks of higher levels, one for all that offer
/// the same. When the steps or the room for cells run out, ok() is false and what was made since is
/// of no use.
class AmountTables {
  public:
    AmountTables(const Tally& tally, const CostLayout& layout, std::uint32_t most_nodes,
                 std::uint32_t most_blocks, Effort& effort)
        : tally_(tally),
          layout_(layout),
          most_{most_nodes, most_blocks},
          effort_(effort),
          kinds_(Less{&tally}) {}

    [[nodiscard]] bool ok() const { return ok_; }

    /// The table of a vertex; null when not ok().
    [[nodiscard]] const AmountTable* of(std::size_t level, std::uint32_t index);

    /// Both together. `from_second`: the least nodes that the second one gives.
    [[nodiscard]] AmountTable join(const AmountTable& first, const AmountTable& second,
                                   std::uint32_t from_second = 0);

    /// tables[i]: the first i of these children together.
    [[nodiscard]] std::vector<AmountTable> join_all(const std::vector<const AmountTable*>& parts);

    /// What the second table gives in a cell of the joined one.
    [[nodiscard]] AmountAt split(const AmountTable& first, const AmountTable& second,
                                 const AmountTable& joined, AmountAt at,
                                 std::uint32_t from_second = 0) const;

    /// What each part gives in a cell of join_all(parts).back().
    [[nodiscard]] std::vector<AmountAt> split_all(const std::vector<const AmountTable*>& parts,
                                                  const std::vector<AmountTable>& joined,
                                                  AmountAt at) const;

    /// Appends the shares of the base blocks of a vertex.
    void read(std::size_t level, std::uint32_t index, AmountAt at, std::vector<Share>& shares);

    /// Whether there are enough steps and room left to join parts with so many nodes each.
    [[nodiscard]] bool affordable(const std::vector<std::uint32_t>& nodes) const;

    /// Room for cells, 128 bytes each.
    static constexpr std::size_t most_cells = 24000;

  private:
    struct Less {
        const Tally* tally;
        bool operator()(BlockIndex a, BlockIndex b) const { return tally->compare(a, b) < 0; }
    };
    struct Inner {
        std::vector<AmountTable> joined;
        AmountTable table;  // with what the vertex itself costs
    };
    using Children = std::vector<const AmountTable*>;

    [[nodiscard]] const AmountTable* of_block(BlockIndex block);
    [[nodiscard]] std::optional<Children> children_of(std::size_t level, std::uint32_t index);
    bool reserve(std::size_t cells);

    const Tally& tally_;
    const CostLayout& layout_;
    AmountAt most_;
    Effort& effort_;
    std::map<BlockIndex, AmountTable, Less> kinds_;
    std::vector<std::map<Children, Inner>> inner_;  // per level above 0
    std::size_t cells_ = 0;
    bool ok_ = true;
};

}  // namespace nvl72block
