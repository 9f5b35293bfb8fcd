// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many decisions are proven, and what they cost: random jobs on random clusters, as a Markdown
// table. proven_survey see --help for the options.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "cluster.hpp"
#include "measured.hpp"
#include "nvl72block/demand.hpp"
#include "racks.hpp"
#include "survey_requests.hpp"

namespace nvl72block::bench {
namespace {

struct Options {
    std::uint32_t racks = 512;
    std::uint32_t clusters = 2;   ///< per occupancy, share of busy nodes and number of weights
    std::uint32_t requests = 40;  ///< per cluster and kind
    std::uint64_t seed = 1;
    std::optional<std::uint64_t> budget;
    std::vector<std::uint32_t> weights{1, 3};
    std::optional<Demand> demand;  ///< with policy demand; otherwise policy pack
    bool show = false;
};

/// What became of the decisions of one kind.
struct Row {
    std::uint64_t decisions = 0, placed = 0, proven = 0, placed_proven = 0;
    std::vector<double> milliseconds;
    std::size_t bytes = 0;

    void add(const Measured& measured) {
        ++decisions;
        placed += measured.answer.index() == 0 ? 1 : 0;
        proven += is_proven(measured.answer) ? 1 : 0;
        placed_proven += measured.answer.index() == 0 && is_proven(measured.answer) ? 1 : 0;
        milliseconds.push_back(measured.milliseconds);
        bytes = std::max(bytes, measured.bytes);
    }
    void add(const Row& other) {
        decisions += other.decisions;
        placed += other.placed;
        proven += other.proven;
        placed_proven += other.placed_proven;
        milliseconds.insert(milliseconds.end(), other.milliseconds.begin(),
                            other.milliseconds.end());
        bytes = std::max(bytes, other.bytes);
    }
    /// Sorts the times.
    double quantile(double share) {
        std::ranges::sort(milliseconds);
        const auto last = static_cast<double>(milliseconds.size() - 1);
        return milliseconds[static_cast<std::size_t>(share * last)];
    }
};

class Survey {
  public:
    explicit Survey(const Options& options) : options_(options) {}

    void run() {
        std::puts(
            "| BlockSizes | weights | kind | decisions | placed | proven | of the placed | CPU "
            "median | 99 % "
            "| most | memory |\n|---|---|---|---|---|---|---|---|---|---|---|");
        for (const auto& sizes : surveyed_sizes(options_.racks)) {
            const Topology topology = make_racks(options_.racks, sizes);
            for (const std::uint32_t weights : options_.weights) survey(topology, sizes, weights);
        }
    }

  private:
    void survey(const Topology& topology, const std::vector<std::uint32_t>& sizes,
                std::uint32_t weights) {
        std::array<Row, kinds.size()> rows;
        Random random(options_.seed);
        for (const std::uint32_t busy : {60U, 80U, 95U})
            for (std::uint32_t i = 0; i < 2 * options_.clusters; ++i) {
                const NodeSet usable = i % 2 == 0
                                           ? used_occupancy(random, topology, busy)
                                           : uniform_occupancy(random, topology.node_count(), busy);
                const auto weight = random_weights(random, topology, weights);
                const auto cpus = random_cpus(random, topology);
                State state;
                state.usable = usable;
                state.weight = weight;
                state.cpus = cpus;
                for (std::size_t kind = 0; kind < kinds.size(); ++kind)
                    ask(random, topology, state, kinds[kind], rows[kind]);
            }
        print(sizes, weights, rows);
    }

    void ask(Random& random, const Topology& topology, const State& state, Kind kind, Row& row) {
        for (std::uint32_t i = 0; i < options_.requests; ++i) {
            Request request = request_of(random, kind, topology.planning_size());
            if (options_.demand) {
                request.policy = Policy::demand;
                request.demand = options_.demand->sizes();
            }
            const Measured measured =
                measured_place(topology, request, state, Budget{options_.budget});
            row.add(measured);
            if (options_.show && !is_proven(measured.answer))
                std::printf(
                    "<!-- not proven: %u free, %u-%u nodes, segments of %u%s%s, %s, "
                    "%llu steps, %.2f ms -->\n",
                    state.usable.count(), request.min_nodes, request.max_nodes,
                    request.segment_size, request.spread_segments ? " spread" : "",
                    request.exclusive ? " exclusive" : "",
                    measured.answer.index() == 0 ? "placed" : "refused",
                    static_cast<unsigned long long>(steps_of(measured.answer)),
                    measured.milliseconds);
        }
    }

    static void print(const std::vector<std::uint32_t>& sizes, std::uint32_t weights,
                      std::array<Row, kinds.size()>& rows) {
        std::string list;
        for (std::size_t i = 0; i < std::min<std::size_t>(sizes.size(), 4); ++i)
            list += (i == 0 ? "" : ",") + std::to_string(sizes[i]);
        if (sizes.size() > 4) list += ",…";
        Row all;
        for (const Row& row : rows) all.add(row);
        for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            print(list, weights, name_of(kinds[kind]), rows[kind]);
        print(list, weights, "**all**", all);
        std::fflush(stdout);
    }

    static void print(const std::string& sizes, std::uint32_t weights, const char* kind, Row& row) {
        const auto percent = [](std::uint64_t part, std::uint64_t all) {
            return 100.0 * static_cast<double>(part) /
                   static_cast<double>(std::max<std::uint64_t>(all, 1));
        };
        std::printf(
            "| %s | %u | %s | %llu | %.1f %% | %.2f %% | %.2f %% | %.3f ms | %.3f ms | %.3f ms | "
            "%.2f MB |\n",
            sizes.c_str(), weights, kind, static_cast<unsigned long long>(row.decisions),
            percent(row.placed, row.decisions), percent(row.proven, row.decisions),
            percent(row.placed_proven, row.placed), row.quantile(0.5), row.quantile(0.99),
            row.quantile(1), static_cast<double>(row.bytes) * 1e-6);
    }

    Options options_;
};

}  // namespace
}  // namespace nvl72block::bench

int main(int count, char** arguments) {
    nvl72block::bench::Options options;
    CLI::App app("How many decisions of the engine are proven, and what they cost.");
    app.add_option("--racks", options.racks, "racks of 18 nodes")->capture_default_str();
    app.add_option("--clusters", options.clusters, "states of each kind")->capture_default_str();
    app.add_option("--requests", options.requests, "per state and kind")->capture_default_str();
    app.add_option("--seed", options.seed)->capture_default_str();
    app.add_option("--budget", options.budget, "steps a decision; without it the engine's own");
    app.add_option("--weights", options.weights, "numbers of node weights")->capture_default_str();
    std::string demand;
    app.add_option("--demand", demand, "with policy demand and these slots, such as 16:0.8+4:0.2");
    app.add_flag("--show", options.show, "print each request whose answer is not proven");
    CLI11_PARSE(app, count, arguments);
    std::string error;
    if (!demand.empty()) options.demand = nvl72block::Demand::parse(demand, error);
    if (!error.empty()) return std::fprintf(stderr, "--demand: %s\n", error.c_str()), 2;
    nvl72block::bench::Survey(options).run();
}
