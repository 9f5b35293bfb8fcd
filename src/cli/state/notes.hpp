// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a reader has to say about its text: each remark once, with the number of its occurrences.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <unordered_map>
#include <vector>

namespace nvl72block::cli {

class Notes {
  public:
    void add(const std::string& remark);
    /// "note: REMARK" or "note: REMARK (12 times)" on a line each.
    void print(std::ostream& stream) const;
    [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

  private:
    std::vector<std::string> remarks_;
    std::unordered_map<std::string, std::size_t> counts_;
};

}  // namespace nvl72block::cli
