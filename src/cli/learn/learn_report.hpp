// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a log taught, for people and as JSON.
#pragma once

#include <optional>
#include <string>

#include "nvl72block/demand.hpp"
#include "replay/history/log_history.hpp"

namespace nvl72block::cli {

struct Lesson {
    replay::LogHistory log;
    std::size_t not_run = 0;       ///< jobs left out
    std::size_t listed_again = 0;  ///< jobs of more than one file, counted once
    Demand keeps;                  ///< what slurmctld would keep slots for at the end of the log
    /// Where the topology is known: nodes, and the days for which all of them make up the history.
    struct Cluster {
        std::size_t nodes = 0;
        double days = 0;
    };
    std::optional<Cluster> cluster;
    std::string output;  ///< the file that was written
};

[[nodiscard]] std::string lesson_text(const Lesson& lesson);
[[nodiscard]] std::string lesson_json(const Lesson& lesson);

}  // namespace nvl72block::cli
