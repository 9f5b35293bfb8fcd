// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the islands of one carved base block share what it gives.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "placement/state/island_offers.hpp"
#include "placement/state/tally.hpp"
#include "placement/state/word_sums.hpp"

namespace nvl72block {

/// Dynamic programming over the islands, the last one first, so that reading the tables back from
/// the first island gives the lowest islands the most. One pass serves every number of units.
class IslandSplit {
  public:
    /// Units of `unit_nodes` nodes, of blocks of up to `most` nodes.
    IslandSplit(std::uint32_t unit_nodes, const WeightOrder& order, std::uint32_t most)
        : unit_nodes_(unit_nodes),
          order_(order),
          bits_(static_cast<unsigned>(std::bit_width(std::max(most, 1U)))),
          first_word_(order.total && order.classes.size() > 1 ? 1 : 0),
          weights_(order.total || order.classes.size() < 2 ? 0 : order.classes.size() - 1) {
        const std::size_t per_word = 63 / bits_;
        words_ = first_word_ + (weights_ + 2 + per_word - 1) / per_word;
        for (std::size_t i = 0; i < weights_ + 2; ++i)
            fields_[i] = {static_cast<std::uint32_t>(first_word_ + i / per_word),
                          static_cast<unsigned>(per_word - 1 - i % per_word) * bits_};
    }

    /// The best splits of up to so many units.
    void solve(std::span<const IslandOffer> offers, std::uint32_t units) {
        offers_ = offers;
        units_ = units;
        own_.clear();
        own_begin_.clear();
        for (const IslandOffer& offer : offers) {
            own_begin_.push_back(own_.size());
            for (std::uint32_t given = 0; given <= std::min(units, offer.free / unit_nodes_);
                 ++given)
                append_cost(offer, given * unit_nodes_);
        }
        rows_.assign((offers.size() + 1) * (units + std::size_t{1}) * words_, impossible);
        std::fill_n(row(offers.size(), 0), words_, 0);
        for (std::size_t i = offers.size(); i-- > 0;) fill(i);
    }

    /// Calls take(offer, nodes) for each offer in turn; not at all if there is no way.
    template <typename Take>
    void for_each(std::uint32_t units, Take take) const {
        if (!possible(row(0, units))) return;
        for (std::size_t i = 0; i < offers_.size(); ++i) {
            std::uint32_t given = std::min(units, most(i));
            while (!is_best(i, units, given)) --given;
            take(i, given * unit_nodes_);
            units -= given;
        }
    }

  private:
    /// What a split is judged by, less is better, as fields of a number of words_ words, the first
    /// in the highest bits: nodes heavier than each weight class, islands used, nodes left over in
    /// them. A sum of weights has the first word to itself. A sum of rows is the sum word by word.
    using Row = std::uint64_t*;
    using ConstRow = const std::uint64_t*;
    static constexpr std::uint64_t impossible = ~std::uint64_t{0};
    static bool possible(ConstRow row) { return row[0] != impossible; }

    void put(Row row, std::size_t field, std::uint64_t value) const {
        row[fields_[field].word] += value << fields_[field].shift;
    }

    void append_cost(const IslandOffer& offer, std::uint32_t nodes) {
        own_.resize(own_.size() + words_);
        const Row row = &own_[own_.size() - words_];
        if (nodes == 0) return;
        put(row, weights_, 1);
        put(row, weights_ + 1, offer.free - nodes);
        if (order_.classes.size() < 2) return;
        std::array<std::uint32_t, max_weight_classes> counts{};
        add_class_counts(offer.classes, nodes, std::span(counts).first(order_.classes.size()));
        std::uint32_t heavier = nodes;
        for (std::size_t i = 0; i < weights_ && heavier > 0; ++i) put(row, i, heavier -= counts[i]);
        for (std::size_t i = 0; i < order_.classes.size() && order_.total; ++i)
            row[0] += counts[i] * order_.classes[i];
    }

    /// The best of `units` units from island i on.
    [[nodiscard]] ConstRow row(std::size_t i, std::uint32_t units) const {
        return &rows_[(i * (units_ + std::size_t{1}) + units) * words_];
    }
    [[nodiscard]] Row row(std::size_t i, std::uint32_t units) {
        return &rows_[(i * (units_ + std::size_t{1}) + units) * words_];
    }
    [[nodiscard]] std::uint32_t most(std::size_t i) const { return offers_[i].free / unit_nodes_; }
    [[nodiscard]] std::uint32_t least(std::size_t i) const {
        return (offers_[i].required + unit_nodes_ - 1) / unit_nodes_;
    }
    [[nodiscard]] ConstRow own(std::size_t i, std::uint32_t given) const {
        return &own_[own_begin_[i] + given * words_];
    }

    /// Whether the best of `units` units from island i on takes so many from it.
    [[nodiscard]] bool is_best(std::size_t i, std::uint32_t units, std::uint32_t given) const {
        const ConstRow rest = row(i + 1, units - given);
        return possible(rest) && given >= least(i) &&
               is_sum(row(i, units), rest, own(i, given), words_);
    }

    void fill(std::size_t i) {
        for (std::uint32_t given = least(i); given <= std::min(units_, most(i)); ++given)
            for (std::uint32_t units = given; units <= units_; ++units)
                if (const ConstRow rest = row(i + 1, units - given); possible(rest))
                    lower_to_sum(row(i, units), rest, own(i, given), words_);
    }

    struct Field {
        std::uint32_t word = 0;
        unsigned shift = 0;
    };
    const std::uint32_t unit_nodes_;
    const WeightOrder order_;
    const unsigned bits_;           // of a field
    const std::size_t first_word_;  // of fields
    const std::size_t weights_;     // fields that are about weights
    std::size_t words_ = 0;         // of a row
    std::array<Field, max_weight_classes + 1> fields_;
    std::span<const IslandOffer> offers_;
    std::uint32_t units_ = 0;
    std::vector<std::size_t> own_begin_;  // per offer
    std::vector<std::uint64_t> own_;      // what an offer's units cost, by their number
    std::vector<std::uint64_t> rows_;
};

}  // namespace nvl72block
