// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay/workload/services.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace nvl72block::replay {
namespace {

constexpr std::array<std::uint32_t, 3> sizes = {1, 2, 4};
constexpr std::int64_t shortest = 86400;
constexpr std::int64_t longest = 120 * shortest;

struct End {
    std::int64_t time = 0;
    std::uint32_t nodes = 0;
    bool operator>(const End& other) const { return time > other.time; }
};

Job next_service(std::int64_t submit, Limits limits, Random& random) {
    Job job;
    job.submit = submit;
    job.nodes = sizes.at(random.below(sizes.size()));
    const double ratio = static_cast<double>(longest) / static_cast<double>(shortest);
    job.duration = std::llround(static_cast<double>(shortest) * std::pow(ratio, random.uniform()));
    job.time_limit = time_limit(limits, job.duration, 0);
    return job;
}

/// Moves the submit time of a job that still runs at `begin` to there.
void shorten(Job& job, std::int64_t begin) {
    const std::int64_t age = begin - job.submit;
    job.submit = begin;
    job.duration -= age;
    job.time_limit -= age;
}

}  // namespace

std::vector<Job> make_services(const ServiceOptions& options, Limits limits, Random& random) {
    std::vector<Job> jobs;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
    double wanted = 0;
    // Twice the longest duration before the beginning they all start at once; none of these is
    // left at the beginning, and their ends have spread out.
    for (std::int64_t now = options.begin - 2 * longest; options.nodes > 0;) {
        while (wanted < options.nodes) {
            Job job = next_service(now, limits, random);
            wanted += job.nodes;
            const std::int64_t end = now + job.duration;
            ends.push({end, job.nodes});
            if (now < options.begin) shorten(job, options.begin);
            if (end > options.begin) jobs.push_back(job);
        }
        now = ends.top().time;
        wanted -= ends.top().nodes;
        ends.pop();
        if (now > options.end) break;
    }
    return jobs;
}

}  // namespace nvl72block::replay
