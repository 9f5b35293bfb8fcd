// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/segment_builder.hpp"

#include <algorithm>
#include <tuple>

#include "placement/bound/offer.hpp"
#include "placement/packing/packing.hpp"
#include "placement/preference/taken_nodes.hpp"
#include "placement/state/bisect.hpp"

namespace nvl72block {
namespace {

/// Sums that are formed at most: a part of what a search may take on the smallest cluster.
constexpr std::uint64_t most_sums = 1U << 15;

/// Base blocks that a block of the unit level takes at least, by the segments that it gives, from 0
/// on; or `impossible`.
using BlocksNeeded = std::vector<std::uint32_t>;
constexpr std::uint32_t impossible = ~std::uint32_t{0};

/// The segments of each offer, `units` together, in the fewest base blocks; nullopt where that is
/// impossible or too much work.
std::optional<std::vector<std::uint32_t>> in_few_blocks(const std::vector<BlocksNeeded>& offers,
                                                        std::uint32_t units, Effort& effort) {
    std::uint64_t sums = 0;
    for (const BlocksNeeded& needed : offers)
        sums += std::uint64_t{units + 1U} * std::min<std::uint64_t>(needed.size(), units + 1U);
    if (sums > most_sums) return std::nullopt;
    effort.steps += sums;
    std::vector<std::uint32_t> fewest(units + 1U, impossible);  // by segments of the offers so far
    fewest[0] = 0;
    std::vector<std::vector<std::uint32_t>> given;  // per offer, by segments: what it gives
    for (const BlocksNeeded& needed : offers) {
        std::vector<std::uint32_t> with(units + 1U, impossible);
        std::vector<std::uint32_t>& choice = given.emplace_back(units + 1U);
        for (std::uint32_t before = 0; before <= units; ++before)
            for (std::uint32_t more = 0; more < needed.size() && before + more <= units; ++more) {
                if (fewest[before] == impossible || needed[more] == impossible) continue;
                const std::uint32_t blocks = fewest[before] + needed[more];
                if (blocks >= with[before + more]) continue;
                with[before + more] = blocks;
                choice[before + more] = more;
            }
        fewest = std::move(with);
    }
    if (fewest[units] == impossible) return std::nullopt;
    std::vector<std::uint32_t> segments(offers.size());
    for (std::size_t i = offers.size(); i-- > 0; units -= segments[i])
        segments[i] = given[i][units];
    return segments;
}

class Builder {
  public:
    Builder(const CostLayout& layout, const Problem& problem, Effort& effort)
        : tally_(layout.tally()), layout_(layout), problem_(problem), effort_(effort) {}

    std::optional<Division> run(std::initializer_list<BlockOrder> orders) {
        for (std::uint32_t scope = 0; scope < tally_.vertices(problem_.scope_level); ++scope) {
            if (!may_lie_in(tally_, problem_, scope) || !start(scope)) continue;
            std::vector<Given> given;
            if (orders.size() > 1) given = given_;
            const std::uint32_t rest = rest_;
            built_ = false;
            for (auto order = orders.begin(); order != orders.end() && !built_; ++order) {
                if (order != orders.begin()) given_ = given;
                rest_ = rest;
                build(*order);
            }
            if (best_ && effort_.left() == 0) break;
        }
        return std::move(best_);
    }

  private:
    /// What a vertex of the unit level gives.
    struct Given {
        std::uint32_t vertex = 0;
        std::uint32_t most = 0;  ///< segments, an upper bound
        PackedWay way;           ///< of way.segments segments; none yet where that is 0
        PackedWay next;          ///< of one segment more, where that counts; none where that is 0
    };

    void build(BlockOrder order) {
        if (order == BlockOrder::cheapest) return raise_cheapest();
        for (auto next = given_.begin(); rest_ > 0 && next != given_.end(); ++next) {
            if (effort_.left() == 0 && !effort_.last_resort()) break;
            const std::uint32_t least = given_.size() == 1 ? rest_ : 1;
            raise(*next, next->way.segments + least);
        }
        if (rest_ == 0) keep();
        if (best_ && effort_.left() == 0) return;
        if (problem_.max_base_blocks != 0 && given_.size() > 1) build_in_few_blocks();
    }

    /// Segment by segment where one more costs least.
    void raise_cheapest() {
        if (given_.size() == 1) return;  // nothing to choose
        std::vector<std::uint32_t> heap;
        for (std::uint32_t i = 0; i < given_.size(); ++i)
            if (look_ahead(given_[i])) heap.push_back(i);
        const auto dearer = [&](std::uint32_t a, std::uint32_t b) {
            Cost with_a = given_[a].next.cost;
            Cost with_b = given_[b].next.cost;
            layout_.add(with_a, given_[b].way.cost);
            layout_.add(with_b, given_[a].way.cost);
            return with_a == with_b ? a > b : layout_.less(with_b, with_a);
        };
        std::make_heap(heap.begin(), heap.end(), dearer);
        while (rest_ > 0 && !heap.empty() && effort_.left() > 0) {
            std::pop_heap(heap.begin(), heap.end(), dearer);
            Given& best = given_[heap.back()];
            best.way = std::move(best.next);
            --rest_;
            if (rest_ > 0 && look_ahead(best))
                std::push_heap(heap.begin(), heap.end(), dearer);
            else
                heap.pop_back();
        }
        if (rest_ == 0) keep();
    }

    /// Whether the vertex can give one segment more.
    bool look_ahead(Given& given) {
        return given.way.segments < given.most && effort_.left() > 0 &&
               find_way(given.vertex, given.way.segments + 1, given.next);
    }

    /// By the fewest base blocks that each vertex needs at least. Where it turns out to need more,
    /// once again with what it needs.
    void build_in_few_blocks() {
        std::vector<BlocksNeeded> offers;
        for (const Given& given : given_) offers.push_back(offer_of(given));
        for (int attempt = 0; attempt < 32; ++attempt) {
            const auto segments = in_few_blocks(offers, problem_.units, effort_);
            if (!segments) return;
            bool as_expected = true;
            for (std::size_t i = 0; i < given_.size(); ++i) {
                std::uint32_t& blocks = offers[i][(*segments)[i]];
                given_[i].way = {};
                const bool gives = (*segments)[i] == 0 ||
                                   find_way(given_[i].vertex, (*segments)[i], given_[i].way);
                const std::uint32_t used = gives ? given_[i].way.base_blocks : impossible;
                as_expected = as_expected && gives && blocks == used;
                blocks = used;
            }
            if (as_expected) return keep();
            if (effort_.left() == 0) return;
        }
    }

    [[nodiscard]] BlocksNeeded offer_of(const Given& given) const {
        BlocksNeeded needed = blocks_needed(tally_, problem_, given.vertex);
        needed.resize(std::min<std::size_t>(needed.size(), problem_.units + 1U));
        const std::size_t least = unit_range(tally_, problem_, given.vertex).least;
        std::fill_n(needed.begin(), std::min(least, needed.size()), impossible);
        effort_.steps += tally_.blocks(problem_.unit_level, given.vertex).size();
        return needed;
    }

    /// The vertices in their order; those with required nodes come first and give what they must.
    bool start(std::uint32_t scope) {
        given_.clear();
        rest_ = problem_.units;
        for (const std::uint32_t vertex :
             tally_.below(problem_.scope_level, scope, problem_.unit_level)) {
            const UnitRange range = unit_range(tally_, problem_, vertex);
            if (range.least > range.most) return false;
            if (range.most > 0) given_.push_back({vertex, range.most, {}, {}});
        }
        const auto key = [&](const Given& given) {
            const bool required = tally_.required(problem_.unit_level, given.vertex) > 0;
            return std::tuple(!required, ~given.most, ~free(given));
        };
        std::ranges::stable_sort(given_, std::less{}, key);
        effort_.steps += given_.size();
        for (Given& given : given_)
            given.most = std::min(given.most, most_packed(tally_, problem_, given.vertex, effort_));
        if (given_.size() == 1) return true;  // gives all segments
        for (Given& given : given_) {
            const std::uint32_t least = unit_range(tally_, problem_, given.vertex).least;
            if (least == 0) break;
            const std::uint32_t most = std::min(given.most, rest_);
            std::uint32_t segments = least;
            while (segments <= most && !find_way(given.vertex, segments, given.way)) ++segments;
            if (segments > most) return false;
            rest_ -= segments;
        }
        return true;
    }

    [[nodiscard]] std::uint32_t free(const Given& given) const {
        return tally_.free(problem_.unit_level, given.vertex);
    }

    /// As many segments as are needed, or can be had; if that is below `least`, none more.
    void raise(Given& given, std::uint32_t least) {
        const std::uint32_t before = given.way.segments;
        const auto can_give = [&](std::uint32_t segments) {
            return find_way(given.vertex, segments, given.way);
        };
        std::uint32_t failed = std::min(given.most, before + rest_) + 1;
        std::uint32_t fits = 0;
        for (std::uint32_t less = 1; fits == 0 && failed > least; less *= 2) {
            const std::uint32_t segments = failed - std::min(less, failed - least);
            (can_give(segments) ? fits : failed) = segments;
        }
        if (fits == 0) return;
        rest_ -= first_failing(fits + 1, failed, can_give) - 1 - before;
    }

    /// Whether a vertex can give so many segments: then how.
    bool find_way(std::uint32_t vertex, std::uint32_t segments, PackedWay& way) {
        std::vector<PackedWay> ways =
            construct_ways({layout_, problem_, vertex}, segments, effort_);
        if (ways.empty()) return false;
        // By ascending base blocks: few where they are limited and other vertices need some, too.
        const auto cheapest = std::min_element(
            ways.begin(), ways.end(),
            [&](const PackedWay& a, const PackedWay& b) { return layout_.less(a.cost, b.cost); });
        way = std::move(given_.size() > 1 ? ways.front() : *cheapest);
        return true;
    }

    void keep() {
        Division division;
        for (const Given& given : given_)
            for (const std::vector<Share>& segment : given.way.shares) {
                division.shares.insert(division.shares.end(), segment.begin(), segment.end());
                division.close_segment();
            }
        effort_.steps += division.shares.size() * (layout_.words() + 1);
        if (problem_.max_base_blocks != 0 && base_blocks(division) > problem_.max_base_blocks)
            return;
        built_ = true;
        division.cost = cost_of(layout_, division);
        if (!best_ || layout_.less(division.cost, best_->cost)) best_ = std::move(division);
    }

    const Tally& tally_;
    const CostLayout& layout_;
    const Problem& problem_;
    Effort& effort_;
    std::vector<Given> given_;  // of the scope, those that give segments first
    std::uint32_t rest_ = 0;    // segments that are not given yet
    bool built_ = false;        // a division of the scope
    std::optional<Division> best_;
};

}  // namespace

std::optional<Division> build_segments(const CostLayout& layout, const Problem& problem,
                                       std::initializer_list<BlockOrder> orders, Effort& effort) {
    return Builder(layout, problem, effort).run(orders);
}

}  // namespace nvl72block
