// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a replay runs: recorded and generated jobs, fitted to a cluster: whole nodes, segments, time
// limits, as many jobs and as much load as asked.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "replay/logs/trace.hpp"
#include "replay/workload/generator.hpp"
#include "replay/workload/segment_rule.hpp"
#include "replay/workload/time_limit.hpp"

namespace nvl72block::replay {

struct Job {
    std::int64_t submit = 0;    ///< seconds; below 0 before the measured part
    std::int64_t duration = 0;  ///< seconds
    std::uint32_t nodes = 0;
    std::uint32_t segment = 0;    ///< nodes per segment; 0: none
    std::int64_t time_limit = 0;  ///< seconds; 0: the duration

    /// More than one segment, and segments that can be torn apart.
    [[nodiscard]] bool has_segments() const { return segment > 1 && nodes >= segment; }
    /// Nodes of the slots that the job takes: of a segment, or of the whole job without segments.
    [[nodiscard]] std::uint32_t slot_nodes() const {
        return segment > 0 && segment < nodes ? segment : nodes;
    }
    /// What backfill takes for the duration.
    [[nodiscard]] std::int64_t planned() const { return time_limit != 0 ? time_limit : duration; }
};

/// Long-lived small jobs (services.hpp).
struct Services {};

/// Where jobs come from: a log, figures to generate jobs from, or services.
struct Source {
    std::variant<std::vector<TraceJob>, const LogFigures*, Services> jobs;
    /// Of the cluster's node time; 0: the rest of the load, in equal parts. Services need one.
    double share = 0;
};

struct WorkloadOptions {
    std::uint32_t cluster_nodes = 0;  ///< nodes in service
    std::uint32_t gpus_per_node = 4;
    std::size_t jobs = 0;  ///< of the first source, measured; 0: as many as it has
    std::uint64_t seed = 1;
    double load = 0;  ///< work offered over what the cluster can do; 0: arrivals as recorded
    SegmentRule rule;
    Limits limits = Limits::exact;
    double warm = 0;  ///< share of the jobs of the first source that precede the measured part
};

/// Nodes that the job had, at least as many as its GPUs need.
[[nodiscard]] std::uint32_t recorded_nodes(const TraceJob& recorded,
                                           const WorkloadOptions& options);

/// The recorded job in whole nodes and whole segments, those that it asked for or the rule's.
[[nodiscard]] Job job_of(const TraceJob& recorded, const WorkloadOptions& options);

struct Workload {
    std::vector<Job> jobs;           ///< by submit time, the first measured one of a log at 0
    std::size_t warm = 0;            ///< so many at the beginning precede the measured part
    std::size_t too_large = 0;       ///< jobs that the cluster could never hold, left out
    std::vector<double> time_scale;  ///< factor on the arrival times of each source but services
    double load = 0;  ///< work offered over what the cluster can do, in the measured part

    /// The jobs before the measured part: what a cluster with history knows at time 0.
    [[nodiscard]] std::span<const Job> history() const { return {jobs.data(), warm}; }
    [[nodiscard]] std::size_t measured() const { return jobs.size() - warm; }
};

/// Most jobs of one source.
constexpr std::uint32_t max_workload_jobs = 10'000'000;

/// So many jobs of a source after the first would be needed for its load.
struct TooManyJobs {};

/// Jobs of all `sources`; the first one, which is not services, sets how many jobs there are and so
/// the time. Of a log, fewer jobs than it has are its first ones; for more it is repeated, each
/// time with the jobs (size and duration together) dealt out anew to the recorded arrival times by
/// `seed`. The other logs are repeated in the same way, already dealt out anew the first time, for
/// as long as the first one lasts. Generated jobs are treated as a log that the seed writes. Throws
/// TooManyJobs.
[[nodiscard]] Workload make_workload(const std::vector<Source>& sources,
                                     const WorkloadOptions& options);

}  // namespace nvl72block::replay
