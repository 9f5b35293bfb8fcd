// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/segment_packing.hpp"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <numeric>
#include <unordered_set>

namespace nvl72block {
namespace {

using Taken = std::vector<std::uint16_t>;
using Known = std::unordered_set<Taken, boost::hash<Taken>>;

/// Enumerates every way to take one segment from what a state leaves, step by counted step.
class SegmentWays {
  public:
    SegmentWays(const std::vector<PackingPart>& parts, const PackingRule& rule,
                std::uint64_t budget, std::uint64_t& steps)
        : parts_(parts), rule_(rule), budget_(budget), steps_(steps), segment_(parts.size()) {}

    /// False when the budget ran out before all ways were visited.
    template <typename Visit>
    bool run(const Taken& taken, Visit visit) {
        taken_ = &taken;
        left_.assign(parts_.size() + 1, 0);
        for (std::size_t part = parts_.size(); part-- > 0;)
            left_[part] = left_[part + 1] + room(part);
        return step(0, rule_.segment_nodes, 0, no_group, visit);
    }

  private:
    static constexpr std::uint32_t no_group = ~std::uint32_t{0};

    [[nodiscard]] std::uint32_t room(std::size_t part) const {
        if (rule_.spread && (*taken_)[part] != 0) return 0;
        return parts_[part].free - (*taken_)[part];
    }

    template <typename Visit>
    bool step(std::size_t part, std::uint32_t rest, std::uint32_t groups, std::uint32_t last_group,
              Visit& visit) {
        if (++steps_ > budget_) return false;
        if (rest == 0) {
            visit(segment_);
            return true;
        }
        if (part == parts_.size() || left_[part] < rest) return true;
        if (!step(part + 1, rest, groups, last_group, visit)) return false;
        const std::uint32_t used = groups + (parts_[part].group != last_group ? 1 : 0);
        if (used > rule_.max_groups) return true;
        const std::uint32_t most = std::min(rest, room(part));
        bool go_on = true;
        for (std::uint32_t nodes = 1; go_on && nodes <= most; ++nodes) {
            segment_[part] = static_cast<std::uint16_t>(nodes);
            go_on = step(part + 1, rest - nodes, used, parts_[part].group, visit);
        }
        segment_[part] = 0;
        return go_on;
    }

    const std::vector<PackingPart>& parts_;
    const PackingRule& rule_;
    std::uint64_t budget_;
    std::uint64_t& steps_;
    const Taken* taken_ = nullptr;
    std::vector<std::uint32_t> left_;
    Taken segment_;
};

/// What a state leaves, without regard to which part leaves it: (room, required nodes still to be
/// taken) a part, sorted.
Taken leftovers(const std::vector<PackingPart>& parts, const PackingRule& rule,
                const Taken& taken) {
    std::vector<std::pair<std::uint16_t, std::uint16_t>> left(parts.size());
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const bool closed = rule.spread && taken[part] > 0;
        left[part].first = static_cast<std::uint16_t>(closed ? 0 : parts[part].free - taken[part]);
        left[part].second = static_cast<std::uint16_t>(
            parts[part].required > taken[part] ? parts[part].required - taken[part] : 0);
    }
    std::sort(left.begin(), left.end());
    Taken key;
    for (const auto& [room, required] : left) key.insert(key.end(), {room, required});
    return key;
}

/// All layers, with one state for all of the same key; false when the budget ran out.
bool fill_layers(const std::vector<PackingPart>& parts, const PackingRule& rule, bool by_leftovers,
                 std::uint64_t budget, std::uint64_t& steps, Packing& packing) {
    packing.layers.assign(1, {{Taken(parts.size()), Taken(parts.size()), 0}});
    SegmentWays ways(parts, rule, budget, steps);
    while (packing.layers.size() <= rule.max_segments) {
        const std::vector<PackingState>& layer = packing.layers.back();
        std::vector<PackingState> next;
        Known known;
        for (std::uint32_t from = 0; from < layer.size(); ++from) {
            const bool all = ways.run(layer[from].taken, [&](const Taken& segment) {
                steps += parts.size();
                Taken taken = layer[from].taken;
                for (std::size_t part = 0; part < parts.size(); ++part)
                    taken[part] = static_cast<std::uint16_t>(taken[part] + segment[part]);
                Taken key = by_leftovers ? leftovers(parts, rule, taken) : taken;
                if (known.insert(std::move(key)).second)
                    next.push_back({std::move(taken), segment, from});
            });
            if (!all) return false;
        }
        if (next.empty()) return true;
        packing.layers.push_back(std::move(next));
    }
    return true;
}

/// One segment by a rule of thumb: the fullest-free groups first, the last one the tightest that
/// completes the segment. False when no `max_groups` groups hold it.
bool take_greedily(const std::vector<PackingPart>& parts, const PackingRule& rule,
                   PackingState& state) {
    const auto room = [&](std::size_t part) -> std::uint32_t {
        if (rule.spread && state.taken[part] != 0) return 0;
        return parts[part].free - state.taken[part];
    };
    std::uint32_t group_count = 0;
    for (const PackingPart& part : parts) group_count = std::max(group_count, part.group + 1);
    std::vector<std::uint32_t> group_room(group_count);
    for (std::size_t part = 0; part < parts.size(); ++part)
        group_room[parts[part].group] += room(part);
    std::vector<std::uint32_t> order(group_count);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return group_room[a] > group_room[b]; });

    std::uint32_t rest = rule.segment_nodes;
    std::size_t used = 0;
    std::fill(state.segment.begin(), state.segment.end(), std::uint16_t{0});
    for (std::size_t next = 0; rest > 0 && used < rule.max_groups && next < order.size();
         ++next, ++used) {
        std::size_t pick = next;
        while (pick + 1 < order.size() && group_room[order[pick + 1]] >= rest) ++pick;
        std::swap(order[next], order[pick]);
        for (std::size_t part = 0; part < parts.size() && rest > 0; ++part) {
            if (parts[part].group != order[next]) continue;
            const std::uint32_t nodes = std::min(rest, room(part));
            state.segment[part] = static_cast<std::uint16_t>(nodes);
            rest -= nodes;
        }
    }
    if (rest > 0) return false;
    for (std::size_t part = 0; part < parts.size(); ++part)
        state.taken[part] = static_cast<std::uint16_t>(state.taken[part] + state.segment[part]);
    return true;
}

}  // namespace

Packing pack_segments(const std::vector<PackingPart>& parts, const PackingRule& rule,
                      std::uint64_t budget, std::uint64_t& steps) {
    Packing packing;
    if (fill_layers(parts, rule, false, budget, steps, packing)) return packing;
    packing.exact = false;
    bool own_groups = true;
    for (std::size_t part = 1; part < parts.size(); ++part)
        own_groups = own_groups && parts[part].group != parts[part - 1].group;
    if (own_groups && fill_layers(parts, rule, true, 2 * budget, steps, packing)) return packing;

    packing.complete = false;
    packing.layers.assign(1, {{Taken(parts.size()), Taken(parts.size()), 0}});
    PackingState state = packing.layers.front().front();
    while (packing.layers.size() <= rule.max_segments && take_greedily(parts, rule, state))
        packing.layers.push_back({state});
    return packing;
}

}  // namespace nvl72block
