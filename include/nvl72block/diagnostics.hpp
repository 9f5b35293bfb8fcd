// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is wrong with an input, where, and what to write instead.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace nvl72block {

/// How much a finding matters: an error means that the input cannot be used, a note is for
/// information.
enum class Severity { note, warning, error };

/// One finding about an input file. `line` counts from 1; 0 means the file as a whole.
struct Diagnostic {
    Severity severity = Severity::error;
    std::string file;  ///< as it is to be named in messages
    unsigned line = 0;
    std::string message;  ///< what is wrong, with the offending text
    std::string remedy;   ///< what to write instead; may be empty
};

/// Findings in the order in which they were made; functions append to it. An input of another kind
/// must not fill memory or a log with a finding for each of its words: of each severity so many
/// are kept, and the last of them tells how many more there were.
class Diagnostics {
  public:
    /// Findings of one severity.
    static constexpr std::size_t most = 200;
    /// Characters of all findings together, about: names can be long.
    static constexpr std::size_t most_characters = std::size_t{256} << 10;

    using value_type = Diagnostic;
    using const_iterator = std::vector<Diagnostic>::const_iterator;

    void push_back(Diagnostic finding);
    /// Adds what another list has, and counts what it had no room for.
    void append(Diagnostics others);
    void clear() { *this = {}; }

    /// Whether one more of that severity would only be counted: then its text need not be made.
    [[nodiscard]] bool is_full(Severity severity) const;

    [[nodiscard]] const_iterator begin() const { return list_.begin(); }
    [[nodiscard]] const_iterator end() const { return list_.end(); }
    [[nodiscard]] std::size_t size() const { return list_.size(); }
    [[nodiscard]] bool empty() const { return list_.empty(); }
    [[nodiscard]] const Diagnostic& operator[](std::size_t i) const { return list_[i]; }
    [[nodiscard]] const Diagnostic& front() const { return list_.front(); }
    [[nodiscard]] const Diagnostic& back() const { return list_.back(); }

  private:
    struct Count {
        std::size_t kept = 0;
        std::size_t more = 0;
        std::size_t summary = 0;  // index in list_, where there are more
    };

    void count_more(Severity severity, const std::string& file, std::size_t number);

    std::vector<Diagnostic> list_;
    std::array<Count, 3> counts_;  // by severity
    std::size_t characters_ = 0;
};

/// "topology.conf:3: MESSAGE; REMEDY" on one line, without the severity.
[[nodiscard]] std::string to_string(const Diagnostic& diagnostic);

/// Whether one of them has Severity::error.
[[nodiscard]] bool has_error(const Diagnostics& diagnostics);

}  // namespace nvl72block
