// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options that say what tearing costs: --throughput, --torn and --fabric.
#pragma once

#include <optional>
#include <string>

#include "cli/input/fabric.hpp"
#include "replay/throughput/run_model.hpp"

namespace nvl72block::cli {

struct ThroughputText {
    std::string kinds;  ///< --throughput
    std::string torn;   ///< --torn
    std::string fabric = default_fabric;

    [[nodiscard]] bool given() const { return !kinds.empty() || !torn.empty(); }
};

/// nullopt where neither --throughput nor --torn is given; InputError.
[[nodiscard]] std::optional<replay::ThroughputOptions> parse_throughput(const ThroughputText& text);

/// For the report: "fully-sharded on gb200".
[[nodiscard]] std::string describe_throughput(const ThroughputText& text);

}  // namespace nvl72block::cli
