// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the engine alone costs, from 64 to 65,536 nodes in racks of 18, with the growth fitted.
// The counts behind a decision are timed with the refusal that follows from them alone.
#include <benchmark/benchmark.h>

#include "nvl72block/fragmentation.hpp"
#include "racks.hpp"

namespace nvl72block::bench {
namespace {

std::uint32_t nodes_of(const benchmark::State& state) {
    return racks_for(static_cast<std::uint32_t>(state.range(0))) * rack_nodes;
}

void build(benchmark::State& state) {
    const std::uint32_t racks = racks_for(static_cast<std::uint32_t>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(make_topology(racks));
    state.SetComplexityN(nodes_of(state));
}

/// One request over and over; an answer of the other kind stops the benchmark.
void decide(benchmark::State& state, std::uint32_t drained, std::uint32_t nodes,
            std::uint32_t segment, bool placed) {
    const Racks cluster(nodes_of(state) / rack_nodes, drained);
    if (std::holds_alternative<Placement>(cluster.place(nodes, segment)) != placed)
        state.SkipWithError(placed ? "the job was refused" : "the job was not refused");
    for (auto _ : state) benchmark::DoNotOptimize(cluster.place(nodes, segment));
    state.SetComplexityN(nodes_of(state));
}

void choose_rack(benchmark::State& state) {
    decide(state, 0, rack_nodes, 0, true);
}
void choose_three_racks(benchmark::State& state) {
    decide(state, 0, 3 * rack_nodes, 0, true);
}
void choose_segments_of_16(benchmark::State& state) {
    decide(state, 0, 48, 16, true);
}
void choose_half_in_segments_of_1(benchmark::State& state) {
    decide(state, 0, nodes_of(state) / 2, 1, true);
}
void choose_all_in_segments_of_18(benchmark::State& state) {
    decide(state, 0, nodes_of(state), rack_nodes, true);
}
void count_and_refuse(benchmark::State& state) {
    decide(state, 3, 16, 0, false);
}
void count_and_refuse_segments(benchmark::State& state) {
    decide(state, 3, 48, 16, false);
}

void fragmentation(benchmark::State& state) {
    const Racks cluster(nodes_of(state) / rack_nodes, 3);
    for (auto _ : state)
        benchmark::DoNotOptimize(fragmentation_stock(cluster.topology, cluster.usable));
    state.SetComplexityN(nodes_of(state));
}

/// Growing segment counts on one cluster of 512 racks.
void segments(benchmark::State& state) {
    const Racks cluster(512);
    const auto count = static_cast<std::uint32_t>(state.range(0));
    for (auto _ : state) benchmark::DoNotOptimize(cluster.place(count, 1));
    state.SetComplexityN(state.range(0));
}

void sizes(benchmark::internal::Benchmark* benchmark) {
    benchmark->RangeMultiplier(4)->Range(64, 65536)->Complexity()->Unit(benchmark::kMicrosecond);
}

BENCHMARK(build)->Apply(sizes);
BENCHMARK(choose_rack)->Apply(sizes);
BENCHMARK(choose_three_racks)->Apply(sizes);
BENCHMARK(choose_segments_of_16)->Apply(sizes);
BENCHMARK(choose_half_in_segments_of_1)->Apply(sizes);
BENCHMARK(choose_all_in_segments_of_18)->Apply(sizes);
BENCHMARK(count_and_refuse)->Apply(sizes);
BENCHMARK(count_and_refuse_segments)->Apply(sizes);
BENCHMARK(fragmentation)->Apply(sizes);
BENCHMARK(segments)->RangeMultiplier(8)->Range(1, 4096)->Arg(4608)->Complexity()->Unit(
    benchmark::kMicrosecond);

}  // namespace
}  // namespace nvl72block::bench

BENCHMARK_MAIN();
