// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstring>

#include "nvl72block/clique.hpp"

namespace nvl72block {

// A UUID is random already; the id is mixed in because domains differ from their own partitions in
// nothing else.
std::size_t CliqueMap::Hash::operator()(const CliqueIdentity& identity) const noexcept {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::memcpy(&low, identity.uuid.data(), sizeof low);
    std::memcpy(&high, identity.uuid.data() + sizeof low, sizeof high);
    return static_cast<std::size_t>((low ^ (high + identity.id)) * 0x9e3779b97f4a7c15U);
}

void CliqueMap::set(NodeIndex node, const NodeClique& clique) {
    problem_[node] = clique.problem;
    if (clique.problem == CliqueProblem::none) {
        const auto [entry, added] = index_of_.try_emplace(clique.identity, clique_count());
        if (added) identities_.push_back(clique.identity);
        clique_of_[node] = entry->second;
        ++with_clique_;
    } else if (clique.problem != CliqueProblem::absent) {
        if (!clique.text.empty()) problem_text_[node] = clique.text;
        ++invalid_;
    }
}

std::string_view CliqueMap::problem_text(NodeIndex node) const {
    const auto found = problem_text_.find(node);
    return found == problem_text_.end() ? std::string_view() : found->second;
}

bool CliqueMap::says_the_same(const CliqueMap& other) const {
    return clique_of_ == other.clique_of_ && problem_ == other.problem_ &&
           identities_ == other.identities_ && problem_text_ == other.problem_text_;
}

CliqueMap read_cliques(std::size_t node_count, const NodeFeatures& features,
                       std::string_view prefix) {
    CliqueMap map(node_count);
    std::string before;  // the nodes of a rack follow each other and say the same
    NodeClique clique;
    for (NodeIndex node = 0; node < node_count; ++node) {
        const std::string_view text = features(node);
        if (text.empty()) continue;
        if (before != text) {
            before = text;
            clique = read_clique(before, prefix);
        }
        map.set(node, clique);
    }
    return map;
}

}  // namespace nvl72block
