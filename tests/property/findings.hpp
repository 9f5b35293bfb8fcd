// SPDX-License-Identifier: GPL-2.0-or-later
//
// Failures sorted by kind, with the smallest examples of each.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace nvl72block::oracle {

class Findings {
  public:
    /// `size` tells small examples from large ones.
    void add(const std::string& kind, const std::string& job, std::size_t size,
             const std::string& example);
    void add(const Findings& other);

    /// Whether an example of this kind and size would be kept.
    [[nodiscard]] bool keeps(const std::string& kind, std::size_t size) const;
    /// Findings of all kinds but those that start with "note:" or "beyond:".
    [[nodiscard]] std::uint64_t count() const;
    /// Findings of the kinds that start with "beyond:": the engine said itself that its search was
    /// bounded there.
    [[nodiscard]] std::uint64_t beyond() const;
    [[nodiscard]] std::uint64_t count(const std::string& kind) const;
    /// Counts by kind and job, and at most `examples` examples in all; failures come first.
    [[nodiscard]] std::string report(std::size_t examples) const;

  private:
    struct Example {
        std::size_t size = 0;
        std::string text;
    };
    struct Kind {
        std::uint64_t count = 0;
        std::map<std::string, std::uint64_t> by_job;
        std::vector<Example> smallest;

        void keep(Example example);
        std::string report(const std::string& name, std::size_t& examples) const;
    };

    std::map<std::string, Kind> kinds_;
};

}  // namespace nvl72block::oracle
