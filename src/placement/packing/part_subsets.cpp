// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/packing/part_subsets.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace nvl72block {
namespace {

/// Parts that offer the same.
struct Kind {
    SegmentPart part;
    std::vector<std::uint32_t> members;
    std::uint32_t stride = 1;  ///< what one of them adds to the number of a set
};

std::vector<Kind> kinds_of(const std::vector<SegmentPart>& parts) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> members;
    for (std::uint32_t part = 0; part < parts.size(); ++part)
        members[{parts[part].free, parts[part].required}].push_back(part);
    std::vector<Kind> kinds;
    for (auto& [offer, same] : members)
        kinds.push_back({{offer.first, offer.second}, std::move(same), 1});
    return kinds;
}

/// A set is so many parts of each kind; its number counts like digits, the first kind fastest.
class Subsets {
  public:
    Subsets(std::vector<Kind> kinds, const SegmentRule& rule, Effort& effort)
        : kinds_(std::move(kinds)), rule_(rule), effort_(effort) {}

    /// Numbers the sets; false when they are too many for the steps left.
    bool count() {
        std::uint64_t sets = 1;
        std::uint64_t pairs = 1;
        for (Kind& kind : kinds_) {
            const std::uint64_t size = kind.members.size();
            kind.stride = static_cast<std::uint32_t>(sets);
            sets *= size + 1;
            pairs *= (size + 1) * (size + 2) / 2;
            if (pairs > effort_.left() || sets > most_sets) return false;
        }
        sets_.assign(sets, {});
        return true;
    }

    std::optional<PartGroups> run(std::uint32_t segments) {
        set_sums();
        sets_[0].divides = 1;
        std::uint32_t required = 0;
        for (const Kind& kind : kinds_)
            if (kind.part.required > 0)
                required += kind.stride * static_cast<std::uint32_t>(kind.members.size());
        for (std::uint32_t set = 1; set < sets_.size(); ++set) {
            join(set);
            if (!holds(set, required)) continue;
            // v parts in c groups give (v - c) / (m - 1) segments.
            const std::uint64_t tight = std::uint64_t{segments} * (rule_.max_parts - 1);
            if (sets_[set].parts <= tight || sets_[set].parts - tight >= 64) continue;
            const auto groups = static_cast<std::uint32_t>(sets_[set].parts - tight);
            if (((sets_[set].divides >> groups) & 1U) != 0) return read_back(set, groups);
        }
        return std::nullopt;
    }

  private:
    struct Set {
        std::uint32_t parts = 0;
        std::uint64_t free = 0;
        std::uint64_t required = 0;
        std::uint64_t divides = 0;  // bit c: into c groups
    };
    static constexpr std::uint64_t most_sets = 1U << 13;

    [[nodiscard]] std::uint32_t digit(std::uint32_t set, const Kind& kind) const {
        return set / kind.stride % static_cast<std::uint32_t>(kind.members.size() + 1);
    }

    void set_sums() {
        for (std::uint32_t set = 1; set < sets_.size(); ++set) {
            for (const Kind& kind : kinds_) {
                ++effort_.steps;
                if (digit(set, kind) == 0) continue;
                sets_[set] = sets_[set - kind.stride];
                sets_[set].parts += 1;
                sets_[set].free += kind.part.free;
                sets_[set].required += kind.part.required;
                break;
            }
        }
    }

    [[nodiscard]] bool holds(std::uint32_t set, std::uint32_t subset) const {
        return std::all_of(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
            return digit(set, kind) >= digit(subset, kind);
        });
    }

    /// Whether a set is one group with as many parts as it may have.
    [[nodiscard]] bool is_group(const Set& set) const {
        const std::uint64_t segments = (set.parts - 1) / (rule_.max_parts - 1);
        return set.parts > 1 && (set.parts - 1) % (rule_.max_parts - 1) == 0 &&
               set.free >= segments * rule_.nodes && set.required <= segments * rule_.nodes;
    }

    /// Visits the subsets of a set that hold one of its highest kind, until `visit` says false.
    template <typename Visit>
    void for_each_subset(std::uint32_t set, Visit visit) {
        std::vector<std::uint32_t> most;
        for (const Kind& kind : kinds_) most.push_back(digit(set, kind));
        std::size_t top = kinds_.size() - 1;
        while (most[top] == 0) --top;
        std::vector<std::uint32_t> digits(kinds_.size(), 0);
        digits[top] = 1;
        std::uint32_t subset = kinds_[top].stride;
        for (;;) {
            ++effort_.steps;
            if (!visit(subset)) return;
            std::size_t at = 0;
            for (; at <= top && digits[at] == most[at]; ++at) {
                const std::uint32_t least = at == top ? 1 : 0;
                subset -= (digits[at] - least) * kinds_[at].stride;
                digits[at] = least;
            }
            if (at > top) return;
            ++digits[at];
            subset += kinds_[at].stride;
        }
    }

    void join(std::uint32_t set) {
        for_each_subset(set, [&](std::uint32_t group) {
            if (sets_[set - group].divides != 0 && is_group(sets_[group]))
                sets_[set].divides |= sets_[set - group].divides << 1;
            return true;
        });
    }

    [[nodiscard]] PartGroups read_back(std::uint32_t set, std::uint32_t count) {
        PartGroups groups;
        std::vector<std::size_t> used(kinds_.size(), 0);
        for (; count > 0; --count) {
            std::uint32_t found = 0;
            for_each_subset(set, [&](std::uint32_t group) {
                if (((sets_[set - group].divides >> (count - 1)) & 1U) != 0 &&
                    is_group(sets_[group]))
                    found = group;
                return found == 0;
            });
            PartGroup group;
            for (std::size_t i = 0; i < kinds_.size(); ++i)
                for (std::uint32_t left = digit(found, kinds_[i]); left > 0; --left)
                    group.parts.push_back(kinds_[i].members[used[i]++]);
            group.segments =
                static_cast<std::uint32_t>((group.parts.size() - 1) / (rule_.max_parts - 1));
            groups.push_back(std::move(group));
            set -= found;
        }
        return groups;
    }

    std::vector<Kind> kinds_;
    SegmentRule rule_;
    Effort& effort_;
    std::vector<Set> sets_;
};

}  // namespace

std::optional<SubsetAnswer> group_subsets(const std::vector<SegmentPart>& parts,
                                          const SegmentRule& rule, std::uint32_t segments,
                                          Effort& effort) {
    // Sets are told apart up to 63 groups.
    if (parts.empty() || segments > 63) return std::nullopt;
    Subsets subsets(kinds_of(parts), rule, effort);
    effort.steps += parts.size();
    if (!subsets.count()) return std::nullopt;
    return SubsetAnswer{subsets.run(segments)};
}

}  // namespace nvl72block
