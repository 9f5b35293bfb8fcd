// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is behind the opaque handles of the C boundary, and how exceptions become codes.
#pragma once

#include <atomic>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>

#include "nvl72block/cluster.hpp"
#include "nvl72block/engine.h"

struct nvl72block_topology {
    explicit nvl72block_topology(nvl72block::Cluster cluster_) : cluster(std::move(cluster_)) {}
    [[nodiscard]] const nvl72block::Topology& model() const { return cluster.topology(); }

    std::atomic<unsigned> references{1};
    nvl72block::Cluster cluster;
};

struct nvl72block_options {
    nvl72block::Options value;
};

namespace nvl72block::capi {

inline void set_error(nvl72block_error* error, nvl72block_code code, const char* message) noexcept {
    if (error == nullptr) return;
    error->code = code;
    std::snprintf(error->message, sizeof error->message, "%s", message);
}

inline NodeSetView as_view(nvl72block_view view) noexcept {
    return view.words == nullptr ? NodeSetView() : NodeSetView(view.words, view.bits);
}

/// NULL: the defaults.
[[nodiscard]] const Options& as_options(const nvl72block_options* options) noexcept;

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
