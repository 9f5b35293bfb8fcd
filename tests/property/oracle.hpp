// SPDX-License-Identifier: GPL-2.0-or-later
//
// The exhaustive search that the engine is held to. Nodes of one base block differ by nothing but
// weight and being required, and there the lightest are best; so it is enough to look at every
// vector t(i) of nodes taken per base block. Exponential: for a few small blocks only.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "rules.hpp"

namespace nvl72block::oracle {

/// The best answer.
struct Optimum {
    std::uint32_t nodes = 0;
    bool outside = false;  ///< on nodes in no block; `taken` and `rank` then say nothing
    Counts taken;
    Rank rank;
};

/// Answers requests about topologies of one shape. What depends on the shape only is remembered.
class Oracle {
  public:
    /// `largest`: as many nodes as a base block may have in any state asked about; at most 31
    /// nodes per block and 12 blocks.
    Oracle(Shape shape, Counts largest);

    [[nodiscard]] const Shape& shape() const { return shape_; }

    /// The best answer, or nothing if no node set satisfies the rules.
    [[nodiscard]] std::optional<Optimum> solve(const Facts& facts, const Request& request);

    /// The largest number of segments for which `request` (which must be segmented) would fit.
    [[nodiscard]] std::uint32_t segments_fit(const Facts& facts, const Request& request);

    /// Whether the vector `taken` satisfies rules 1 to 4 and 6.
    [[nodiscard]] bool legal(std::span<const std::uint32_t> taken, const Request& request);

  private:
    /// Requests that admit the same vectors.
    using RuleKey = std::tuple<std::uint32_t, std::uint32_t, bool, bool, std::uint32_t>;
    using CutMemo = std::unordered_map<std::uint64_t, bool>;

    struct CutSearch;

    [[nodiscard]] const std::vector<std::uint32_t>& legal_vectors(std::uint32_t nodes,
                                                                  const Request& request);
    [[nodiscard]] bool best_of(const Facts& facts, const Request& request, std::uint32_t nodes,
                               Optimum& best);
    [[nodiscard]] bool can_be_cut(const Counts& taken, std::uint32_t size, bool spread);

    Shape shape_;
    Counts largest_;
    std::map<RuleKey, std::vector<std::uint32_t>> legal_;  // vectors one after another
    std::map<std::pair<std::uint32_t, bool>, CutMemo> cuts_;
    Rank scratch_;
};

/// The nodes that the best answer takes.
[[nodiscard]] NodeSet nodes_of(const Facts& facts, const Optimum& best, std::size_t node_count);

}  // namespace nvl72block::oracle
