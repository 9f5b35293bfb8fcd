// SPDX-License-Identifier: GPL-2.0-or-later
//
// The figures of a replay as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include "replay/figures/metrics.hpp"

namespace nvl72block::replay {

/// What was replayed, for the heading.
struct ReplayFacts {
    std::string workload;
    std::uint32_t racks = 0;
    std::uint32_t nodes_per_rack = 0;
    std::uint32_t in_service = 0;
    std::vector<std::uint32_t> block_sizes;
    std::string segment_rule;
    std::uint64_t seed = 0;  ///< of the first run; each further run has the next
    std::uint32_t runs = 1;
    std::uint32_t reservations = 0;
    std::string limits;
    std::string throughput;     ///< what tearing costs, in words; empty: it is not simulated
    std::size_t jobs = 0;       ///< measured
    std::size_t warm_jobs = 0;  ///< simulated before these
    std::size_t too_large = 0;
    std::vector<double> time_scale;  ///< for each trace
    double load = 0;
    std::int64_t window = 0;  ///< first to last arrival, seconds
};

/// One replay under every policy.
struct Replay {
    ReplayFacts facts;
    std::vector<Metrics> metrics;
};

[[nodiscard]] std::string report_text(const ReplayFacts& facts,
                                      const std::vector<Metrics>& metrics);

/// One JSON document on one line, without the series.
[[nodiscard]] std::string report_json(const ReplayFacts& facts,
                                      const std::vector<Metrics>& metrics);

}  // namespace nvl72block::replay
