// SPDX-License-Identifier: GPL-2.0-or-later
//
// Means over time of a quantity that changes in steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nvl72block::replay {

/// Adds up a step function over the window [0, end), in equal slices.
class StepMean {
  public:
    StepMean(std::int64_t end, std::size_t slices)
        : end_(std::max<std::int64_t>(end, 1)), area_(slices, 0) {}

    /// The quantity is `value` from `time` on. Times ascend.
    void change(std::int64_t time, double value) {
        add(last_time_, std::min(time, end_), last_value_);
        last_time_ = time;
        last_value_ = value;
    }

    /// Mean of each slice; call after the last change.
    [[nodiscard]] std::vector<double> slices() {
        finish();
        std::vector<double> means = area_;
        const double width = static_cast<double>(end_) / static_cast<double>(area_.size());
        for (double& mean : means) mean /= width;
        return means;
    }

    [[nodiscard]] double mean() {
        finish();
        double sum = 0;
        for (const double area : area_) sum += area;
        return sum / static_cast<double>(end_);
    }

  private:
    void finish() {
        if (last_time_ < end_) change(end_, last_value_);
    }

    void add(std::int64_t begin, std::int64_t end, double value) {
        const double width = static_cast<double>(end_) / static_cast<double>(area_.size());
        auto from = static_cast<double>(begin);
        const auto to = static_cast<double>(end);
        auto slice = static_cast<std::size_t>(from / width);
        for (; from < to && slice < area_.size(); ++slice) {
            const double until = std::min(to, width * static_cast<double>(slice + 1));
            if (until > from) area_[slice] += value * (until - from);
            from = std::max(from, until);
        }
    }

    std::int64_t end_;
    std::vector<double> area_;
    std::int64_t last_time_ = 0;
    double last_value_ = 0;
};

}  // namespace nvl72block::replay
