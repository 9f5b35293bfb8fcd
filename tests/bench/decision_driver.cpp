// SPDX-License-Identifier: GPL-2.0-or-later
//
// One decision on fixed input, for counting its instructions: decision_driver CASE. Only what runs
// below measured_decision() is counted. Without a case it lists all.
#include <cstdio>
#include <cstring>
#include <string_view>

#include "racks.hpp"

namespace {

using nvl72block::bench::Levels;
using nvl72block::bench::Racks;

struct Case {
    const char* name;
    std::uint32_t drained;  // nodes of each rack
    std::uint32_t nodes;
    std::uint32_t segment;
    bool placed;
    Levels levels = Levels::all;
    bool demand = false;  // policy demand, with slots of 16 and 4 nodes; otherwise pack
};

constexpr std::uint32_t racks = 512;
constexpr Case cases[] = {
    {"plain-16", 0, 16, 0, true},
    {"plain-64", 0, 64, 0, true},
    {"plain-1152", 0, 1152, 0, true},
    {"segments-of-16-1152", 0, 1152, 16, true},
    {"segments-of-1-4608", 0, 4608, 1, true},
    {"refusal-16", 3, 16, 0, false},
    {"refusal-segments-of-16", 3, 1152, 16, false},
    // The keys of its labels once fell into long runs of a hash table: 20 ms instead of 3.
    {"plain-6466-without-larger-blocks", 0, 6466, 0, true, Levels::racks},
    {"demand-plain-16", 0, 16, 0, true, Levels::all, true},
    {"demand-plain-64", 0, 64, 0, true, Levels::all, true},
    {"demand-plain-1152", 0, 1152, 0, true, Levels::all, true},
    {"demand-segments-of-16-1152", 0, 1152, 16, true, Levels::all, true},
    {"demand-segments-of-1-4608", 0, 4608, 1, true, Levels::all, true},
    {"demand-refusal-16", 3, 16, 0, false, Levels::all, true},
    {"demand-refusal-segments-of-16", 3, 1152, 16, false, Levels::all, true},
};

constexpr nvl72block::DemandSize slots[] = {{16, 800}, {4, 200}};

}  // namespace

extern "C" bool measured_decision(const Racks& cluster, const Case& wanted);
// Its name is what the counting looks for.
[[gnu::noinline]] bool measured_decision(const Racks& cluster, const Case& wanted) {
    const std::span<const nvl72block::DemandSize> none;
    return std::holds_alternative<nvl72block::Placement>(
        cluster.place(wanted.nodes, wanted.segment, wanted.demand ? slots : none));
}

int main(int count, char** arguments) {
    for (const Case& wanted : cases) {
        if (count < 2) {
            std::puts(wanted.name);
        } else if (std::string_view(arguments[1]) == wanted.name) {
            const Racks cluster(racks, wanted.drained, wanted.levels);
            return measured_decision(cluster, wanted) == wanted.placed ? 0 : 1;
        }
    }
    return count < 2 ? 0 : 2;
}
