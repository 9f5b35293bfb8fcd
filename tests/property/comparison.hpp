// SPDX-License-Identifier: GPL-2.0-or-later
//
// Holds answers of the engine to the oracle and keeps count of how they differ.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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

/// Makes answers to be judged: the engine, or a faulty one that the judge must see through.
using Engine = std::function<Answer(const Topology&, const Request&, const State&, const Budget&)>;

/// Judges the engine with one budget. An answer that calls itself proven is to be the oracle's in
/// all preferences; one that does not must obey every rule, and is counted as `beyond` where the
/// oracle knows a better one.
class Comparison {
  public:
    explicit Comparison(Budget budget = {}, Engine engine = place)
        : budget_(budget), engine_(std::move(engine)) {}

    /// Asks the engine and records how it differs from the oracle's answer `best`.
    void run(Oracle& oracle, const std::optional<Optimum>& best, const Case& sample,
             const Instance& instance, const Facts& facts, const Request& request);

    [[nodiscard]] std::uint64_t cases() const { return cases_; }
    [[nodiscard]] std::uint64_t placed() const { return placed_; }
    [[nodiscard]] std::uint64_t failures() const { return findings_.count(); }
    /// Answers that called themselves proven.
    [[nodiscard]] std::uint64_t proven() const { return proven_; }
    /// Differences where the engine said that its search limit was reached; no failures.
    [[nodiscard]] std::uint64_t beyond() const { return findings_.beyond(); }

    [[nodiscard]] const Budget& budget() const { return budget_; }

    /// Counts by kind, with the smallest examples of each, at most `examples` in all.
    [[nodiscard]] std::string report(std::size_t examples) const {
        return findings_.report(examples);
    }
    /// One line: cases, placed, refused, in how many of the placed the preferences agree.
    [[nodiscard]] std::string summary() const;

    void add(const Comparison& other);

  private:
    [[nodiscard]] Verdict judge(Oracle& oracle, const std::optional<Optimum>& best,
                                const Instance& instance, const Facts& facts,
                                const Request& request);
    [[nodiscard]] Verdict judge_placement(const Optimum& best, const Instance& instance,
                                          const Facts& facts, const Request& request,
                                          const Placement& placement);
    void record(const Verdict& verdict, const Case& sample, const Facts& facts,
                const Request& request);

    Budget budget_;
    Engine engine_;
    std::uint64_t cases_ = 0, placed_ = 0, refused_ = 0, proven_ = 0;
    std::uint64_t unranked_ = 0;  // fit in blocks, but the engine's answer never came to ranks
    std::array<std::uint64_t, all_preferences + 1> differs_{};  // by preference
    Findings findings_;
};

/// Judges each case with the full budget and with one or all of the small ones.
class BudgetComparison {
  public:
    /// `thorough`: all of the small budgets in every case, not one after another.
    explicit BudgetComparison(bool thorough);

    void run(Oracle& oracle, const Case& sample, const Instance& instance, const Facts& facts,
             const Request& request);
    [[nodiscard]] const Comparison& full() const { return judges_.front(); }
    [[nodiscard]] const std::vector<Comparison>& judges() const { return judges_; }
    void add(const BudgetComparison& other);

  private:
    std::vector<Comparison> judges_;  ///< the full budget first
    bool thorough_;
    std::size_t next_ = 1;
};

/// "budget 10", "full budget".
[[nodiscard]] std::string to_string(const Budget& budget);

}  // namespace nvl72block::oracle
