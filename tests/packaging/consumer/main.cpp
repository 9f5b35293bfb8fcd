// SPDX-License-Identifier: GPL-2.0-or-later
//
// Places a job of four nodes on two racks of four; the first rack has a node that is not free.
#include <cstdio>
#include <variant>

#include "nvl72block/containment_graph.hpp"
#include "nvl72block/placement.hpp"
#include "nvl72block/topology.hpp"

extern "C" bool default_policy_is_demand(void);

int main() {
    const nvl72block::Topology topology =
        nvl72block::Topology::of_blocks({.names = {"rack1", "rack2"},
                                         .block_of = {0, 0, 0, 0, 1, 1, 1, 1},
                                         .sizes = {4, 8},
                                         .default_size = 4});
    nvl72block::NodeSet usable(topology.node_count());
    for (nvl72block::NodeIndex node = 1; node < topology.node_count(); ++node) usable.set(node);
    nvl72block::Request request;
    request.min_nodes = request.max_nodes = 4;
    nvl72block::State state;
    state.usable = usable;
    const nvl72block::Answer answer = nvl72block::place(topology, request, state);
    const auto* placement = std::get_if<nvl72block::Placement>(&answer);
    if (placement == nullptr || placement->blocks != std::vector<nvl72block::BlockIndex>{1})
        return 1;
    if (!default_policy_is_demand()) return 1;
    std::puts("placed in rack2");
    return 0;
}
