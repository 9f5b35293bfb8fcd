// SPDX-License-Identifier: GPL-2.0-or-later
//
// A set of nodes as bits, and a view of one that somebody else owns (Slurm's bitstr_t data words,
// for instance): a decision reads the caller's bits in place.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace nvl72block {

/// Index of a node in the cluster's node table, from 0.
using NodeIndex = std::uint32_t;

/// Number of 64-bit words that hold `bits` bits.
constexpr std::size_t words_for(std::size_t bits) {
    return (bits + 63) / 64;
}

/// Read-only view of a node set. Bit i lies in word i / 64 at position i % 64 (least significant
/// first); bits at or above `size()` are ignored. An empty view (`size() == 0`) is the empty set.
class NodeSetView {
  public:
    /// The empty set.
    NodeSetView() = default;
    /// Reads words_for(`bits`) words, which have to outlive the view.
    NodeSetView(const std::uint64_t* words, std::size_t bits) : words_(words), bits_(bits) {}

    /// Number of nodes that could be members, not of those that are: count().
    [[nodiscard]] std::size_t size() const { return bits_; }
    /// Whether `node` is a member; false beyond size().
    [[nodiscard]] bool test(NodeIndex node) const {
        return node < bits_ && ((words_[node / 64] >> (node % 64)) & 1U) != 0;
    }

    /// Word `index` with the bits beyond size() cleared. 0 for an index past the end.
    [[nodiscard]] std::uint64_t word(std::size_t index) const {
        if (index * 64 >= bits_) return 0;
        const std::size_t rest = bits_ - index * 64;
        return rest >= 64 ? words_[index] : words_[index] & ((std::uint64_t{1} << rest) - 1);
    }

    /// Members among the nodes [begin, end).
    [[nodiscard]] std::uint32_t count(NodeIndex begin, NodeIndex end) const {
        std::uint32_t total = 0;
        for_each_word(begin, end, [&](std::size_t, std::uint64_t bits) {
            total += static_cast<std::uint32_t>(std::popcount(bits));
        });
        return total;
    }
    /// Number of members.
    [[nodiscard]] std::uint32_t count() const { return count(0, static_cast<NodeIndex>(bits_)); }
    [[nodiscard]] bool empty() const { return count() == 0; }

    /// Calls visit(NodeIndex) for each member in [begin, end), ascending.
    template <typename Visit>
    void for_each(NodeIndex begin, NodeIndex end, Visit visit) const {
        for_each_word(begin, end, [&](std::size_t index, std::uint64_t bits) {
            for (; bits != 0; bits &= bits - 1)
                visit(static_cast<NodeIndex>(index * 64 +
                                             static_cast<unsigned>(std::countr_zero(bits))));
        });
    }
    /// The same for all members.
    template <typename Visit>
    void for_each(Visit visit) const {
        for_each(0, static_cast<NodeIndex>(bits_), visit);
    }

  private:
    /// Calls visit(word index, bits) for each word that overlaps [begin, end), bits outside
    /// cleared.
    template <typename Visit>
    void for_each_word(NodeIndex begin, NodeIndex end, Visit visit) const {
        if (end > bits_) end = static_cast<NodeIndex>(bits_);
        if (begin >= end) return;
        const std::size_t last = (end - 1) / 64;
        for (std::size_t index = begin / 64; index <= last; ++index) {
            std::uint64_t bits = words_[index];
            if (index == begin / 64) bits &= ~std::uint64_t{0} << (begin % 64);
            if (index == last) bits &= ~std::uint64_t{0} >> (63 - (end - 1) % 64);
            visit(index, bits);
        }
    }

    const std::uint64_t* words_ = nullptr;
    std::size_t bits_ = 0;
};

/// Number of nodes that are members of both.
[[nodiscard]] inline std::uint32_t count_of_both(NodeSetView one, NodeSetView other) {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < words_for(one.size()); ++i)
        count += static_cast<std::uint32_t>(std::popcount(one.word(i) & other.word(i)));
    return count;
}

/// An owned node set of fixed size.
class NodeSet {
  public:
    /// For no nodes at all.
    NodeSet() = default;
    /// The empty set of the nodes 0 to `bits` - 1.
    explicit NodeSet(std::size_t bits) : words_(words_for(bits)), bits_(bits) {}
    /// A copy of the members.
    explicit NodeSet(NodeSetView view) : NodeSet(view.size()) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = view.word(i);
    }

    /// As NodeSetView::size().
    [[nodiscard]] std::size_t size() const { return bits_; }
    /// Valid until the set is changed in size, assigned to or destroyed.
    [[nodiscard]] NodeSetView view() const { return {words_.data(), bits_}; }
    // NOLINTNEXTLINE(google-explicit-constructor): a set is usable wherever a view is
    operator NodeSetView() const { return view(); }

    /// As NodeSetView::test().
    [[nodiscard]] bool test(NodeIndex node) const { return view().test(node); }
    /// Adds `node`, which is below size().
    void set(NodeIndex node) {
        assert(node < bits_);
        words_[node / 64] |= std::uint64_t{1} << (node % 64);
    }
    /// Removes `node`, which is below size().
    void reset(NodeIndex node) {
        assert(node < bits_);
        words_[node / 64] &= ~(std::uint64_t{1} << (node % 64));
    }
    /// Removes the members of `other`.
    void subtract(NodeSetView other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.word(i);
    }
    /// Adds the members of `other` that are below size().
    void unite(NodeSetView other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.word(i);
        clear_unused_bits();
    }
    /// Number of members.
    [[nodiscard]] std::uint32_t count() const { return view().count(); }
    [[nodiscard]] bool empty() const { return view().empty(); }
    /// Calls visit(NodeIndex) for each member, ascending.
    template <typename Visit>
    void for_each(Visit visit) const {
        view().for_each(visit);
    }
    /// The bits as NodeSetView has them; those beyond size() are clear.
    [[nodiscard]] std::span<const std::uint64_t> words() const { return words_; }
    /// Equal in size and members.
    bool operator==(const NodeSet& other) const = default;

  private:
    void clear_unused_bits() {
        if (bits_ % 64 != 0 && !words_.empty())
            words_.back() &= (std::uint64_t{1} << (bits_ % 64)) - 1;
    }

    std::vector<std::uint64_t> words_;
    std::size_t bits_ = 0;
};

}  // namespace nvl72block
