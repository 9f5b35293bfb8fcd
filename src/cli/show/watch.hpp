// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text on a terminal that is drawn again and again until the user ends it.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>

#include "cli/console.hpp"

namespace nvl72block::cli {

struct Watched {
    std::function<std::string(TerminalSize)> text;  ///< what to show now
    std::function<TerminalSize()> size;
    std::function<bool()> wait;  ///< until the next drawing; false: the end
};

/// Draws on the terminal's second screen and leaves the first one as it was, however it ends.
void watch(std::ostream& out, const Watched& watched);

/// While it lives, SIGINT, SIGTERM and SIGHUP do not end the process but stop().
class StopSignals {
  public:
    StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;
    ~StopSignals();

    [[nodiscard]] static bool stopped();
    /// Returns after `time`, or at once when one of the signals arrives; whether to go on.
    [[nodiscard]] static bool wait(std::chrono::seconds time);
};

}  // namespace nvl72block::cli
