// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is behind the opaque handles of the C boundary, and how exceptions become codes.
#pragma once

#include <atomic>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "nvl72block/clique.hpp"
#include "nvl72block/engine.h"
#include "nvl72block/topology.hpp"

/// What a Topology forgets but its users show: the Nodes= texts as written. With it goes what the
/// cliques mean for its blocks, so that a decision reads both of one state.
struct nvl72block_topology {
    struct BlockText {
        std::string nodes;
        bool changed = false;
    };

    nvl72block_topology(nvl72block::Topology model_, std::vector<BlockText> texts_,
                        std::vector<std::uint32_t> sizes_,
                        std::shared_ptr<const nvl72block::CliqueMap> enforced_ = nullptr)
        : model(std::move(model_)),
          texts(std::move(texts_)),
          sizes(std::move(sizes_)),
          members(model.node_count()),
          enforced(std::move(enforced_)) {
        for (nvl72block::BlockIndex block = 0; block < model.block_count(); ++block)
            for (const nvl72block::NodeRange& range : model.ranges(block))
                for (nvl72block::NodeIndex node = range.begin; node < range.end; ++node)
                    members.set(node);
        if (enforced) places = nvl72block::clique_places(model, *enforced);
    }

    std::atomic<unsigned> references{1};
    nvl72block::Topology model;
    std::vector<BlockText> texts;      // per base block
    std::vector<std::uint32_t> sizes;  // BlockSizes as written; empty when absent
    nvl72block::NodeSet members;       // nodes that lie in a block
    std::shared_ptr<const nvl72block::CliqueMap> enforced;  // null: cliques do not count
    nvl72block::CliquePlaces places;                        // meaningful with `enforced`
};

namespace nvl72block::capi {

inline void set_error(nvl72block_error* error, nvl72block_code code, const char* message) noexcept {
    if (error == nullptr) return;
    error->code = code;
    std::snprintf(error->message, sizeof error->message, "%s", message);
}

/// Runs `body`; what it throws becomes an error and `otherwise` the result.
template <typename Result, typename Body>
Result guarded(nvl72block_error* error, Result otherwise, Body body) noexcept {
    set_error(error, NVL72BLOCK_OK, "");
    try {
        return body();
    } catch (const std::bad_alloc&) {
        set_error(error, NVL72BLOCK_NO_MEMORY, "out of memory");
    } catch (const std::exception& failure) {
        set_error(error, NVL72BLOCK_INTERNAL, failure.what());
    } catch (...) {
        set_error(error, NVL72BLOCK_INTERNAL, "unknown failure");
    }
    return otherwise;
}

}  // namespace nvl72block::capi
