// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a planned placement costs a job of a kind, beside the best placement of as many nodes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/input/fabric.hpp"
#include "nvl72block/placement.hpp"
#include "nvl72block/topology.hpp"
#include "throughput/placement_effect.hpp"

namespace nvl72block::cli {

/// --throughput and --fabric as written.
struct CostOptions {
    std::string kind;
    std::string fabric = default_fabric;
};

class PlacementCost {
  public:
    /// nullopt where --throughput is not given; InputError.
    [[nodiscard]] static std::optional<PlacementCost> parse(const CostOptions& options);

    /// One line, without its end.
    [[nodiscard]] std::string text(const Topology& topology, const Placement& placement,
                                   std::uint32_t segment_size) const;
    [[nodiscard]] nlohmann::ordered_json json(const Topology& topology, const Placement& placement,
                                              std::uint32_t segment_size) const;

  private:
    throughput::Model model_;
    std::string fabric_;
};

}  // namespace nvl72block::cli
