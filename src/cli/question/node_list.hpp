// SPDX-License-Identifier: GPL-2.0-or-later
//
// What --nodelist means to Slurm.
#pragma once

#include <cstdint>

#include "nvl72block/node_set.hpp"

namespace nvl72block::cli {

struct NodeList {
    NodeSet required;  ///< nodes that the job must have
    NodeSet excluded;  ///< nodes that it must not have
};

/// A list longer than the node count names the only nodes that the job may have; any other one
/// names nodes that it must have.
[[nodiscard]] inline NodeList node_list(const NodeSet& listed, std::uint32_t nodes) {
    NodeList meaning{NodeSet(listed.size()), NodeSet(listed.size())};
    if (listed.count() <= nodes) {
        meaning.required = listed;
        return meaning;
    }
    for (NodeIndex node = 0; node < listed.size(); ++node)
        if (!listed.test(node)) meaning.excluded.set(node);
    return meaning;
}

}  // namespace nvl72block::cli
