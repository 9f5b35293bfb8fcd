// SPDX-License-Identifier: GPL-2.0-or-later
//
// Prometheus' text format, version 0.0.4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nvl72block::cli {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

class Exposition {
  public:
    /// Begins a family of gauges; the samples that follow are its own.
    void gauge(std::string_view name, std::string_view help);
    void sample(const Labels& labels, std::uint64_t value);

    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string name_;
    std::string text_;
};

}  // namespace nvl72block::cli
