// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs as a recorded log has them, drawn at random from figures of that log.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "replay/logs/trace.hpp"
#include "replay/workload/random.hpp"

namespace nvl72block::replay {

/// The shares of the jobs for which a table of quantiles has the values that they do not exceed.
inline constexpr std::array quantile_shares = {0.0,  0.01, 0.05, 0.1,   0.2,   0.3, 0.4,
                                               0.5,  0.6,  0.7,  0.8,   0.85,  0.9, 0.95,
                                               0.97, 0.98, 0.99, 0.995, 0.999, 1.0};
using Quantiles = std::array<double, quantile_shares.size()>;

/// Jobs of like sizes, with the durations that they all have.
struct SizeClass {
    struct Size {
        std::uint32_t gpus = 0;
        std::uint32_t jobs = 0;  ///< that the log has of it
    };
    std::span<const Size> sizes;
    Quantiles seconds{};
};

struct LogFigures {
    std::span<const SizeClass> classes;
    std::size_t days = 0;  ///< of the log
    Quantiles jobs_per_day{};
    std::array<double, 24> hours{};  ///< weight of the arrivals in each hour of the day
    std::size_t jobs = 0;            ///< as many are generated unless told otherwise
    double limit_use = 0;            ///< mean part of its time limit that a job runs; 0: not known
    bool in_one_segment = false;     ///< each job asks for one segment of all its nodes
};

/// Training of large language models: the Kalos log.
[[nodiscard]] const LogFigures& llm_figures();
/// Small jobs of many users: the Philly log without its beginning.
[[nodiscard]] const LogFigures& small_figures();

/// Jobs of 16 to 506 nodes that run for hours: a capability machine.
[[nodiscard]] const LogFigures& capability_figures();
/// Replicas of 1 to 18 nodes, each in one segment, that run for days.
[[nodiscard]] const LogFigures& inference_figures();

/// `count` jobs by arrival, the first at 0: each day has a number of jobs by itself, each job an
/// hour, a size and, by its size, a duration. Days and jobs are dealt from decks that hold as many
/// as the log has, spread evenly over the quantiles: independent draws of a few jobs that are
/// longer than all others would make runs differ much more than the log repeated does.
[[nodiscard]] std::vector<TraceJob> generate(const LogFigures& figures, std::size_t count,
                                             Random& random);

}  // namespace nvl72block::replay
