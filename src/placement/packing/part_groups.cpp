// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/part_groups.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "placement/packing/part_sets.hpp"
#include "placement/state/bisect.hpp"

namespace nvl72block {
namespace {

/// Several groups, each with as many parts as it may have, by all sets of parts.
class TightGroups {
  public:
    TightGroups(const std::vector<SegmentPart>& parts, const SegmentRule& rule, Effort& effort)
        : parts_(parts),
          rule_(rule),
          effort_(effort),
          sets_(parts.size(), [&](std::uint32_t a, std::uint32_t b) {
              return parts[a].free == parts[b].free && parts[a].required == parts[b].required;
          }) {
        effort.steps += parts.size();
    }

    /// Whether there are enough steps, and segments are few enough: groups are counted up to 63.
    [[nodiscard]] bool affordable(std::uint32_t segments) const {
        return segments <= most_groups && sets_.affordable(effort_.left());
    }

    /// Groups for exactly `segments` segments with all required nodes; nullopt: there are none.
    std::optional<PartGroups> run(std::uint32_t segments) {
        offers_.assign(sets_.size(), {});
        offers_[0].divides = 1;
        const std::uint32_t required =
            sets_.all_of([&](std::size_t kind) { return part(kind).required > 0; });
        for (std::uint32_t set = 1; set < sets_.size(); ++set) {
            join(set);
            const std::uint32_t groups = tight_groups(rule_, segments, offers_[set].parts);
            if (groups == 0 || groups > most_groups) continue;
            if (((offers_[set].divides >> groups) & 1U) != 0 && sets_.holds(set, required))
                return read_back(set, groups);
        }
        return std::nullopt;
    }

  private:
    static constexpr std::uint32_t most_groups = 63;
    struct Offer {
        std::uint32_t parts = 0;
        bool is_group = false;  // one group with as many parts as it may have
        std::uint64_t free = 0;
        std::uint64_t required = 0;
        std::uint64_t divides = 0;  // bit c: into c groups
    };

    [[nodiscard]] const SegmentPart& part(std::size_t kind) const {
        return parts_[sets_.kind(kind).front()];
    }

    void join(std::uint32_t set) {
        const std::size_t top = sets_.top(set);
        Offer& offer = offers_[set];
        offer = offers_[set - sets_.stride(top)];
        offer.parts += 1;
        offer.free += part(top).free;
        offer.required += part(top).required;
        const std::uint64_t nodes = std::uint64_t{tight_segments(rule_, offer.parts)} * rule_.nodes;
        offer.is_group = nodes > 0 && offer.free >= nodes && offer.required <= nodes;
        offer.divides = 0;
        sets_.for_each_subset(set, [&](std::uint32_t group) {
            ++effort_.steps;
            if (offers_[group].is_group) offer.divides |= offers_[set - group].divides << 1;
            return true;
        });
    }

    [[nodiscard]] PartGroups read_back(std::uint32_t set, std::uint32_t count) {
        PartGroups groups;
        std::vector<std::size_t> used(sets_.kinds(), 0);
        for (; count > 0; --count) {
            std::uint32_t found = 0;
            sets_.for_each_subset(set, [&](std::uint32_t group) {
                ++effort_.steps;
                if (((offers_[set - group].divides >> (count - 1)) & 1U) != 0 &&
                    offers_[group].is_group)
                    found = group;
                return found == 0;
            });
            PartGroup group;
            for (std::size_t kind = 0; kind < sets_.kinds(); ++kind)
                for (std::uint32_t left = sets_.digit(found, kind); left > 0; --left)
                    group.parts.push_back(sets_.kind(kind)[used[kind]++]);
            group.segments = tight_segments(rule_, offers_[found].parts);
            groups.push_back(std::move(group));
            set -= found;
        }
        return groups;
    }

    const std::vector<SegmentPart>& parts_;
    SegmentRule rule_;
    Effort& effort_;
    PartSets sets_;
    std::vector<Offer> offers_;  // per set
};

}  // namespace

PartGrouping::PartGrouping(const std::vector<SegmentPart>& parts, const SegmentRule& rule,
                           Effort& effort)
    : parts_(parts), rule_(rule), effort_(effort), order_(parts.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::stable_sort(order_, std::greater{}, [&](auto part) { return parts_[part].free; });
    largest_sum_.push_back(0);
    for (const std::uint32_t part : order_) {
        largest_sum_.push_back(largest_sum_.back() + parts_[part].free);
        required_ += parts_[part].required;
        if (parts_[part].required > 0) ++required_parts_;
    }
    effort_.steps += steps_per_construction + 2 * parts.size();
    bound_ = find_bound();
}

/// Whatever fits for some number of segments fits for fewer, required nodes aside.
std::uint32_t PartGrouping::find_bound() const {
    const auto most = static_cast<std::uint32_t>(largest_sum_.back() / rule_.nodes);
    return first_failing(0U, most, [&](std::uint32_t segments) { return may_fit(segments + 1); });
}

bool PartGrouping::may_fit(std::uint32_t segments) const {
    const std::uint64_t nodes = std::uint64_t{segments} * rule_.nodes;
    const std::uint64_t one = std::min<std::uint64_t>(most_parts(rule_, segments), order_.size());
    if (largest_sum_[one] >= nodes) return true;
    const std::uint64_t all =
        std::min<std::uint64_t>(std::uint64_t{segments} * rule_.max_parts, order_.size());
    return largest_sum_[all] >= nodes && lacks_fit(segments);
}

/// Lower bounds on the bins for the lacks of the segments * max_parts largest parts, which must not
/// exceed `segments` (empty parts fill a bin each and are counted as such).
bool PartGrouping::lacks_fit(std::uint32_t segments) const {
    const std::uint64_t want = std::uint64_t{segments} * rule_.max_parts;
    const std::uint64_t used = std::min<std::uint64_t>(want, order_.size());
    if (want - used > segments) return false;
    const std::uint64_t bins = segments - (want - used);
    const auto lack = [&](std::uint64_t rank) {  // ascending with the rank
        return std::int64_t{rule_.nodes} -
               std::int64_t{rule_.max_parts - 1} * parts_[order_[rank]].free;
    };
    if (used == 0) return true;
    effort_.steps += used;
    if (lack(0) <= 0) return true;
    // A bin holds no more parts than fit where all lack the least, and 1 above a multiple of
    // max_parts - 1.
    std::uint64_t most = rule_.nodes / static_cast<std::uint64_t>(lack(0));
    most = most == 0 ? 1 : (most - 1) / (rule_.max_parts - 1) * (rule_.max_parts - 1) + 1;
    if (used > bins * most) return false;
    // For each size k up to half a bin: parts of more than s - k need a bin each and take nothing
    // else of k or more; those above s / 2 a bin each; what lies between fills the rest.
    std::uint64_t big = used;  // ranks from `big` on lack more than half a bin
    while (big > 0 && 2 * lack(big - 1) > std::int64_t{rule_.nodes}) --big;
    std::uint64_t lone = used;  // ranks from `lone` on lack more than s - k
    std::int64_t middle = 0;    // sum of the lacks from k to s - k
    std::uint64_t first = 0;    // ranks from `first` on lack at least k
    for (std::uint64_t rank = 0; rank < used; ++rank) middle += lack(rank);
    while (first < big) {
        const std::int64_t k = lack(first);
        while (lone > big && lack(lone - 1) > std::int64_t{rule_.nodes} - k) middle -= lack(--lone);
        const std::int64_t room =
            std::int64_t{rule_.nodes} *
            (static_cast<std::int64_t>(bins) - static_cast<std::int64_t>(used - lone));
        if (middle > room) return false;
        while (first < big && lack(first) == k) middle -= lack(first++);
    }
    return used - big <= bins;
}

/// One group of the required parts and the largest others, as few as suffice.
std::optional<PartGroups> PartGrouping::one_group(std::uint32_t segments) const {
    const std::uint64_t nodes = std::uint64_t{segments} * rule_.nodes;
    const std::uint64_t most = most_parts(rule_, segments);
    if (required_ > nodes || required_parts_ > most || largest_sum_.back() < nodes)
        return std::nullopt;
    PartGroup group{{}, segments};
    std::uint64_t sum = 0;
    if (required_parts_ > 0)
        for (const std::uint32_t part : order_)
            if (parts_[part].required > 0) {
                group.parts.push_back(part);
                sum += parts_[part].free;
            }
    for (const std::uint32_t part : order_) {
        ++effort_.steps;
        if (sum >= nodes || group.parts.size() == most) break;
        if (parts_[part].required > 0) continue;
        group.parts.push_back(part);
        sum += parts_[part].free;
    }
    if (sum < nodes) return std::nullopt;
    return PartGroups{std::move(group)};
}

std::optional<PartGroups> PartGrouping::groups_for(std::uint32_t segments, bool& complete) {
    if (segments == 0 && required_ == 0) return PartGroups{};
    if (segments > bound_ || required_ > std::uint64_t{segments} * rule_.nodes ||
        required_parts_ > std::uint64_t{segments} * rule_.max_parts)
        return std::nullopt;
    if (auto one = one_group(segments)) return one;
    if (auto merged = merge_parts(parts_, order_, rule_, segments, effort_)) return merged;
    TightGroups tight(parts_, rule_, effort_);
    if (tight.affordable(segments)) return tight.run(segments);
    complete = false;
    return std::nullopt;
}

}  // namespace nvl72block
