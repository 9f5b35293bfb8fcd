// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/part_subsets.hpp"

#include <bit>

namespace nvl72block {
namespace {

class Subsets {
  public:
    Subsets(const std::vector<SegmentPart>& parts, const SegmentRule& rule, Effort& effort)
        : parts_(parts), rule_(rule), effort_(effort), groups_(std::size_t{1} << parts.size(), 0) {
        groups_[0] = 1;
    }

    std::optional<PartGroups> run(std::uint32_t segments) {
        std::uint32_t required = 0;
        for (std::uint32_t part = 0; part < parts_.size(); ++part)
            if (parts_[part].required > 0) required |= 1U << part;
        set_sums();
        for (std::uint32_t set = 1; set < groups_.size(); ++set) {
            join(set);
            if ((set & required) != required) continue;
            // v parts in c groups give (v - c) / (m - 1) segments.
            const std::int64_t count =
                std::int64_t{std::popcount(set)} - std::int64_t{segments} * (rule_.max_parts - 1);
            if (count > 0 && count < 32 && ((groups_[set] >> count) & 1U) != 0)
                return read_back(set, static_cast<std::uint32_t>(count));
        }
        return std::nullopt;
    }

  private:
    void set_sums() {
        free_.assign(groups_.size(), 0);
        required_.assign(groups_.size(), 0);
        for (std::uint32_t set = 1; set < groups_.size(); ++set) {
            const auto part = static_cast<std::uint32_t>(std::countr_zero(set));
            free_[set] = free_[set & (set - 1)] + parts_[part].free;
            required_[set] = required_[set & (set - 1)] + parts_[part].required;
        }
        effort_.steps += groups_.size();
    }

    /// Whether a set is one group with as many parts as it may have.
    [[nodiscard]] bool is_group(std::uint32_t set) const {
        const auto others = static_cast<std::uint32_t>(std::popcount(set)) - 1;
        const std::uint64_t segments = others / (rule_.max_parts - 1);
        return others > 0 && others % (rule_.max_parts - 1) == 0 &&
               free_[set] >= segments * rule_.nodes && required_[set] <= segments * rule_.nodes;
    }

    /// Bit c of groups_[set]: it divides into c groups.
    void join(std::uint32_t set) {
        for_each_subset_with_lowest(set, [&](std::uint32_t group) {
            ++effort_.steps;
            if (groups_[set ^ group] != 0 && is_group(group))
                groups_[set] |= groups_[set ^ group] << 1;
            return true;
        });
    }

    [[nodiscard]] PartGroups read_back(std::uint32_t set, std::uint32_t count) const {
        PartGroups groups;
        for (; count > 0; --count) {
            std::uint32_t found = 0;
            for_each_subset_with_lowest(set, [&](std::uint32_t group) {
                ++effort_.steps;
                if (((groups_[set ^ group] >> (count - 1)) & 1U) != 0 && is_group(group))
                    found = group;
                return found == 0;
            });
            PartGroup group;
            for (std::uint32_t part = 0; part < parts_.size(); ++part)
                if (((found >> part) & 1U) != 0) group.parts.push_back(part);
            group.segments =
                static_cast<std::uint32_t>((group.parts.size() - 1) / (rule_.max_parts - 1));
            groups.push_back(std::move(group));
            set ^= found;
        }
        return groups;
    }

    const std::vector<SegmentPart>& parts_;
    SegmentRule rule_;
    Effort& effort_;
    std::vector<std::uint32_t> groups_;
    std::vector<std::uint64_t> free_, required_;
};

}  // namespace

std::optional<SubsetAnswer> group_subsets(const std::vector<SegmentPart>& parts,
                                          const SegmentRule& rule, std::uint32_t segments,
                                          Effort& effort) {
    if (!subsets_affordable(parts.size(), effort)) return std::nullopt;
    return SubsetAnswer{Subsets(parts, rule, effort).run(segments)};
}

}  // namespace nvl72block
