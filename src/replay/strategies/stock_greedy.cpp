// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/strategies/stock_greedy.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "nvl72block/plain_rule.hpp"
#include "replay/strategies/placement_builder.hpp"

namespace nvl72block::replay {
namespace {

struct BlockRange {
    BlockIndex first = 0;
    BlockIndex last = 0;  // one past the end
};

/// One job's search: what it takes disappears from the free counts.
class GreedySearch {
  public:
    GreedySearch(const Topology& topology, NodeSetView free)
        : topology_(topology), free_(free), count_(topology.block_count()), builder_(topology) {
        for (BlockIndex block = 0; block < topology.block_count(); ++block)
            count_[block] = topology.count(block, free);
    }

    /// Places one segment; false if the order finds no place.
    bool take(std::uint32_t nodes) {
        rule_ = plain_rule(topology_, nodes);
        const std::optional<BlockRange> block = choose_block(nodes);
        if (!block) return false;
        builder_.begin_segment();
        return fill(*block, nodes);
    }

    [[nodiscard]] Placement finish() && { return std::move(builder_).finish(); }

  private:
    [[nodiscard]] std::uint32_t sum(const BlockRange& range) const {
        return std::accumulate(count_.begin() + range.first, count_.begin() + range.last, 0U);
    }

    [[nodiscard]] BlockRange lower_block(std::uint32_t aggregate) const {
        return {topology_.first_block(rule_.lower, aggregate),
                topology_.last_block(rule_.lower, aggregate)};
    }

    [[nodiscard]] std::vector<BlockRange> lower_blocks(const BlockRange& range) const {
        const BlockIndex width = topology_.levels()[rule_.lower].base_blocks();
        std::vector<BlockRange> blocks;
        for (BlockIndex first = range.first; first < range.last; first += width)
            blocks.push_back(lower_block(topology_.aggregate_of(rule_.lower, first)));
        return blocks;
    }

    /// Most nodes that as many lower blocks as the rule allows can give.
    [[nodiscard]] std::uint32_t best_sum(const BlockRange& range) const {
        std::vector<std::uint32_t> sums;
        for (const BlockRange& lower : lower_blocks(range)) sums.push_back(sum(lower));
        std::sort(sums.begin(), sums.end(), std::greater<>());
        sums.resize(std::min<std::size_t>(sums.size(), rule_.limit));
        return std::accumulate(sums.begin(), sums.end(), 0U);
    }

    /// The block with the fewest free nodes among those that suffice; of equals the last.
    [[nodiscard]] std::optional<BlockRange> choose_block(std::uint32_t nodes) const {
        std::optional<BlockRange> best;
        const bool is_whole = rule_.level == topology_.levels().size();
        const std::uint32_t blocks = is_whole ? 1 : topology_.levels()[rule_.level].aggregates;
        for (std::uint32_t aggregate = 0; aggregate < blocks; ++aggregate) {
            const BlockRange range = is_whole
                                         ? BlockRange{0, topology_.block_count()}
                                         : BlockRange{topology_.first_block(rule_.level, aggregate),
                                                      topology_.last_block(rule_.level, aggregate)};
            if (best_sum(range) >= nodes && (!best || sum(range) <= sum(*best))) best = range;
        }
        return best;
    }

    /// The fewest nodes that cover `nodes`, else the most; of equals the last.
    template <typename Item, typename Count>
    static const Item& tightest(const std::vector<Item>& items, std::uint32_t nodes, Count count) {
        const Item* best = &items.front();
        for (const Item& item : items) {
            const std::uint32_t now = count(item);
            const std::uint32_t then = count(*best);
            const bool better =
                now >= nodes ? then < nodes || now <= then : then < nodes && now >= then;
            if (better) best = &item;
        }
        return *best;
    }

    /// Takes base blocks one after another until `nodes` are taken. An entered lower block is
    /// looked at first; a base block of it without free nodes ends the search, as in stock.
    bool fill(const BlockRange& range, std::uint32_t nodes) {
        std::vector<BlockRange> closed = lower_blocks(range);
        std::vector<BlockIndex> open;  // base blocks of entered lower blocks, not yet taken from
        for (std::uint32_t entered = 0; nodes > 0;) {
            if (open.empty()) {
                if (entered == rule_.limit || closed.empty()) return false;
                const BlockRange& lower =
                    tightest(closed, nodes, [this](const BlockRange& item) { return sum(item); });
                for (BlockIndex block = lower.first; block < lower.last; ++block)
                    open.push_back(block);
                closed.erase(closed.begin() + (&lower - closed.data()));
                ++entered;
            }
            const BlockIndex& block =
                tightest(open, nodes, [this](BlockIndex item) { return count_[item]; });
            const std::uint32_t taken = take_from(block, nodes);
            if (taken == 0) return false;
            nodes -= taken;
            open.erase(open.begin() + (&block - open.data()));
        }
        return true;
    }

    /// Takes up to `nodes` of a base block, lowest index first.
    std::uint32_t take_from(BlockIndex block, std::uint32_t nodes) {
        std::uint32_t taken = 0;
        const std::uint32_t wanted = std::min(nodes, count_[block]);
        topology_.for_each(block, free_, [&](NodeIndex node) {
            if (taken == wanted) return;
            builder_.add(node);
            free_.reset(node);
            ++taken;
        });
        count_[block] -= taken;
        return taken;
    }

    const Topology& topology_;
    NodeSet free_;
    std::vector<std::uint32_t> count_;  // free nodes of each base block
    PlainRule rule_;
    PlacementBuilder builder_;
};

std::optional<Placement> first_node(const Topology& topology, NodeSetView free) {
    PlacementBuilder builder(topology);
    bool found = false;
    free.for_each([&](NodeIndex node) {
        if (found) return;
        builder.begin_segment();
        builder.add(node);
        found = true;
    });
    if (!found) return std::nullopt;
    return std::move(builder).finish();
}

}  // namespace

std::optional<Placement> StockGreedy::choose(const Topology& topology, const Job& job,
                                             NodeSetView free) const {
    if (free.count() < job.nodes) return std::nullopt;
    if (job.nodes == 1 && one_node_jobs_ == OneNodeJobs::first_node)
        return first_node(topology, free);
    GreedySearch search(topology, free);
    const std::uint32_t segment =
        job.segment != 0 && job.segment < job.nodes ? job.segment : job.nodes;
    for (std::uint32_t taken = 0; taken < job.nodes; taken += segment)
        if (!search.take(segment)) return std::nullopt;
    return std::move(search).finish();
}

}  // namespace nvl72block::replay
