// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary of cliques.
#include <fmt/format.h>

#include "capi/handles.hpp"

namespace engine = nvl72block;
using engine::capi::guarded;
using engine::capi::set_error;

struct nvl72block_cliques {
    std::shared_ptr<const engine::CliqueMap> map;
};

namespace {

// Blocks of a fabric that says nothing yet have to be of some size: that of a whole NVL72 rack.
constexpr std::uint32_t default_planning_size = 18;

/// Both must speak of the same nodes.
bool check_pair(const nvl72block_topology* topology, const nvl72block_cliques* cliques,
                nvl72block_error* error) {
    if (topology != nullptr && cliques != nullptr &&
        topology->model.node_count() == cliques->map->node_count())
        return true;
    set_error(error, NVL72BLOCK_BAD_INPUT,
              "the topology and the cliques are not for the same nodes");
    return false;
}

void tell(const nvl72block_teller& teller, const std::string& line) {
    teller.take(teller.argument, line.c_str());
}

}  // namespace

nvl72block_cliques* nvl72block_cliques_read(size_t node_count, const char* prefix,
                                            nvl72block_features features, void* argument,
                                            nvl72block_error* error) noexcept {
    return guarded<nvl72block_cliques*>(error, nullptr, [&]() -> nvl72block_cliques* {
        auto map = std::make_shared<engine::CliqueMap>(node_count);
        std::string before;  // the nodes of a rack follow each other and say the same
        engine::NodeClique clique;
        for (engine::NodeIndex node = 0; node < node_count; ++node) {
            const char* text = features(argument, node);
            if (text == nullptr || *text == '\0') continue;
            if (before != text) {
                before = text;
                clique = engine::read_clique(before, prefix == nullptr ? "" : prefix);
            }
            map->set(node, clique);
        }
        return new nvl72block_cliques{std::move(map)};
    });
}

void nvl72block_cliques_free(nvl72block_cliques* cliques) noexcept {
    delete cliques;
}

bool nvl72block_cliques_same(const nvl72block_cliques* left,
                             const nvl72block_cliques* right) noexcept {
    if (left == nullptr || right == nullptr) return left == right;
    return left->map->says_the_same(*right->map);
}

uint32_t nvl72block_cliques_count(const nvl72block_cliques* cliques) noexcept {
    return cliques == nullptr ? 0 : cliques->map->clique_count();
}

bool nvl72block_cliques_speak(const nvl72block_cliques* cliques) noexcept {
    return cliques != nullptr &&
           cliques->map->nodes_with_clique() + cliques->map->invalid_nodes() != 0;
}

size_t nvl72block_cliques_compare(const nvl72block_topology* topology,
                                  const nvl72block_cliques* cliques,
                                  const nvl72block_teller* teller,
                                  nvl72block_error* error) noexcept {
    return guarded<size_t>(error, 0, [&]() -> size_t {
        if (!check_pair(topology, cliques, error)) return 0;
        const engine::CliqueMap& map = *cliques->map;
        const engine::CliqueReport report = engine::compare_cliques(topology->model, map);
        const auto name = [teller](engine::NodeIndex node) -> std::string_view {
            return teller->node_name(teller->argument, node);
        };
        tell(*teller, engine::summary(report));
        size_t told = 0;
        for (const engine::CliqueFinding& finding : report.findings) {
            if (told == teller->most) break;
            tell(*teller, engine::sentence(finding, topology->model, map, name));
            ++told;
        }
        if (told < report.findings.size())
            tell(*teller, fmt::format("{} more findings", report.findings.size() - told));
        return report.findings.size();
    });
}

nvl72block_topology* nvl72block_topology_enforce(const nvl72block_topology* topology,
                                                 const nvl72block_cliques* cliques,
                                                 nvl72block_error* error) noexcept {
    return guarded<nvl72block_topology*>(error, nullptr, [&]() -> nvl72block_topology* {
        if (!check_pair(topology, cliques, error)) return nullptr;
        return new nvl72block_topology(topology->model, topology->texts, topology->sizes,
                                       cliques->map);
    });
}

nvl72block_topology* nvl72block_topology_derive(const nvl72block_topology* base,
                                                const nvl72block_cliques* cliques,
                                                nvl72block_error* error) noexcept {
    return guarded<nvl72block_topology*>(error, nullptr, [&]() -> nvl72block_topology* {
        if (!check_pair(base, cliques, error)) return nullptr;
        engine::CliqueBlocks blocks = engine::blocks_of_cliques(*cliques->map);
        // "changed": the nodes are shown as they are, there is no text to quote
        std::vector<nvl72block_topology::BlockText> texts(blocks.names.size(), {"", true});
        auto model = engine::Topology::of_blocks(
            {.names = std::move(blocks.names),
             .block_of = std::move(blocks.block_of),
             .sizes = base->sizes,
             .default_size = blocks.usual_size == 0 ? default_planning_size : blocks.usual_size});
        return new nvl72block_topology(std::move(model), std::move(texts), base->sizes);
    });
}
