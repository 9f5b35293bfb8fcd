// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C boundary of cliques.
#include <memory>
#include <string>
#include <string_view>

#include "capi/handles.hpp"
#include "capi/planted.hpp"

namespace engine = nvl72block;
using engine::capi::guarded;
using engine::capi::planted;
using engine::capi::set_error;

struct nvl72block_cliques {
    std::shared_ptr<const engine::CliqueMap> map;
};

namespace {

/// Both must speak of the same nodes.
bool check_pair(const nvl72block_topology* topology, const nvl72block_cliques* cliques,
                nvl72block_error* error) {
    if (topology != nullptr && cliques != nullptr &&
        topology->model().node_count() == cliques->map->node_count())
        return true;
    set_error(error, NVL72BLOCK_BAD_INPUT,
              "the topology and the cliques are not for the same nodes");
    return false;
}

}  // namespace

nvl72block_cliques* nvl72block_cliques_read(size_t node_count, const char* prefix,
                                            nvl72block_features features, void* argument,
                                            nvl72block_error* error) noexcept {
    return guarded<nvl72block_cliques*>(error, nullptr, [&]() -> nvl72block_cliques* {
        const auto text_of = [&](engine::NodeIndex node) -> std::string_view {
            const char* text = features(argument, node);
            return text == nullptr ? "" : text;
        };
        return new nvl72block_cliques{std::make_shared<const engine::CliqueMap>(
            engine::read_cliques(node_count, text_of, prefix == nullptr ? "" : prefix))};
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
        const engine::CliqueReport report = engine::compare_cliques(topology->model(), map);
        const auto name = [teller](engine::NodeIndex node) {
            return std::string(teller->node_name(teller->argument, node));
        };
        for (const std::string& line :
             engine::report_lines(report, topology->model(), map, name, teller->most))
            teller->take(teller->argument, line.c_str());
        return report.findings.size();
    });
}

bool nvl72block_topology_follows_cliques(const nvl72block_topology* topology) noexcept {
    return topology != nullptr && topology->cluster.follows_cliques();
}

nvl72block_topology* nvl72block_topology_follow(const nvl72block_topology* topology,
                                                const nvl72block_cliques* cliques,
                                                nvl72block_error* error) noexcept {
    return guarded<nvl72block_topology*>(error, nullptr, [&]() -> nvl72block_topology* {
        if (!check_pair(topology, cliques, error)) return nullptr;
        if (!topology->cluster.follows_cliques() || planted("stale")) return nullptr;
        return new nvl72block_topology(topology->cluster.with_cliques(cliques->map));
    });
}
