// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/job_styles.hpp"

#include <algorithm>
#include <bitset>
#include <cstddef>

namespace nvl72block::cli {
namespace {

constexpr std::size_t colors = job_colors.size();
constexpr std::size_t style_count =
    2 * colors;  // style s has colour s % colors; the second half bands

using Neighbors = std::vector<std::vector<JobIndex>>;

void join(const DrawnNode& left, const DrawnNode& right, Neighbors& neighbors) {
    for (const JobIndex one : left.jobs)
        for (const JobIndex other : right.jobs)
            if (one != other) {
                neighbors[one].push_back(other);
                neighbors[other].push_back(one);
            }
}

/// How often each style is in use, by the neighbours of a job or by all jobs.
using Uses = std::array<std::uint32_t, style_count>;

/// The best of the styles for a job: colours that no neighbour has come first, then styles that
/// none has, then what fewest neighbours have; among equals what fewest jobs have.
std::size_t choose(const Uses& near, const Uses& all) {
    std::size_t best = 0;
    const auto rank = [&](std::size_t style) {
        const std::uint32_t same_color = near[style % colors] + near[style % colors + colors];
        const bool band_without_need = style >= colors && same_color == 0;
        return std::array{near[style], same_color, std::uint32_t{band_without_need}, all[style]};
    };
    for (std::size_t style = 1; style < style_count; ++style)
        if (rank(style) < rank(best)) best = style;
    return best;
}

/// Gives styles one job at a time: next comes the job whose neighbours have most colours already,
/// among equals the one with most neighbours.
class Styling {
  public:
    explicit Styling(const Neighbors& neighbors)
        : neighbors_(neighbors),
          near_(neighbors.size()),
          colors_near_(neighbors.size()),
          chosen_(neighbors.size(), style_count) {}

    std::vector<JobStyle> run() {
        for (std::size_t count = 0; count < chosen_.size(); ++count) give_style(next());
        std::vector<JobStyle> result;
        result.reserve(chosen_.size());
        for (const std::size_t style : chosen_)
            result.push_back({static_cast<unsigned>(style % colors), style >= colors});
        return result;
    }

  private:
    [[nodiscard]] std::size_t next() const {
        std::size_t best = chosen_.size();
        std::array<std::size_t, 2> most{};
        for (std::size_t job = 0; job < chosen_.size(); ++job) {
            if (chosen_[job] != style_count) continue;
            const std::array rank{colors_near_[job].count(), neighbors_[job].size()};
            if (best == chosen_.size() || rank > most) {
                best = job;
                most = rank;
            }
        }
        return best;
    }

    void give_style(std::size_t job) {
        chosen_[job] = choose(near_[job], all_);
        ++all_[chosen_[job]];
        for (const JobIndex neighbor : neighbors_[job]) {
            ++near_[neighbor][chosen_[job]];
            colors_near_[neighbor].set(chosen_[job] % colors);
        }
    }

    const Neighbors& neighbors_;
    std::vector<Uses> near_;
    std::vector<std::bitset<colors>> colors_near_;
    std::vector<std::size_t> chosen_;  // `style_count`: none yet
    Uses all_{};
};

}  // namespace

std::vector<std::vector<JobIndex>> touching_jobs(const Picture& picture) {
    Neighbors neighbors(picture.jobs.size());
    const DrawnRack* previous = nullptr;
    for (const DrawnRack& rack : picture.racks) {
        for (std::size_t i = 0; i < rack.nodes.size(); ++i) {
            join(rack.nodes[i], rack.nodes[i], neighbors);
            if (i > 0) join(rack.nodes[i - 1], rack.nodes[i], neighbors);
            if (previous != nullptr && i < previous->nodes.size())
                join(previous->nodes[i], rack.nodes[i], neighbors);
        }
        previous = &rack;
    }
    for (std::vector<JobIndex>& each : neighbors) {
        std::sort(each.begin(), each.end());
        each.erase(std::unique(each.begin(), each.end()), each.end());
    }
    return neighbors;
}

std::vector<JobStyle> job_styles(const Picture& picture) {
    return Styling(touching_jobs(picture)).run();
}

}  // namespace nvl72block::cli
