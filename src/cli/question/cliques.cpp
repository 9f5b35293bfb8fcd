// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/cliques.hpp"

#include <string_view>
#include <utility>

namespace nvl72block::cli {

std::optional<CliqueMap> cliques_of(const ClusterState& state) {
    CliqueMap cliques = read_cliques(
        state.nodes.size(),
        [&](NodeIndex node) { return std::string_view(state.nodes[node].available_features); },
        state.options.clique_prefix);
    if (cliques.nodes_with_clique() + cliques.invalid_nodes() == 0) return std::nullopt;
    return cliques;
}

}  // namespace nvl72block::cli
