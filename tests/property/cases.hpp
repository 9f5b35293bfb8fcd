// SPDX-License-Identifier: GPL-2.0-or-later
//
// A small cluster, its state and a request, as short text: what a failing case prints can be pasted
// into the table of regressions as it is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nvl72block/clique.hpp"
#include "nvl72block/placement.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block::oracle {

/// How node indices run over the blocks.
enum class Numbering { by_block, outside_first, round_robin };

/// One character a node: '0' to '9' is usable with that weight; 'A' to 'J' the same and required;
/// '.' is busy, ':' busy and required, 'x' drained, 'e' excluded.
struct Case {
    std::vector<std::uint32_t> block_sizes;  ///< BlockSizes; empty: not written
    std::vector<std::string> blocks;         ///< base blocks in file order
    std::string outside;                     ///< nodes in no block
    /// "6", "4-8 seg=2 spread cons excl max=3 compact", "1-9 cpus=40 gpus=8 sized", "2 demand"
    /// "2 demand=4:3+1:2": policy demand, without or with slots of 4 and of 1 node
    std::string job;
    Numbering numbering = Numbering::by_block;
    /// One character a node, first those of the blocks and then those outside; empty: no matter.
    /// '0' to '9' and 'a' to 'z' are numbers; '-' in `islands` is a node without an island.
    std::string cpus = {}, gpus = {}, islands = {};
    /// The same: '1' is an idle node. Empty: the state does not tell.
    std::string idle = {};
};

/// The demands that job texts name live as long as the program.
[[nodiscard]] std::span<const DemandSize> demand_named(const std::string& text);

/// The request that a job text stands for; `required` is left empty.
[[nodiscard]] Request parse_job(const std::string& job);
[[nodiscard]] std::string to_string(const Request& request);
/// As an initializer of a Case.
[[nodiscard]] std::string to_string(const Case& sample);

/// A Case that can be computed with. Its requests stay valid when it moves, its states do not.
struct Instance {
    Topology topology;
    NodeSet usable, required, drained, excluded, idle;
    std::vector<std::uint64_t> weight;  ///< empty if all are the same
    std::vector<std::uint32_t> cpus, gpus;

    explicit Instance(const Case& sample);

    /// `request` with this instance's required nodes.
    [[nodiscard]] Request with_required(Request request) const {
        request.required = required.empty() ? NodeSetView{} : required.view();
        return request;
    }
    [[nodiscard]] State state() const {
        return {.usable = usable,
                .weight = weight,
                .cpus = cpus,
                .gpus = gpus,
                .drained = drained,
                .excluded = excluded,
                .idle = idle};
    }
};

}  // namespace nvl72block::oracle
