// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/plan/placement_cost.hpp"

#include <fmt/format.h>

#include "cli/input/input_error.hpp"
#include "text/plural.hpp"

namespace nvl72block::cli {
namespace {

constexpr double percent = 100;

std::string torn_text(const throughput::Effect& effect) {
    return effect.groups == 1 ? std::string("the job lies on more racks than it needs")
                              : fmt::format("{} of {} groups lie on more racks than they need",
                                            effect.torn_groups, effect.groups);
}

}  // namespace

std::optional<PlacementCost> PlacementCost::parse(const CostOptions& options) {
    if (options.kind.empty()) return std::nullopt;
    PlacementCost cost;
    cost.model_.kind = throughput::parse_job_kind(options.kind);
    if (!cost.model_.kind)
        throw InputError("--throughput", fmt::format("\"{}\" is not a kind of job", options.kind),
                         fmt::format("write one of {}", throughput::job_kind_names()));
    cost.model_.fabric = parse_fabric(options.fabric);
    cost.fabric_ = options.fabric;
    return cost;
}

std::string PlacementCost::text(const Topology& topology, const Placement& placement,
                                std::uint32_t segment_size) const {
    const throughput::Effect effect =
        throughput::placement_effect(topology, placement, segment_size, model_);
    std::string text = fmt::format("{} on {}: ", to_string(*model_.kind), fabric_);
    if (effect.fails) return text + "may not run, " + torn_text(effect);
    if (effect.loss == 0)
        text += "as in the best placement";
    else
        text += fmt::format("{}{:.1f}% below the best placement",
                            effect.loss >= throughput::largest_measured_loss ? "at least " : "",
                            percent * effect.loss);
    return effect.torn_groups == 0 ? text : text + ", " + torn_text(effect);
}

nlohmann::ordered_json PlacementCost::json(const Topology& topology, const Placement& placement,
                                           std::uint32_t segment_size) const {
    const throughput::Effect effect =
        throughput::placement_effect(topology, placement, segment_size, model_);
    return {{"kind", to_string(*model_.kind)},   {"fabric", fabric_},     {"groups", effect.groups},
            {"torn_groups", effect.torn_groups}, {"fails", effect.fails}, {"loss", effect.loss}};
}

}  // namespace nvl72block::cli
