// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary of options.
#include "nvl72block/options.hpp"

#include <algorithm>
#include <cstdio>

#include "capi/handles.hpp"

namespace engine = nvl72block;
using engine::capi::as_options;
using engine::capi::guarded;

namespace {

template <typename Engine, typename C>
constexpr bool same(Engine engine, C c) {
    return static_cast<int>(engine) == static_cast<int>(c);
}
static_assert(same(engine::Policy::compact, NVL72BLOCK_POLICY_COMPACT));
static_assert(same(engine::FragmentationScore::usable, NVL72BLOCK_FRAGMENTATION_USABLE));
static_assert(same(engine::CliqueMode::verify, NVL72BLOCK_CLIQUES_VERIFY));
static_assert(same(engine::CliqueMode::enforce, NVL72BLOCK_CLIQUES_ENFORCE));
static_assert(same(engine::CliqueMode::derive, NVL72BLOCK_CLIQUES_DERIVE));
static_assert(same(engine::CliqueMode::off, NVL72BLOCK_CLIQUES_OFF));
static_assert(sizeof nvl72block_options::clique_prefix == engine::longest_clique_prefix + 1);
static_assert(sizeof nvl72block_options::demand == engine::longest_demand + 1);
static_assert(same(engine::Policy::demand, NVL72BLOCK_POLICY_DEMAND));

nvl72block_options as_c_options(const engine::Options& options) {
    nvl72block_options result = {};
    result.policy = static_cast<nvl72block_policy>(options.policy);
    result.fragmentation = static_cast<nvl72block_fragmentation_kind>(options.fragmentation);
    result.cliques = static_cast<nvl72block_clique_mode>(options.cliques);
    result.aggregate_by_name = options.aggregation == engine::Aggregation::name;
    result.new_blocks = options.new_blocks == engine::NewBlocks::on;
    result.explain = options.explain == engine::Explain::on;
    result.shadow = options.shadow == engine::Shadow::on;
    std::copy(options.clique_prefix.begin(), options.clique_prefix.end(), result.clique_prefix);
    std::copy(options.demand.begin(), options.demand.end(), result.demand);
    return result;
}

}  // namespace

engine::Options nvl72block::capi::as_options(const nvl72block_options* options) {
    Options result;
    if (options == nullptr) return result;
    result.policy = static_cast<Policy>(options->policy);
    result.fragmentation = static_cast<FragmentationScore>(options->fragmentation);
    result.cliques = static_cast<CliqueMode>(options->cliques);
    if (options->aggregate_by_name) result.aggregation = Aggregation::name;
    if (options->new_blocks) result.new_blocks = NewBlocks::on;
    if (!options->explain) result.explain = Explain::off;
    if (options->shadow) result.shadow = Shadow::on;
    result.clique_prefix = options->clique_prefix;
    if (options->demand[0] != '\0') result.demand = options->demand;
    return result;
}

void nvl72block_options_read(const char* topology_param,
                             void (*complain)(void* argument, const char* sentence), void* argument,
                             nvl72block_options* options, nvl72block_error* error) noexcept {
    *options = {};
    options->explain = true;
    guarded(error, false, [&] {
        std::vector<std::string> findings;
        *options = as_c_options(
            engine::parse_options(topology_param == nullptr ? "" : topology_param, findings));
        if (complain != nullptr)
            for (const std::string& finding : findings) complain(argument, finding.c_str());
        return true;
    });
}

void nvl72block_options_text(const nvl72block_options* options, char* text, size_t size) noexcept {
    std::snprintf(text, size, "%s", "");
    guarded(nullptr, false, [&] {
        std::snprintf(text, size, "%s", to_string(as_options(options)).c_str());
        return true;
    });
}
