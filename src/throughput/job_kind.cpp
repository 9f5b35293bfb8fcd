// SPDX-License-Identifier: GPL-2.0-or-later
#include "throughput/job_kind.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace nvl72block::throughput {
namespace {

constexpr std::array names = {std::pair{JobKind::data_parallel, "data-parallel"},
                              std::pair{JobKind::fully_sharded, "fully-sharded"},
                              std::pair{JobKind::hybrid_sharded, "hybrid-sharded"},
                              std::pair{JobKind::expert_parallel, "expert-parallel"},
                              std::pair{JobKind::pipeline, "pipeline"}};

constexpr double flops_per_second = 1e15;  // 40 % of a GPU's 2.5e15 without sparsity
constexpr double flops_per_parameter = 6;  // forward and backward, per token
constexpr double bytes_per_parameter = 2;  // bfloat16
constexpr double exposed_share = 0.47;     // of the communication, the rest is hidden (measured)

// Profiles. Data parallel: 8 billion parameters. Sharded: Llama 4 Scout, 109 billion parameters, 17
// of them active. Expert parallel: 128 GPUs, 2,048 sequences of 4,096 tokens. Pipeline: Llama 405B
// in 32 parts, 1,152 sequences of 8,192 tokens on 512 GPUs.
constexpr double data_parameters = 8e9;
constexpr double data_tokens = 16384;
constexpr double sharded_parameters = 109e9;
constexpr double sharded_active = 17e9;
constexpr double sharded_tokens = 8192;
constexpr double passes_over_weights = 3;  // gathered forward and backward, gradients scattered
constexpr double expert_step = 14.6;
constexpr double expert_tokens = 65536;
constexpr double expert_bytes_per_token = 2.25 * 1024 * 1024;
constexpr double pipeline_parameters = 405e9;
constexpr double pipeline_tokens = 1152.0 * 8192;
constexpr double pipeline_model_gpus = 32;
constexpr std::uint32_t pipeline_gpus = 512;
constexpr double pipeline_bytes_per_token = 24 * 1024;

double compute(double parameters, double tokens) {
    return flops_per_parameter * parameters * tokens / flops_per_second;
}

double gpus_of(const Parts& parts) {
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

double data_parallel(const Fabric& fabric, const Layout& layout) {
    return compute(data_parameters, data_tokens) +
           exposed_share * all_reduce(fabric, data_parameters * bytes_per_parameter, layout.all);
}

/// The weights of each layer come from all GPUs of the parts, and its gradients go back.
double sharded_traffic(const Fabric& fabric, const Parts& parts) {
    return passes_over_weights *
           all_gather(fabric, sharded_parameters * bytes_per_parameter, parts);
}

double fully_sharded(const Fabric& fabric, const Layout& layout) {
    return compute(sharded_active, sharded_tokens) +
           exposed_share * sharded_traffic(fabric, layout.all);
}

double hybrid_sharded(const Fabric& fabric, const Layout& layout) {
    double slowest = 0;
    for (const Parts& group : layout.groups)
        slowest = std::max(slowest, sharded_traffic(fabric, group));
    const double gradients =
        sharded_parameters * bytes_per_parameter / gpus_of(layout.groups.front());
    return compute(sharded_active, sharded_tokens) +
           exposed_share *
               (slowest + all_reduce(fabric, gradients, one_per_rack(layout.all.size())));
}

double expert_parallel(const Fabric& fabric, const Layout& layout) {
    double slowest = 0;
    for (const Parts& group : layout.groups) {
        if (group.size() < 2) continue;
        const double bytes = expert_tokens * expert_bytes_per_token;
        slowest = std::max(
            slowest,
            all_to_all(fabric, bytes, group) -
                all_to_all(fabric, bytes, Parts{static_cast<std::uint32_t>(gpus_of(group))}));
    }
    return expert_step + exposed_share * slowest;
}

double pipeline(const Fabric& fabric, const Layout& layout) {
    const double hand_over = layout.all.size() < 2 ? 0
                                                   : pipeline_tokens / pipeline_gpus *
                                                         pipeline_bytes_per_token / fabric.outside;
    return pipeline_step_seconds(fabric, pipeline_gpus, layout.all.size()) +
           exposed_share * hand_over;
}

}  // namespace

const char* to_string(JobKind kind) {
    return names.at(static_cast<std::size_t>(kind)).second;
}

std::optional<JobKind> parse_job_kind(std::string_view name) {
    for (const auto& [kind, known] : names)
        if (name == known) return kind;
    return std::nullopt;
}

std::string job_kind_names() {
    std::string text;
    for (const auto& [kind, name] : names) {
        if (!text.empty()) text += ", ";
        text += name;
    }
    return text;
}

double step_seconds(JobKind kind, const Fabric& fabric, const Layout& layout) {
    switch (kind) {
        case JobKind::data_parallel:
            return data_parallel(fabric, layout);
        case JobKind::fully_sharded:
            return fully_sharded(fabric, layout);
        case JobKind::hybrid_sharded:
            return hybrid_sharded(fabric, layout);
        case JobKind::expert_parallel:
            return expert_parallel(fabric, layout);
        case JobKind::pipeline:
            break;
    }
    return pipeline(fabric, layout);
}

bool group_fails(JobKind kind) {
    return kind == JobKind::expert_parallel;
}

double pipeline_step_seconds(const Fabric& fabric, std::uint32_t gpus, std::size_t racks) {
    const double gradients = pipeline_parameters * bytes_per_parameter / pipeline_model_gpus;
    return compute(pipeline_parameters, pipeline_tokens / gpus) +
           exposed_share * all_reduce(fabric, gradients, one_per_rack(racks));
}

}  // namespace nvl72block::throughput
