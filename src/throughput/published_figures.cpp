// SPDX-License-Identifier: GPL-2.0-or-later
#include "throughput/published_figures.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "throughput/fabric.hpp"
#include "throughput/job_kind.hpp"

namespace nvl72block::throughput {
namespace {

using Figures = std::vector<PublishedFigure>;

constexpr double giga = 1e9;
constexpr double milliseconds = 1e3;
constexpr double percent = 100;
constexpr double gibibyte = 1024.0 * 1024 * 1024;

/// nccl-tests' bus bandwidth: what the slowest link would carry in an ideal ring.
double bus_bandwidth(double bytes, const Parts& parts) {
    const double gpus = std::accumulate(parts.begin(), parts.end(), 0.0);
    return 2 * bytes * (gpus - 1) / gpus / all_reduce(gb200, bytes, parts) / giga;
}

void add_all_reduce(Figures& figures) {
    struct Row {
        std::uint32_t racks;
        std::array<double, 5> measured;
    };
    constexpr std::array sizes = {0.5, 1.0, 2.0, 4.0, 8.0};
    constexpr std::array rows = {Row{1, {586, 681, 758, 839, 835}},
                                 Row{2, {494, 596, 680, 743, 793}},
                                 Row{20, {151, 219, 287, 346, 381}}};
    for (const Row& row : rows)
        for (std::size_t i = 0; i < sizes.size(); ++i)
            figures.push_back({fmt::format("all-reduce of {} GiB over {} rack{}", sizes.at(i),
                                           row.racks, row.racks == 1 ? "" : "s"),
                               "GB/s", row.measured.at(i),
                               bus_bandwidth(sizes.at(i) * gibibyte, Parts(row.racks, 72)),
                               "coreweave/nccl-tests",
                               row.racks == 1 || (row.racks == 20 && (i == 0 || i == 4))});
}

/// Of 1,024 tokens, each for 8 experts chosen at random, as bfloat16 of DeepSeek-V3's width: a GPU
/// sends a token once to each other GPU that has one of its experts.
double dispatch_bytes(double gpus) {
    constexpr double tokens = 1024, experts = 8, bytes = 7168 * 2;
    const double reached = gpus * (1 - std::pow(1 - 1 / gpus, experts));
    return tokens * bytes * reached * (gpus - 1) / gpus;
}

void add_all_to_all(Figures& figures) {
    struct Row {
        std::uint32_t gpus;
        double dispatch, combine;
    };
    for (const Row& row : {Row{4, .099, .124}, Row{16, .199, .231}, Row{64, .222, .251}}) {
        const double predicted =
            all_to_all(gb200, dispatch_bytes(row.gpus), Parts{row.gpus}) * milliseconds;
        const auto add = [&](const char* half, double measured) {
            figures.push_back({fmt::format("all-to-all, {}, {} GPUs in a rack", half, row.gpus),
                               "ms", measured, predicted, "aiconfigurator",
                               row.gpus == 4 && measured == row.dispatch});
        };
        add("dispatch", row.dispatch);
        add("combine", row.combine);
    }
}

/// Penalties of a communicator of 64 GPUs torn in halves, by published formulas, for a network
/// that is 10.6 times slower. Of large messages: fixed times do not count.
void add_torn_collectives(Figures& figures) {
    constexpr double large = 1e15;
    const Parts whole = {64};
    const Parts torn = {32, 32};
    const Fabric exchange{10.6 * 50e9 * 900 / 700, 50e9};
    const Fabric ring{10.6 * 50e9 * 900 / 860, 50e9};
    figures.push_back({"all-to-all of 64 GPUs, torn in halves", "times", 5.9,
                       all_to_all(exchange, large, torn) / all_to_all(exchange, large, whole),
                       "inference-sim 1667"});
    figures.push_back({"ring of 64 GPUs, torn in halves", "times", 1.15,
                       all_reduce(ring, large, torn) / all_reduce(ring, large, whole),
                       "inference-sim 1667"});
}

Layout layout(const Parts& all, std::vector<Parts> groups) {
    return {all, std::move(groups)};
}

double loss(JobKind kind, const Layout& slower, const Layout& faster) {
    return percent * (1 - step_seconds(kind, gb200, faster) / step_seconds(kind, gb200, slower));
}

/// Racks of 16 nodes, each with a group of its own.
Layout aligned(std::size_t racks) {
    return layout(Parts(racks, 64), std::vector<Parts>(racks, Parts{64}));
}

void add_training(Figures& figures) {
    const char* crusoe = "Crusoe";
    figures.push_back(
        {"loss of 16 nodes, fully sharded, torn in halves", "%", 10,
         loss(JobKind::fully_sharded, layout({32, 32}, {{32, 32}}), layout({64}, {{64}})), crusoe});
    figures.push_back(
        {"loss of 64 nodes on 4 racks filled one after another, hybrid sharded", "%", 13,
         loss(JobKind::hybrid_sharded,
              layout({72, 72, 72, 40}, {{64}, {8, 56}, {16, 48}, {24, 40}}), aligned(4)),
         crusoe});
    figures.push_back({"loss from 1 to 4 racks, hybrid sharded", "%", 3,
                       loss(JobKind::hybrid_sharded, aligned(4), aligned(1)), crusoe});
    figures.push_back({"loss from 4 to 8 racks, hybrid sharded", "%", 4,
                       loss(JobKind::hybrid_sharded, aligned(8), aligned(4)), crusoe});
    figures.push_back({"loss from 1 to 2 racks, sharded in each, another model", "%", 0.4,
                       loss(JobKind::hybrid_sharded, aligned(2), aligned(1)), "marin 7201, 7864"});
    constexpr std::uint32_t few = 512, many = 2496;
    const double few_rate = 1 / (few * pipeline_step_seconds(gb200, few, few / 64));
    const double many_rate = 1 / (many * pipeline_step_seconds(gb200, many, many / 64));
    figures.push_back({"loss from 512 to 2,496 GPUs, pipeline, per GPU", "%", 5.4,
                       percent * (1 - many_rate / few_rate), "MLPerf Training 5.0"});
    const Layout torn = layout({64, 64}, {{64, 64}});
    figures.push_back({"step of 128 GPUs, experts over two racks", "s", 86,
                       step_seconds(JobKind::expert_parallel, gb200, torn), "marin 7279"});
}

}  // namespace

std::vector<PublishedFigure> published_figures() {
    Figures figures;
    add_all_reduce(figures);
    add_all_to_all(figures);
    add_torn_collectives(figures);
    add_training(figures);
    return figures;
}

bool confirmed(const PublishedFigure& figure) {
    return std::abs(figure.predicted - figure.measured) <= figure.measured / 3;
}

}  // namespace nvl72block::throughput
