// SPDX-License-Identifier: GPL-2.0-or-later
//
// Kinds of training jobs by what they communicate, and the time of one of their steps.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throughput/fabric.hpp"

namespace nvl72block::throughput {

enum class JobKind {
    data_parallel,    ///< every node has the model; gradients are summed over all GPUs
    fully_sharded,    ///< the model is divided over all GPUs of the job
    hybrid_sharded,   ///< the model is divided over each group; gradients are summed over groups
    expert_parallel,  ///< the experts are divided over each group: all-to-all in every layer
    pipeline,         ///< layers in stages, tensor parallel inside a node
};

/// "data-parallel", "fully-sharded", "hybrid-sharded", "expert-parallel", "pipeline".
[[nodiscard]] const char* to_string(JobKind kind);
[[nodiscard]] std::optional<JobKind> parse_job_kind(std::string_view name);
/// All names, separated by commas.
[[nodiscard]] std::string job_kind_names();

/// How a job lies on racks.
struct Layout {
    Parts all;                  ///< of all its GPUs
    std::vector<Parts> groups;  ///< of each group; not empty
};

/// Seconds of one step. A group of expert_parallel is taken to run in any layout; whether one does
/// is group_fails().
[[nodiscard]] double step_seconds(JobKind kind, const Fabric& fabric, const Layout& layout);

/// Whether a group of `kind` on several racks ends instead of running slowly.
[[nodiscard]] bool group_fails(JobKind kind);

/// The largest share of its throughput that a torn job was measured to lose. The model's losses end
/// there: beyond it nothing confirms them.
inline constexpr double largest_measured_loss = 0.13;

/// Seconds of a pipeline's step when `gpus` share the batch that 512 GPUs of the profile have.
[[nodiscard]] double pipeline_step_seconds(const Fabric& fabric, std::uint32_t gpus,
                                           std::size_t racks);

}  // namespace nvl72block::throughput
