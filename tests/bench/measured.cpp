// SPDX-License-Identifier: GPL-2.0-or-later
#include "measured.hpp"

#include <cstdlib>
#include <ctime>

#include "allocations.hpp"

namespace {

double cpu_milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

}  // namespace

namespace nvl72block::bench {
namespace {

/// slurmctld frees large messages all day, so that glibc's malloc gives it no memory back to the
/// kernel that the next decision would have to ask for again. One such message does the same here.
const bool heap_stays = [] {
    void* volatile message = std::malloc(std::size_t{24} << 20);
    std::free(message);
    return true;
}();

}  // namespace

Measured measured_place(const Topology& topology, const Request& request, const State& state,
                        const Budget& budget) {
    restart_peak();
    const std::size_t before = allocated().kept;
    const double begin = cpu_milliseconds();
    Answer answer = place(topology, request, state, budget);
    const double end = cpu_milliseconds();
    return {std::move(answer), end - begin, allocated().peak - before};
}

bool is_proven(const Answer& answer) {
    return std::visit([](const auto& outcome) { return outcome.proven; }, answer);
}

std::uint64_t steps_of(const Answer& answer) {
    return std::visit([](const auto& outcome) { return outcome.steps; }, answer);
}

}  // namespace nvl72block::bench
