// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/metrics/cluster_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/metrics/exposition.hpp"
#include "cli/metrics/shadow_metrics.hpp"
#include "nvl72block/fragmentation.hpp"
#include "nvl72block/headroom.hpp"

namespace nvl72block::cli {
namespace {

void write_nodes(const MetricsSource& source, Exposition& exposition) {
    const StateCounts counts = source.states.count_all();
    exposition.gauge("nvl72block_nodes", "Nodes by what they do; each node counts once.");
    exposition.sample({{"state", "free"}}, counts.free);
    exposition.sample({{"state", "busy"}}, counts.busy);
    exposition.sample({{"state", "drained"}}, counts.drained);
    exposition.sample({{"state", "reserved"}}, counts.reserved);
    exposition.gauge("nvl72block_usable_nodes", "Free nodes that are in a block.");
    exposition.sample(
        {}, nodes_in_blocks(source.topology, 0, source.topology.block_count(), source.states.free())
                .count());
}

void write_blocks(const MetricsSource& source, Exposition& exposition) {
    exposition.gauge("nvl72block_blocks",
                     "Blocks by size in nodes; whole: all planned nodes are free, broken: some are "
                     "not, incomplete: too few nodes ever to be whole.");
    for (const LevelBlocks& blocks : count_blocks(source.topology, source.states.free())) {
        const std::string size = fmt::to_string(blocks.block_size);
        exposition.sample({{"size", size}, {"state", "whole"}}, blocks.whole);
        exposition.sample({{"size", size}, {"state", "broken"}}, blocks.broken);
        exposition.sample({{"size", size}, {"state", "incomplete"}}, blocks.incomplete);
    }
}

void write_headroom(const MetricsSource& source, Exposition& exposition) {
    const std::vector<IdleSegments> segments =
        idle_segments(source.topology, source.states.free(), segment_sizes(source.topology));
    const FitCount largest = largest_job(source.topology, source.states.free());
    exposition.gauge("nvl72block_free_segments",
                     "Segments of so many nodes that one job could get now.");
    for (const IdleSegments& idle : segments)
        exposition.sample({{"size", fmt::to_string(idle.size)}}, idle.fit.count);
    exposition.gauge("nvl72block_largest_job_nodes",
                     "Nodes of the largest job without segments that would start now.");
    exposition.sample({}, largest.count);
    exposition.gauge("nvl72block_lower_bound",
                     "Of the numbers of free segments and of the largest job's nodes, those that "
                     "may be larger, as a search limit was reached.");
    for (const IdleSegments& idle : segments)
        if (!idle.fit.exact)
            exposition.sample(
                {{"metric", "nvl72block_free_segments"}, {"size", fmt::to_string(idle.size)}}, 1);
    if (!largest.exact) exposition.sample({{"metric", "nvl72block_largest_job_nodes"}}, 1);
    exposition.gauge(
        "nvl72block_fragmentation_nodes",
        "Nodes that large jobs have lost to fragmentation, lower is better; usable: in "
        "usable sizes, topology_block: as Slurm's topology/block computes it.");
    exposition.sample({{"score", "usable"}},
                      fragmentation_usable(source.topology, source.states.free()));
    exposition.sample({{"score", "topology_block"}},
                      fragmentation_stock(source.topology, source.states.free()));
}

void write_cliques(const MetricsSource& source, Exposition& exposition) {
    if (source.cliques == nullptr) return;
    constexpr std::array kinds = {CliqueFindingKind::several_cliques,
                                  CliqueFindingKind::several_blocks,
                                  CliqueFindingKind::without_clique,
                                  CliqueFindingKind::outside_blocks, CliqueFindingKind::invalid};
    const CliqueReport report = compare_cliques(source.topology, *source.cliques);
    exposition.gauge("nvl72block_clique_findings",
                     "Disagreements between blocks and NVLink cliques.");
    for (const CliqueFindingKind kind : kinds)
        exposition.sample({{"kind", to_string(kind)}},
                          static_cast<std::uint64_t>(std::count_if(
                              report.findings.begin(), report.findings.end(),
                              [kind](const CliqueFinding& each) { return each.kind == kind; })));
    exposition.gauge("nvl72block_clique_nodes", "Nodes with an NVLink clique.");
    exposition.sample({}, report.with_clique);
}

void write_waiting(const MetricsSource& source, Exposition& exposition) {
    if (!source.waiting) return;
    exposition.gauge("nvl72block_waiting_jobs",
                     "Pending jobs by Slurm's reason; the pending tasks of a job array are one.");
    for (const auto& [reason, waiting] : *source.waiting)
        exposition.sample({{"reason", reason}}, waiting.jobs);
    exposition.gauge("nvl72block_waiting_nodes", "Sum of their minimum node counts.");
    for (const auto& [reason, waiting] : *source.waiting)
        exposition.sample({{"reason", reason}}, waiting.nodes);
}

}  // namespace

std::string metrics_text(const MetricsSource& source) {
    Exposition exposition;
    exposition.gauge("nvl72block_build_info", "Version of the command that wrote this.");
    exposition.sample({{"version", NVL72BLOCK_VERSION}}, 1);
    write_nodes(source, exposition);
    write_blocks(source, exposition);
    write_headroom(source, exposition);
    write_cliques(source, exposition);
    write_waiting(source, exposition);
    if (source.shadow != nullptr) write_shadow_metrics(*source.shadow, exposition);
    return exposition.text();
}

}  // namespace nvl72block::cli
