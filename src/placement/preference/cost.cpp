// SPDX-License-Identifier: GPL-2.0-or-later
#include "placement/preference/cost.hpp"

#include <algorithm>
#include <bit>

namespace nvl72block {

CostLayout::CostLayout(const Tally& tally, const Request& request, std::uint32_t nodes, Aim aim,
                       const IslandRule& island_rule)
    : tally_(&tally),
      island_rule_(island_rule),
      levels_(keeps_slots() || aim == Aim::base_blocks ? 1 : tally.whole_level()) {
    using Kind = Component::Kind;
    if (aim == Aim::total_weight)
        weight_sum_ = add_component(tally.weight_classes().back() * nodes, Kind::weight_sum);
    else
        for (std::size_t i = 1; i < tally.weight_classes().size(); ++i)
            heavier_.push_back(add_component(nodes, Kind::heavier, i - 1));
    if (request.policy == Policy::compact) add_used();
    if (keeps_slots())
        add_demand();
    else
        add_broken_or_wasted(request);
    for (BlockIndex block = 0; block < tally.topology().block_count(); ++block)
        most_in_block_ = std::max<std::uint64_t>(most_in_block_, tally.free(0, block));
    // Segments have no need to lie close together: their nodes fill gaps.
    const bool gaps_first = request.policy == Policy::demand && request.segment_size != 0 &&
                            nodes > request.segment_size;
    if (gaps_first) add_gaps(nodes);
    if (request.policy != Policy::compact) add_used();
    if (!gaps_first) add_gaps(nodes);
    balance_ = add_component(
        nodes * (keeps_slots() ? most_in_block_ : std::min<std::uint64_t>(most_in_block_, nodes)),
        Kind::balance);
}

Component CostLayout::add_component(std::uint64_t largest, Component::Kind kind,
                                    std::size_t level) {
    const unsigned bits = std::max(1U, static_cast<unsigned>(std::bit_width(largest)));
    if (bits > bits_left_) {
        if (words_ == max_cost_words) {
            incomplete_ = true;  // the least of the preferences are dropped
            return {};
        }
        ++words_;
        bits_left_ = word_bits;
    }
    bits_left_ -= bits;
    return components_.emplace_back(Component{kind, level, static_cast<std::uint16_t>(words_ - 1),
                                              static_cast<std::uint16_t>(bits_left_),
                                              (std::uint64_t{1} << bits) - 1});
}

/// No placement loses more than all slots that there are.
void CostLayout::add_demand() {
    std::uint64_t most = 0;
    for (const Slots& of_level : tally_->slots())
        for (const Slot& slot : of_level)
            most += std::uint64_t{tally_->idle(tally_->whole_level(), 0)} / slot.nodes * slot.value;
    demand_ = add_component(most, Component::Kind::demand);
}

void CostLayout::add_broken_or_wasted(const Request& request) {
    if (request.exclusive) {
        wasted_ = add_component(tally_->in_blocks(), Component::Kind::wasted);
        return;
    }
    for (std::size_t level = levels_.size(); level-- > 0;)
        levels_[level].broken =
            add_component(tally_->vertices(level), Component::Kind::broken, level);
    broken_mask_ = levels_[0].broken.mask << levels_[0].broken.shift;
}

/// Where slots are kept, what runs in a block matters more than what is left of it: the fullest
/// block is the last to be idle again, so that jobs that fill it up delay no large one.
void CostLayout::add_gaps(std::uint32_t nodes) {
    if (keeps_slots()) {
        fullest_ = add_component(nodes * most_in_block_, Component::Kind::fullest);
        return;
    }
    for (std::size_t level = 0; level < levels_.size(); ++level)
        levels_[level].left = add_component(tally_->in_blocks(), Component::Kind::left, level);
}

void CostLayout::add_used() {
    for (std::size_t level = 0; level < levels_.size(); ++level)
        levels_[level].used = add_component(tally_->vertices(level), Component::Kind::used, level);
}

/// Nodes of each weight class among the `nodes` that a base block gives.
CostLayout::ClassCounts CostLayout::class_counts(BlockIndex block, std::uint32_t nodes) const {
    const auto classes = tally_->weight_classes();
    ClassCounts counts{};
    const std::span used = std::span(counts).first(classes.size());
    if (island_rule_.holds && !tally_->islands().of(block).empty())
        tally_->islands().add_class_counts(block, island_rule_, nodes,
                                           {classes, weight_sum_.kept()}, used);
    else
        add_class_counts(tally_->class_offers(block), nodes, used);
    return counts;
}

/// `counts`: of the `nodes` nodes, by weight class.
void CostLayout::put_weights(std::uint64_t* cost, const ClassCounts& counts,
                             std::uint32_t nodes) const {
    const auto classes = tally_->weight_classes();
    std::uint32_t heavier = nodes;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        heavier -= counts[i];
        sum += counts[i] * classes[i];
        if (i < heavier_.size()) put(cost, heavier_[i], heavier);
    }
    put(cost, weight_sum_, sum);
}

void CostLayout::append_unit_weights(std::vector<std::uint64_t>& weights, BlockIndex block,
                                     std::uint32_t nodes, std::uint32_t unit_nodes,
                                     std::uint32_t units) const {
    const std::size_t words = weight_words();
    const std::size_t classes = tally_->weight_classes().size();
    ClassCounts given{};  // by the units so far
    if (nodes >= tally_->required(0, block)) given = class_counts(block, nodes);
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        nodes += unit_nodes;
        const ClassCounts counts = class_counts(block, nodes);
        ClassCounts more{};
        std::uint32_t sum = 0;  // less than unit_nodes where fewer are left
        for (std::size_t i = 0; i < classes; ++i) sum += more[i] = counts[i] - given[i];
        given = counts;
        weights.resize(weights.size() + words);
        put_weights(&weights[weights.size() - words], more, sum);
    }
}

std::size_t CostLayout::weight_words() const {
    std::size_t words = weight_sum_.kept() ? weight_sum_.word + 1U : 0;
    for (const Component& component : heavier_)
        if (component.kept()) words = std::max(words, component.word + std::size_t{1});
    return words;
}

void CostLayout::add_block(Cost& cost, BlockIndex block, std::uint32_t nodes) const {
    if (nodes == 0) return;
    const std::uint32_t free = tally_->free(0, block);
    if (tally_->weight_classes().size() > 1)
        put_weights(cost.data(), class_counts(block, nodes), nodes);
    put(cost.data(), demand_, lost_slots(0, block, nodes));
    put(cost.data(), wasted_, free - nodes);
    if (tally_->breaks(block, nodes)) put(cost.data(), levels_[0].broken, 1);
    put(cost.data(), levels_[0].used, 1);
    put(cost.data(), levels_[0].left, free - nodes);
    put(cost.data(), fullest_, std::uint64_t{nodes} * free);
    put(cost.data(), balance_,
        std::uint64_t{nodes} * (keeps_slots() ? most_in_block_ - nodes : std::uint64_t{nodes}));
}

void CostLayout::add_aggregate(Cost& cost, std::size_t level, std::uint32_t index,
                               std::uint32_t nodes, bool breaks) const {
    if (nodes == 0 || level == tally_->whole_level()) return;
    put(cost.data(), demand_, lost_slots(level, index, nodes));
    if (level >= levels_.size()) return;
    if (breaks && tally_->whole(level, index)) put(cost.data(), levels_[level].broken, 1);
    put(cost.data(), levels_[level].used, 1);
    put(cost.data(), levels_[level].left, tally_->free(level, index) - nodes);
}

}  // namespace nvl72block
