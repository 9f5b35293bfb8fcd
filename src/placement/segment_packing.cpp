// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/segment_packing.hpp"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <tuple>
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
        return walk(visit);
    }

  private:
    static constexpr std::uint32_t no_group = ~std::uint32_t{0};

    [[nodiscard]] std::uint32_t room(std::size_t part) const {
        if (rule_.spread && (*taken_)[part] != 0) return 0;
        return parts_[part].free - (*taken_)[part];
    }

    /// What is open at one part; its position in `path_` is the part's.
    struct Choice {
        std::uint32_t rest = 0;  ///< nodes that the segment still lacks
        std::uint32_t groups = 0;
        std::uint32_t last_group = no_group;
        std::uint32_t next = 0;  ///< nodes to try next; 0: the part is still to be skipped
    };

    /// Depth first without recursion: a site has more parts than a thread's stack has room for.
    template <typename Visit>
    bool walk(Visit& visit) {
        path_.assign(1, {.rest = rule_.segment_nodes});
        while (!path_.empty()) {
            const std::size_t part = path_.size() - 1;
            const Choice here = path_.back();
            const std::uint32_t nodes = path_.back().next++;
            if (nodes == 0) {
                if (++steps_ > budget_) return false;
                if (here.rest == 0) visit(segment_);
                if (here.rest == 0 || part == parts_.size() || left_[part] < here.rest)
                    path_.pop_back();
                else
                    path_.push_back(here);
                continue;
            }
            const std::uint32_t used =
                here.groups + (parts_[part].group != here.last_group ? 1 : 0);
            const bool possible =
                used <= rule_.max_groups && nodes <= std::min(here.rest, room(part));
            segment_[part] = static_cast<std::uint16_t>(possible ? nodes : 0);
            if (possible)
                path_.push_back({here.rest - nodes, used, parts_[part].group, 0});
            else
                path_.pop_back();
        }
        return true;
    }

    const std::vector<PackingPart>& parts_;
    const PackingRule& rule_;
    std::uint64_t budget_;
    std::uint64_t& steps_;
    const Taken* taken_ = nullptr;
    std::vector<std::uint32_t> left_;
    std::vector<Choice> path_;
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
/// completes the segment. With `required_first` groups and parts that still owe required nodes come
/// before all others. False when no `max_groups` groups hold it.
class ThumbSegment {
  public:
    ThumbSegment(const std::vector<PackingPart>& parts, const PackingRule& rule,
                 bool required_first)
        : parts_(parts), rule_(rule), required_first_(required_first) {
        for (const PackingPart& part : parts)
            groups_.resize(std::max<std::size_t>(groups_.size(), part.group + 1U));
    }

    bool take(PackingState& state) {
        order_groups(state);
        std::uint32_t rest = rule_.segment_nodes;
        std::fill(state.segment.begin(), state.segment.end(), std::uint16_t{0});
        for (std::size_t next = 0; rest > 0 && next < rule_.max_groups && next < groups_.size();
             ++next) {
            std::size_t pick = next;
            while (pick + 1 < groups_.size() && groups_[pick + 1].owes == groups_[pick].owes &&
                   groups_[pick + 1].room >= rest)
                ++pick;
            std::swap(groups_[next], groups_[pick]);
            if (required_first_) take_from(groups_[next].index, true, state, rest);
            take_from(groups_[next].index, false, state, rest);
        }
        if (rest > 0) return false;
        for (std::size_t part = 0; part < parts_.size(); ++part)
            state.taken[part] = static_cast<std::uint16_t>(state.taken[part] + state.segment[part]);
        return true;
    }

  private:
    struct Group {
        std::uint32_t index = 0;
        std::uint32_t room = 0;
        bool owes = false;  ///< required nodes, where they come first
    };

    [[nodiscard]] std::uint32_t room(const PackingState& state, std::size_t part) const {
        if (rule_.spread && state.taken[part] != 0) return 0;
        return parts_[part].free - state.taken[part];
    }
    [[nodiscard]] bool owes(const PackingState& state, std::size_t part) const {
        return required_first_ && parts_[part].required > state.taken[part] &&
               room(state, part) > 0;
    }

    void order_groups(const PackingState& state) {
        for (std::uint32_t index = 0; index < groups_.size(); ++index) groups_[index] = {index};
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            Group& group = groups_[parts_[part].group];
            group.room += room(state, part);
            group.owes = group.owes || owes(state, part);
        }
        std::stable_sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
            return std::tuple(!a.owes, b.room) < std::tuple(!b.owes, a.room);
        });
    }

    void take_from(std::uint32_t group, bool only_owed, PackingState& state, std::uint32_t& rest) {
        for (std::size_t part = 0; part < parts_.size() && rest > 0; ++part) {
            if (parts_[part].group != group || (only_owed && !owes(state, part))) continue;
            const std::uint32_t nodes =
                std::min(rest, room(state, part) - std::uint32_t{state.segment[part]});
            state.segment[part] = static_cast<std::uint16_t>(state.segment[part] + nodes);
            rest -= nodes;
        }
    }

    const std::vector<PackingPart>& parts_;
    const PackingRule& rule_;
    bool required_first_;
    std::vector<Group> groups_;
};

/// Segment after segment; each layer holds the next state of every order that got so far.
void pack_by_thumb(const std::vector<PackingPart>& parts, const PackingRule& rule,
                   Packing& packing) {
    struct Chain {
        ThumbSegment thumb;
        PackingState state;
        bool alive = true;
        std::uint32_t place = 0;  // in the layer before
    };
    const PackingState start{Taken(parts.size()), Taken(parts.size()), 0};
    packing.layers.assign(1, {start});
    std::vector<Chain> chains;
    chains.push_back({{parts, rule, false}, start});
    if (std::any_of(parts.begin(), parts.end(), [](const auto& p) { return p.required > 0; }))
        chains.push_back({{parts, rule, true}, start});
    while (packing.layers.size() <= rule.max_segments) {
        std::vector<PackingState> layer;
        for (Chain& chain : chains) {
            chain.alive = chain.alive && chain.thumb.take(chain.state);
            if (!chain.alive) continue;
            chain.state.previous = chain.place;
            chain.place = static_cast<std::uint32_t>(layer.size());
            layer.push_back(chain.state);
        }
        if (layer.empty()) return;
        packing.layers.push_back(std::move(layer));
    }
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
    pack_by_thumb(parts, rule, packing);
    return packing;
}

}  // namespace nvl72block
