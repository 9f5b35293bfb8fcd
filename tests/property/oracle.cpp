// SPDX-License-Identifier: GPL-2.0-or-later
#include "oracle.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace nvl72block::oracle {

namespace {

std::uint32_t sum(std::span<const std::uint32_t> counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
}

/// A span of memory that the next call writes again: vectors are looked at by the million.
std::span<const std::uint32_t> used_blocks(std::span<const std::uint32_t> taken) {
    static std::vector<std::uint32_t> used;
    used.clear();
    for (std::uint32_t i = 0; i < taken.size(); ++i)
        if (taken[i] > 0) used.push_back(i);
    return used;
}

std::uint64_t pack(const Counts& counts) {
    std::uint64_t key = 0;
    for (const std::uint32_t count : counts) key = key << 5 | count;
    return key;
}

/// Calls visit(vector) for each vector of the given sum that is nowhere above `limit`, until one
/// call returns true; tells whether one did.
template <typename Visit>
bool any_vector(const Counts& limit, std::uint32_t total, Visit visit) {
    Counts vector(limit.size());
    // `room` is what the blocks from this one on can take.
    const auto fill = [&](const auto& self, std::size_t block, std::uint32_t rest,
                          std::uint32_t room) -> bool {
        if (rest > room) return false;
        if (block == limit.size()) return visit(vector);
        bool found = false;
        const std::uint32_t behind = room - limit[block];
        for (std::uint32_t take = rest > behind ? rest - behind : 0;
             !found && take <= std::min(limit[block], rest); ++take) {
            vector[block] = take;
            found = self(self, block + 1, rest - take, behind);
        }
        vector[block] = 0;
        return found;
    };
    return fill(fill, 0, total, sum(limit));
}

}  // namespace

Oracle::Oracle(Shape shape, Counts largest)
    : shape_(std::move(shape)), largest_(std::move(largest)) {
    assert(largest_.size() == shape_.blocks && shape_.blocks <= 12);
    assert(std::ranges::all_of(largest_, [](std::uint32_t c) { return c < 32; }));
}

// ---- rules that do not depend on the state -----------------------------------------------------

/// Decides whether a vector can be cut into segments: takes one segment away in every possible
/// way and asks about the rest.
struct Oracle::CutSearch {
    const Shape& shape;
    std::uint32_t size;
    bool spread;
    CutMemo& memo;

    [[nodiscard]] bool possible(const Counts& rest) const {
        const auto first = std::ranges::find_if(rest, [](std::uint32_t c) { return c > 0; });
        if (first == rest.end()) return true;
        if (const auto known = memo.find(pack(rest)); known != memo.end()) return known->second;
        // The first block that is left serves some segment: it does no harm to take that one now.
        const auto at = static_cast<std::size_t>(first - rest.begin());
        const bool found = any_vector(rest, size, [&](const Counts& part) {
            return part[at] > 0 && is_segment(part, rest) && possible(minus(rest, part));
        });
        memo.emplace(pack(rest), found);
        return found;
    }

    [[nodiscard]] bool is_segment(const Counts& part, const Counts& rest) const {
        for (std::size_t i = 0; spread && i < part.size(); ++i)
            if (part[i] > 0 && part[i] < rest[i]) return false;  // another segment gets the others
        return plain_rule(shape, used_blocks(part), size);
    }

    static Counts minus(Counts counts, const Counts& part) {
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] -= part[i];
        return counts;
    }
};

bool Oracle::can_be_cut(const Counts& taken, std::uint32_t size, bool spread) {
    return CutSearch{shape_, size, spread, cuts_[{size, spread}]}.possible(taken);
}

bool Oracle::legal(std::span<const std::uint32_t> taken, const Request& request) {
    const std::uint32_t nodes = sum(taken);
    const auto used = used_blocks(taken);
    if (request.max_base_blocks > 0 && used.size() > request.max_base_blocks) return false;
    if (request.segment_size == 0 || nodes <= request.segment_size)
        return plain_rule(shape_, used, nodes);
    if (nodes % request.segment_size != 0) return false;
    if (request.consolidate_segments &&
        !in_one_block(shape_, used, consolidation_level(shape_, request, nodes)))
        return false;
    return can_be_cut(Counts(taken.begin(), taken.end()), request.segment_size,
                      request.spread_segments);
}

const std::vector<std::uint32_t>& Oracle::legal_vectors(std::uint32_t nodes,
                                                        const Request& request) {
    const RuleKey key{nodes, request.segment_size, request.spread_segments,
                      request.consolidate_segments, request.max_base_blocks};
    const auto [entry, fresh] = legal_.try_emplace(key);
    if (fresh)
        (void)any_vector(largest_, nodes, [&](const Counts& taken) {
            if (legal(taken, request))
                entry->second.insert(entry->second.end(), taken.begin(), taken.end());
            return false;
        });
    return entry->second;
}

// ---- the search --------------------------------------------------------------------------------

bool Oracle::best_of(const Facts& facts, const Request& request, std::uint32_t nodes,
                     Optimum& best) {
    bool found = false;
    const std::size_t width = shape_.blocks;
    const auto& vectors = legal_vectors(nodes, request);
    for (std::size_t at = 0; at < vectors.size(); at += width) {
        const auto taken = std::span(vectors).subspan(at, width);
        bool fits = true;
        for (std::size_t i = 0; i < width; ++i)
            fits = fits && facts.must_take[i] <= taken[i] && taken[i] <= facts.free[i];
        if (!fits) continue;
        rank_counts(facts, request, taken, scratch_);
        if (found && !better(scratch_, best.rank)) continue;
        found = true;
        std::swap(best.rank, scratch_);
        best.taken.assign(taken.begin(), taken.end());
    }
    return found;
}

std::optional<Optimum> Oracle::solve(const Facts& facts, const Request& request) {
    if (request.min_nodes == 0 || request.min_nodes > request.max_nodes) return std::nullopt;
    if (!facts.required_usable) return std::nullopt;
    Optimum best;
    if (facts.required_outside == 0)
        for (best.nodes = std::min(request.max_nodes, facts.inside());
             best.nodes >= request.min_nodes; --best.nodes)
            if (best_of(facts, request, best.nodes, best)) return best;
    if (request.segment_size > 0 || sum(facts.must_take) > 0) return std::nullopt;
    best.outside = true;
    best.nodes = std::min(request.max_nodes, static_cast<std::uint32_t>(facts.outside.size()));
    if (best.nodes < request.min_nodes || best.nodes < facts.required_outside) return std::nullopt;
    return best;
}

std::uint32_t Oracle::segments_fit(const Facts& facts, const Request& request) {
    for (std::uint32_t fit = facts.inside() / request.segment_size; fit > 0; --fit) {
        Request fewer = request;
        fewer.min_nodes = fewer.max_nodes = fit * request.segment_size;
        if (solve(facts, fewer)) return fit;
    }
    return 0;
}

NodeSet nodes_of(const Facts& facts, const Optimum& best, std::size_t node_count) {
    NodeSet nodes(node_count);
    if (best.outside)
        for (std::uint32_t i = 0; i < best.nodes; ++i) nodes.set(facts.outside[i]);
    for (std::size_t block = 0; !best.outside && block < best.taken.size(); ++block)
        for (std::uint32_t i = 0; i < best.taken[block]; ++i) nodes.set(facts.order[block][i]);
    return nodes;
}

}  // namespace nvl72block::oracle
