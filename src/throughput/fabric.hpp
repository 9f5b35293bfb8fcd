// SPDX-License-Identifier: GPL-2.0-or-later
//
// How long collective operations take inside a rack and across racks. Times in seconds, sizes in
// bytes. The constants and what they were fitted to are in docs/throughput.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nvl72block::throughput {

/// Bytes per second and GPU, one way.
struct Fabric {
    double inside = 0;   ///< over NVLink
    double outside = 0;  ///< over the network between racks
};

inline constexpr Fabric gb200{900e9, 50e9};
inline constexpr Fabric gb300{900e9, 100e9};

/// GPUs of an NVL72 node.
inline constexpr std::uint32_t gpus_per_node = 4;

/// The GPUs that a communicator has in each rack in which it has any.
using Parts = std::vector<std::uint32_t>;

/// One GPU in each of `racks` racks: the communicator of GPUs that hold the same part of a model.
[[nodiscard]] Parts one_per_rack(std::size_t racks);

/// The GPUs of `nodes` nodes on `racks` racks, as evenly as whole nodes allow.
[[nodiscard]] Parts even_parts(std::uint32_t nodes, std::uint32_t racks);

/// Every GPU ends with the sum over all GPUs of `bytes`. Inside each rack first, then between the
/// racks, over the network of the GPUs of the smallest part.
[[nodiscard]] double all_reduce(const Fabric& fabric, double bytes,
                                std::span<const std::uint32_t> parts);

/// Every GPU ends with all of `bytes`, of which it had its share. A reduce-scatter takes as long.
[[nodiscard]] double all_gather(const Fabric& fabric, double bytes,
                                std::span<const std::uint32_t> parts);

/// Every GPU sends `bytes` in equal shares to the others.
[[nodiscard]] double all_to_all(const Fabric& fabric, double bytes,
                                std::span<const std::uint32_t> parts);

}  // namespace nvl72block::throughput
