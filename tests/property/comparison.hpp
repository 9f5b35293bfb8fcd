// SPDX-License-Identifier: GPL-2.0-or-later
//
// Holds answers of the engine to the oracle and keeps count of how they differ.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "cases.hpp"
#include "findings.hpp"
#include "oracle.hpp"

namespace nvl72block::oracle {

/// What went wrong in one case; no kind if nothing did.
struct Verdict {
    std::string kind;
    std::string detail;
};

/// A few words for the kind of job, to sort failures by.
[[nodiscard]] std::string job_kind(const Facts& facts, const Request& request);

class Comparison {
  public:
    /// Asks engine and oracle and records the outcome.
    void run(Oracle& oracle, const Case& sample, const Instance& instance, const Facts& facts,
             const Request& request);

    [[nodiscard]] std::uint64_t cases() const { return cases_; }
    [[nodiscard]] std::uint64_t placed() const { return placed_; }
    /// Failures that are never allowed: all but differences in preferences 4 to 6.
    [[nodiscard]] std::uint64_t failures() const;
    /// Answers that differ first in preference 4, 5 or 6.
    [[nodiscard]] std::uint64_t soft_differences() const;
    /// Differences where the engine said that its search was bounded; no failures.
    [[nodiscard]] std::uint64_t beyond() const { return findings_.beyond(); }

    /// Counts by kind, with the smallest examples of each, at most `examples` in all.
    [[nodiscard]] std::string report(std::size_t examples) const {
        return findings_.report(examples);
    }
    /// One line: cases, placed, refused, in how many of the placed the preferences agree.
    [[nodiscard]] std::string summary() const;

    void add(const Comparison& other);

  private:
    [[nodiscard]] Verdict judge(Oracle& oracle, const Instance& instance, const Facts& facts,
                                const Request& request);
    [[nodiscard]] Verdict judge_placement(const Best& best, const Instance& instance,
                                          const Facts& facts, const Request& request,
                                          const Placement& placement);
    void record(const Verdict& verdict, const Case& sample, const Facts& facts,
                const Request& request);

    std::uint64_t cases_ = 0, placed_ = 0, refused_ = 0;
    std::uint64_t unranked_ = 0;  // fit in blocks, but the engine's answer never came to ranks
    std::array<std::uint64_t, 7> differs_{};  // by preference
    Findings findings_;
};

}  // namespace nvl72block::oracle
