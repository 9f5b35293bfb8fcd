// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/inventory/inventory.hpp"

namespace nvl72block {

void Inventory::add(const std::string& name, const NodeClique& clique) {
    const auto [entry, added] = index_.try_emplace(name, nodes_.size());
    if (added) {
        nodes_.push_back({name, clique});
        return;
    }
    NodeClique& known = nodes_[entry->second].clique;
    if (clique.problem == CliqueProblem::absent) return;
    const bool both_valid =
        known.problem == CliqueProblem::none && clique.problem == CliqueProblem::none;
    if (known.problem == CliqueProblem::absent ||
        (known.problem == CliqueProblem::none && !both_valid))
        known = clique;
    else if (both_valid && known.identity != clique.identity)
        known = {CliqueProblem::two_cliques, {}, to_string(clique.identity)};
}

const InventoryNode* Inventory::find(const std::string& name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &nodes_[found->second];
}

}  // namespace nvl72block
