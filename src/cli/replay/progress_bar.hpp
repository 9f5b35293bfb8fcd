// SPDX-License-Identifier: GPL-2.0-or-later
//
// A progress bar on a terminal; nothing at all elsewhere.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

namespace nvl72block::cli {

class ProgressBar {
  public:
    /// `total` units of work; `visible` is false where no person looks on.
    ProgressBar(std::ostream& stream, std::string title, std::size_t total, bool visible);
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    /// Wipes the bar off its line.
    ~ProgressBar();

    void update(std::size_t done);

  private:
    void draw(unsigned percent);

    std::ostream& stream_;
    std::string title_;
    std::size_t total_;
    bool visible_;
    unsigned shown_percent_ = 101;  // none yet
};

}  // namespace nvl72block::cli
