// SPDX-License-Identifier: GPL-2.0-or-later
//
// What packing of segments that share base blocks and of segments that do not have in common: the
// best ways found, and what is known of the others.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "placement/packing/packing.hpp"
#include "placement/packing/relaxed_costs.hpp"
#include "placement/packing/subset_choice.hpp"

namespace nvl72block {

class Packing {
  public:
    Packing(const Packing&) = delete;
    Packing& operator=(const Packing&) = delete;
    virtual ~Packing() = default;

    /// As pack_vertex() and construct_ways() have it.
    [[nodiscard]] PackedWays run(std::uint32_t least, std::uint32_t most);
    [[nodiscard]] std::vector<PackedWay> only_construct(std::uint32_t segments);
    /// No more segments than this fit.
    [[nodiscard]] virtual std::uint32_t bound() const = 0;

  protected:
    /// Segments are made of the blocks `parts` of a level.
    Packing(const PackedVertex& vertex, std::size_t part_level, std::vector<std::uint32_t> parts,
            Effort& effort);

    /// Keeps ways by rules of thumb, or notes that there is none.
    virtual void construct(std::uint32_t segments) = 0;
    /// Whether the least cost of an amount is met by what is kept, or by what can be.
    virtual bool attains(const LabelKey& amount) = 0;
    [[nodiscard]] virtual SubsetRule subset_rule() const = 0;
    virtual void keep_chosen(std::uint32_t segments, const std::vector<ChosenGroup>& chosen) = 0;

    /// Whether a way that takes these nodes is better than what is known, within the limit on base
    /// blocks.
    [[nodiscard]] bool is_better(std::uint32_t segments, const std::vector<Share>& taken) const;
    /// Keeps a way that is_better().
    void keep(std::uint32_t segments, const std::vector<Share>& taken,
              std::vector<std::vector<Share>> shares);
    [[nodiscard]] bool has(std::uint32_t segments) const;
    [[nodiscard]] bool has_least_cost(const LabelKey& amount) const;

    const PackedVertex& vertex_;
    const Tally& tally_;
    Effort& effort_;
    SegmentRule rule_;
    std::size_t part_level_;
    std::vector<std::uint32_t> parts_;      // blocks with free nodes
    std::vector<std::uint8_t> impossible_;  // per number of segments: proven that there is no way
    std::optional<RelaxedCosts> relaxed_;

  private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;  // segments, base blocks

    [[nodiscard]] bool prove(std::uint32_t least, std::uint32_t most);
    [[nodiscard]] bool try_subsets(const std::vector<LabelKey>& open, std::uint32_t most);
    [[nodiscard]] std::vector<LabelKey> open_amounts(std::uint32_t least, std::uint32_t most);
    [[nodiscard]] std::vector<LabelKey> amounts(std::uint32_t segments) const;
    [[nodiscard]] Cost cost_of(const std::vector<Share>& taken) const;
    [[nodiscard]] Cost best_cost(const Key& key) const;
    [[nodiscard]] std::vector<PackedWay> ways();
    /// Of ways that use so many base blocks.
    [[nodiscard]] Key key(std::uint32_t segments, std::size_t blocks) const {
        return {segments,
                vertex_.problem.max_base_blocks == 0 ? 0 : static_cast<std::uint32_t>(blocks)};
    }

    std::map<Key, PackedWay> cheapest_;
};

/// For segments that may share base blocks, and for segments that do not.
[[nodiscard]] std::unique_ptr<Packing> shared_packing(const PackedVertex& vertex, Effort& effort);
[[nodiscard]] std::unique_ptr<Packing> spread_packing(const PackedVertex& vertex, Effort& effort);
[[nodiscard]] std::uint32_t most_shared(const Tally& tally, const Problem& problem,
                                        std::uint32_t vertex, Effort& effort);
[[nodiscard]] std::uint32_t most_spread(const Tally& tally, const Problem& problem,
                                        std::uint32_t vertex, Effort& effort);

}  // namespace nvl72block
