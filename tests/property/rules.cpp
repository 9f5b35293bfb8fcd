// SPDX-License-Identifier: GPL-2.0-or-later
#include "rules.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nvl72block::oracle {

namespace {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

/// Distinct blocks of `level` among the base blocks `used` (ascending).
std::uint32_t units_used(const Shape& shape, std::span<const std::uint32_t> used,
                         std::size_t level) {
    std::uint32_t units = 0;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (i == 0 || shape.unit(level, used[i]) != shape.unit(level, used[i - 1])) ++units;
    return units;
}

}  // namespace

// ---- words -------------------------------------------------------------------------------------

Shape::Shape(const Topology& topology)
    : blocks(topology.block_count()), planning(topology.planning_size()) {
    for (const Level& level : topology.levels()) exponents.push_back(level.exponent);
}

std::size_t Shape::level_for(std::uint64_t nodes) const {
    for (std::size_t level = 0; level < exponents.size(); ++level)
        if (size(level) >= nodes) return level;
    return whole();
}

std::size_t Shape::level_below(std::size_t level) const {
    return level == 0 ? 0 : level - 1;
}

// ---- hard constraints --------------------------------------------------------------------------

bool in_one_block(const Shape& shape, std::span<const std::uint32_t> used, std::size_t level) {
    return used.empty() || shape.unit(level, used.front()) == shape.unit(level, used.back());
}

bool plain_rule(const Shape& shape, std::span<const std::uint32_t> used, std::uint64_t nodes) {
    const std::size_t level = shape.level_for(nodes);
    const std::size_t below = shape.level_below(level);
    return in_one_block(shape, used, level) &&
           units_used(shape, used, below) <= divide_up(nodes, shape.size(below));
}

std::size_t consolidation_level(const Shape& shape, const Request& request, std::uint32_t nodes) {
    if (!request.spread_segments) return shape.level_for(nodes);
    const std::uint64_t segment = divide_up(request.segment_size, shape.planning) * shape.planning;
    return shape.level_for(nodes / request.segment_size * segment);
}

bool is_packed(const Shape& shape, const Request& request, std::uint32_t nodes) {
    const std::uint32_t size = request.segment_size;
    if (size == 0 || nodes <= size || size <= shape.planning) return false;
    if (request.spread_segments || request.max_base_blocks > 0) return true;
    const std::size_t level = shape.level_for(size);
    const std::size_t below = shape.level_below(level);
    const std::uint64_t lower_blocks = level == shape.whole()
                                           ? divide_up(shape.blocks, 1U << shape.exponents[below])
                                           : shape.size(level) / shape.size(below);
    return divide_up(size, shape.size(below)) < lower_blocks;
}

// ---- a state -----------------------------------------------------------------------------------

Facts::Facts(const Topology& topology, const Request& request, const State& state)
    : shape(topology),
      free(shape.blocks),
      idle(shape.blocks),
      shared(shape.blocks),
      must_take(shape.blocks),
      order(shape.blocks),
      weight_of(state.weight),
      heavier_(shape.blocks) {
    request.required.for_each([&](NodeIndex node) {
        required_usable = required_usable && state.usable.test(node);
        const BlockIndex block = topology.block_of(node);
        ++(block == no_block ? required_outside : must_take[block]);
    });
    state.usable.for_each([&](NodeIndex node) {
        const BlockIndex block = topology.block_of(node);
        (block == no_block ? outside : order[block]).push_back(node);
        if (!weight_of.empty()) weights.push_back(weight_of[node]);
    });
    const NodeSetView idle_nodes = state.idle.size() > 0 ? state.idle : state.usable;
    idle_nodes.for_each([&](NodeIndex node) {
        if (topology.block_of(node) != no_block) ++idle[topology.block_of(node)];
    });
    for (std::uint32_t block = 0; block < shape.blocks; ++block)
        largest_real = std::max(largest_real, topology.block_nodes(block));
    std::ranges::sort(weights);
    weights.erase(std::unique(weights.begin(), weights.end()), weights.end());

    const auto taken_before = [&](NodeIndex a, NodeIndex b) {
        const auto key = [&](NodeIndex node) {
            return std::tuple(!request.required.test(node), weight_of.empty() ? 0 : weight_of[node],
                              state.idle.test(node), node);
        };
        return key(a) < key(b);
    };
    std::ranges::sort(outside, [&](NodeIndex a, NodeIndex b) {
        const auto key = [&](NodeIndex node) {
            return std::tuple(!request.required.test(node), weight_of.empty() ? 0 : weight_of[node],
                              node);
        };
        return key(a) < key(b);
    });
    for (std::uint32_t block = 0; block < shape.blocks; ++block) {
        std::ranges::sort(order[block], taken_before);
        free[block] = static_cast<std::uint32_t>(order[block].size());
        for (const NodeIndex node : order[block]) shared[block] += idle_nodes.test(node) ? 0 : 1;
        std::vector<std::uint32_t>& table = heavier_[block];
        table.assign((free[block] + 1) * weights.size(), 0);
        for (std::size_t cell = weights.size(); cell < table.size(); ++cell) {
            const NodeIndex node = order[block][cell / weights.size() - 1];
            table[cell] = table[cell - weights.size()] +
                          (weight_of[node] > weights[cell % weights.size()] ? 1 : 0);
        }
    }
}

std::uint32_t Facts::inside() const {
    return std::accumulate(free.begin(), free.end(), std::uint32_t{0});
}

// ---- preferences -------------------------------------------------------------------------------

namespace {

/// Appends the values of one preference after another to a Rank.
class Ranking {
  public:
    Ranking(const Facts& facts, const Request& request, std::span<const std::uint32_t> taken,
            std::span<const std::int64_t> heavier, Rank& rank)
        : facts_(facts),
          shape_(facts.shape),
          request_(request),
          taken_(taken),
          heavier_(heavier),
          rank_(rank) {}

    void run() {
        using Order = std::array<int, all_preferences>;
        static constexpr Order pack{1, 2, 3, 4, 5, 6, 0, 0};
        static constexpr Order compact{1, 3, 2, 4, 5, 6, 0, 0};
        static constexpr Order keeping{locality, 1, slots, 3, 4, 5, 6, 0};
        static constexpr Order keeping_segments{locality, 1, slots, 4, 3, 5, 6, 0};
        static constexpr Order nothing_kept{locality, 1, 2, 3, 4, 5, 6, 0};
        static constexpr Order nothing_kept_segments{locality, 1, 2, 4, 3, 5, 6, 0};
        kept_ = slots_that_count();
        const Order& for_demand = kept_.empty()
                                      ? (several_segments() ? nothing_kept_segments : nothing_kept)
                                      : (several_segments() ? keeping_segments : keeping);
        const Order& order = request_.policy == Policy::demand    ? for_demand
                             : request_.policy == Policy::compact ? compact
                                                                  : pack;
        rank_.values.clear();
        for (std::size_t i = 0; i < order.size(); ++i) {
            rank_.parts[i] = {order[i], rank_.values.size()};
            append(order[i]);
        }
    }

  private:
    [[nodiscard]] bool several_segments() const {
        const std::uint32_t nodes = std::accumulate(taken_.begin(), taken_.end(), 0U);
        return request_.segment_size > 0 && nodes > request_.segment_size;
    }

    void append(int preference) {
        switch (preference) {
            case 1:
                rank_.values.insert(rank_.values.end(), heavier_.begin(), heavier_.end());
                break;
            case 2:
                request_.exclusive ? wasted() : broken();
                break;
            case 3:
                for (std::size_t level = 0; level < levels_that_count(); ++level) used(level);
                break;
            case 4:
                if (!kept_.empty())
                    fullest();
                else
                    for (std::size_t level = 0; level < shape_.whole(); ++level) left_over(level);
                break;
            case 5:
                balance();
                break;
            case locality:
                torn();
                break;
          case slots:
                lost_slots();
                break;
            case 0:
                break;
            default:
                for (std::size_t level = shape_.whole(); level-- > 0;) lowest(level);
        }
    }

    /// Calls visit(first, last) for the base blocks of each block of a level.
    template <typename Visit>
    void for_each_unit(std::size_t level, Visit visit) const {
        const std::uint32_t width = 1U << shape_.exponents[level];
        for (std::uint32_t first = 0; first < shape_.blocks; first += width)
            visit(first, std::min(first + width, shape_.blocks));
    }

    /// Whether the job, or one of its segments, lies in more than one base block.
    void torn() {
        const std::uint32_t nodes = std::accumulate(taken_.begin(), taken_.end(), 0U);
        const std::uint32_t segment = request_.segment_size;
        const std::uint32_t size = segment > 0 && nodes > segment ? segment : nodes;
        const bool whole = std::ranges::all_of(
            taken_, [&](std::uint32_t count) { return size == 0 || count % size == 0; });
        rank_.values.push_back(whole ? 0 : 1);
    }

    /// The level whose blocks hold slots of that size.
    [[nodiscard]] std::size_t slot_level(std::uint32_t nodes) const {
        return nodes <= facts_.largest_real ? 0 : shape_.level_for(nodes);
    }

    /// The sizes of the demand whose slots an answer can lose.
    [[nodiscard]] std::vector<DemandSize> slots_that_count() const {
        std::vector<DemandSize> kept;
        if (request_.policy != Policy::demand || request_.exclusive) return kept;
        const bool any_shared = std::ranges::any_of(facts_.shared, [](auto n) { return n > 0; });
        for (const DemandSize& size : request_.demand) {
            if (slot_level(size.nodes) == shape_.whole()) continue;
            if (size.nodes == 1 && !any_shared) continue;
            kept.push_back(size);
        }
        const bool has_single =
            std::ranges::any_of(kept, [](const DemandSize& size) { return size.nodes == 1; });
        if (any_shared && !kept.empty() && !has_single) kept.push_back({1, 0});
        return kept;
    }

    void lost_slots() {
        std::int64_t sum = 0;
        std::uint64_t dearest = 0;
        for (const DemandSize& size : kept_)
            dearest = std::max(dearest, std::uint64_t{size.nodes} * size.share);
        for (const DemandSize& size : kept_) {
            const double scaled = 255.0 * size.nodes * size.share / static_cast<double>(dearest);
            const auto value = std::max<std::int64_t>(1, std::llround(scaled));
            for_each_unit(slot_level(size.nodes), [&](std::uint32_t first, std::uint32_t last) {
                std::int64_t idle = 0, shared = 0, taken = 0;
                for (std::uint32_t i = first; i < last; ++i) {
                    idle += facts_.idle[i];
                    shared += facts_.shared[i];
                    taken += taken_[i];
                }
                const std::int64_t left = idle - std::max<std::int64_t>(0, taken - shared);
                sum += value * (idle / size.nodes - left / size.nodes);
            });
        }
        rank_.values.push_back(sum);
    }

    void wasted() {
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < shape_.blocks; ++i)
            if (taken_[i] > 0) sum += std::int64_t{facts_.free[i]} - taken_[i];
        rank_.values.push_back(sum);
    }

    void broken() {
        for (std::size_t level = shape_.whole(); level-- > 0;) {
            std::int64_t count = 0;
            for_each_unit(level, [&](std::uint32_t first, std::uint32_t last) {
                bool before = last - first == 1U << shape_.exponents[level];
                bool after = before;
                for (std::uint32_t i = first; i < last; ++i) {
                    const std::uint32_t idle_taken =
                        taken_[i] - std::min(taken_[i], facts_.shared[i]);
                    before = before && facts_.idle[i] >= shape_.planning;
                    after = after && facts_.idle[i] - idle_taken >= shape_.planning;
                }
                if (before && !after) ++count;
            });
            rank_.values.push_back(count);
        }
    }

    void used(std::size_t level) {
        std::int64_t count = 0;
        for_each_unit(level, [&](std::uint32_t first, std::uint32_t last) {
            for (std::uint32_t i = first; i < last; ++i)
                if (taken_[i] > 0) {
                    ++count;
                    return;
                }
        });
        rank_.values.push_back(count);
    }

    void left_over(std::size_t level) {
        std::int64_t sum = 0;
        for_each_unit(level, [&](std::uint32_t first, std::uint32_t last) {
            std::int64_t left = 0;
            bool touched = false;
            for (std::uint32_t i = first; i < last; ++i) {
                left += std::int64_t{facts_.free[i]} - taken_[i];
                touched = touched || taken_[i] > 0;
            }
            if (touched) sum += left;
        });
        rank_.values.push_back(sum);
    }

    /// Where slots count, base blocks alone.
    [[nodiscard]] std::size_t levels_that_count() const {
        return kept_.empty() ? shape_.whole() : std::min<std::size_t>(1, shape_.whole());
    }

    void fullest() {
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < shape_.blocks; ++i)
            sum += std::int64_t{taken_[i]} * facts_.free[i];
        rank_.values.push_back(sum);
    }

    void lowest(std::size_t level) {
        for_each_unit(level, [&](std::uint32_t first, std::uint32_t last) {
            std::int64_t count = 0;
            for (std::uint32_t i = first; i < last; ++i) count += taken_[i];
            rank_.values.push_back(-count);
        });
    }

    void balance() {
        std::int64_t sum = 0;
        for (const std::uint32_t count : taken_) sum += std::int64_t{count} * count;
        rank_.values.push_back(kept_.empty() ? sum : -sum);
    }

    const Facts& facts_;
    const Shape& shape_;
    const Request& request_;
    std::span<const std::uint32_t> taken_;
    std::span<const std::int64_t> heavier_;
    Rank& rank_;
    std::vector<DemandSize> kept_;  // whose slots count
};

}  // namespace

int first_difference(const Rank& a, const Rank& b) {
    const auto [at, other] = std::ranges::mismatch(a.values, b.values);
    if (at == a.values.end()) return 0;
    const auto position = static_cast<std::size_t>(at - a.values.begin());
    int preference = 0;
    for (const Rank::Part& part : a.parts)
        if (part.preference > 0 && part.begin <= position) preference = part.preference;
    return preference;
}

bool better(const Rank& a, const Rank& b) {
    return a.values < b.values;
}

std::string to_string(const Rank& rank) {
    std::string text;
    for (std::size_t i = 0; i < rank.parts.size(); ++i) {
        const std::size_t end =
            i + 1 < rank.parts.size() ? rank.parts[i + 1].begin : rank.values.size();
        text += (i == 0 ? "" : " ") + std::to_string(rank.parts[i].preference) + ":(";
        for (std::size_t v = rank.parts[i].begin; v < end; ++v)
            text += (v == rank.parts[i].begin ? "" : ",") + std::to_string(rank.values[v]);
        text += ")";
    }
    return text;
}

void rank_counts(const Facts& facts, const Request& request, std::span<const std::uint32_t> taken,
                 Rank& rank) {
    std::array<std::int64_t, 16> heavier{};
    const std::size_t classes = facts.weights.size();
    for (std::uint32_t i = 0; classes > 0 && i < facts.shape.blocks; ++i) {
        const auto row = facts.heavier(i, taken[i]);
        for (std::size_t c = 0; c < classes; ++c) heavier.at(c) += row[c];
    }
    Ranking(facts, request, taken, std::span(heavier).first(classes), rank).run();
}

Counts taken_counts(const Topology& topology, const Placement& placement) {
    Counts taken(topology.block_count());
    placement.nodes.for_each([&](NodeIndex node) {
        if (topology.block_of(node) != no_block) ++taken[topology.block_of(node)];
    });
    return taken;
}

Rank rank(const Facts& facts, const Topology& topology, const Request& request,
          const Placement& placement) {
    std::vector<std::int64_t> heavier(facts.weights.size());
    placement.nodes.for_each([&](NodeIndex node) {
        for (std::size_t c = 0; c < heavier.size(); ++c)
            if (facts.weight_of[node] > facts.weights[c]) ++heavier[c];
    });
    Rank rank;
    const Counts taken = taken_counts(topology, placement);
    Ranking(facts, request, taken, heavier, rank).run();
    return rank;
}

// ---- totals and cliques ------------------------------------------------------------------------

bool holds_totals(const Request& request, const State& state, std::span<const NodeIndex> nodes) {
    const auto sum = [&](std::span<const std::uint32_t> values) {
        std::uint64_t total = 0;
        for (const NodeIndex node : nodes) total += values[node];
        return total;
    };
    return (state.cpus.empty() || sum(state.cpus) >= request.cpus) &&
           (state.gpus.empty() || sum(state.gpus) >= request.gpus);
}

bool heeds_islands(const Request& request, std::uint32_t nodes) {
    return nodes > 1 && request.segment_size != 1;
}

// ---- judging an answer -------------------------------------------------------------------------

namespace {

std::span<const NodeIndex> segment(const Placement& placement, std::size_t index) {
    return std::span(placement.segment_nodes)
        .subspan(placement.segment_begin[index],
                 placement.segment_begin[index + 1] - placement.segment_begin[index]);
}

/// The base blocks of `nodes`, ascending, each once.
std::vector<std::uint32_t> blocks_of(const Topology& topology, std::span<const NodeIndex> nodes) {
    std::vector<std::uint32_t> blocks;
    for (const NodeIndex node : nodes) blocks.push_back(topology.block_of(node));
    std::ranges::sort(blocks);
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

/// Whether the parts of the answer tell the same story.
std::string check_form(const Topology& topology, const Placement& placement) {
    const auto& begin = placement.segment_begin;
    if (placement.nodes.size() != topology.node_count()) return "node set of the wrong size";
    if (begin.size() < 2 || begin.front() != 0 || begin.back() != placement.segment_nodes.size() ||
        !std::ranges::is_sorted(begin))
        return "segment_begin is not a list of offsets";
    NodeSet joined(topology.node_count());
    for (std::size_t s = 0; s + 1 < begin.size(); ++s) {
        const auto nodes = segment(placement, s);
        if (!std::ranges::is_sorted(nodes)) return "a segment is not sorted";
        for (const NodeIndex node : nodes) {
            if (node >= topology.node_count()) return "a segment has a node that is none";
            if (joined.test(node)) return "node " + std::to_string(node) + " twice in segments";
            joined.set(node);
        }
    }
    if (!(joined == placement.nodes)) return "the segments are not the nodes";
    return "";
}

std::string check_nodes(const Request& request, const State& state, const Placement& placement) {
    std::string trouble;
    placement.nodes.for_each([&](NodeIndex node) {
        if (!state.usable.test(node)) trouble = "takes unusable node " + std::to_string(node);
    });
    request.required.for_each([&](NodeIndex node) {
        if (!placement.nodes.test(node))
            trouble = "leaves out required node " + std::to_string(node);
    });
    const std::uint32_t nodes = placement.nodes.count();
    if (nodes < request.min_nodes || nodes > request.max_nodes)
        trouble = "has " + std::to_string(nodes) + " nodes";
    if (!holds_totals(request, state, placement.segment_nodes))
        trouble = "does not hold the totals";
    return trouble;
}

/// What enforced cliques ask of each segment, or of a job that is not cut.
std::string check_islands(const Topology& topology, const Request& request, const Islands& islands,
                          const Placement& placement) {
    if (!heeds_islands(request, placement.nodes.count())) return "";
    const std::size_t segments = placement.segment_begin.size() - 1;
    for (std::size_t s = 0; s < segments; ++s) {
        const auto members = segment(placement, s);
        bool one = true;
        for (const NodeIndex node : members) {
            if (islands.island_of[node] == no_island)
                return "takes node " + std::to_string(node) + ", which has no island";
            one = one && islands.island_of[node] == islands.island_of[members.front()] &&
                  topology.block_of(node) == topology.block_of(members.front());
        }
        const bool small = members.size() <= topology.planning_size();
        if (segments > 1 && !small) return "a segment is larger than any clique";
        if (small && !one) return "segment " + std::to_string(s) + " lies in several islands";
    }
    return "";
}

std::string check_segments(const Topology& topology, const Request& request,
                           const Placement& placement) {
    const Shape shape(topology);
    const std::size_t segments = placement.segment_begin.size() - 1;
    const std::uint32_t nodes = placement.nodes.count();
    const bool cut = request.segment_size > 0 && nodes > request.segment_size;
    if (cut && nodes % request.segment_size != 0) return "segments do not divide the nodes";
    const std::uint32_t size = cut ? request.segment_size : nodes;
    if (segments != nodes / size) return std::to_string(segments) + " segments";
    std::vector<std::uint32_t> owner(shape.blocks, ~std::uint32_t{0});
    for (std::uint32_t s = 0; s < segments; ++s) {
        const auto members = segment(placement, s);
        const std::string name = "segment " + std::to_string(s);
        if (members.size() != size) return name + " has the wrong size";
        const auto used = blocks_of(topology, members);
        const bool any_level = request.sized_by_totals && request.segment_size == 0;
        if (!any_level && !plain_rule(shape, used, size)) return name + " breaks the plain rule";
        for (const std::uint32_t block : used) {
            if (request.spread_segments && owner[block] < s) return name + " is not spread";
            owner[block] = s;
        }
    }
    if (cut && request.consolidate_segments &&
        !in_one_block(shape, placement.blocks, consolidation_level(shape, request, nodes)))
        return "the segments are not consolidated";
    return "";
}

}  // namespace

std::string check(const Topology& topology, const Request& request, const State& state,
                  const Placement& placement) {
    if (std::string trouble = check_form(topology, placement); !trouble.empty()) return trouble;
    if (std::string trouble = check_nodes(request, state, placement); !trouble.empty())
        return trouble;
    auto used = blocks_of(topology, placement.segment_nodes);
    const bool outside = !used.empty() && used.back() == no_block;
    if (outside && used.size() > 1) return "mixes nodes in blocks with nodes in none";
    if (outside) used.clear();
    if (used != placement.blocks) return "the list of base blocks is wrong";
    if (outside && request.segment_size > 0) return "segments outside all blocks";
    if (outside) return placement.segment_begin.size() == 2 ? "" : "cut outside all blocks";
    if (request.max_base_blocks > 0 && used.size() > request.max_base_blocks)
        return "uses " + std::to_string(used.size()) + " base blocks";
    if (std::string trouble = check_segments(topology, request, placement); !trouble.empty())
        return trouble;
    return topology.islands() == nullptr
               ? ""
               : check_islands(topology, request, *topology.islands(), placement);
}

}  // namespace nvl72block::oracle
