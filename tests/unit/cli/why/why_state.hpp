// SPDX-License-Identifier: GPL-2.0-or-later
//
// A state of four racks of four with a waiting job, and the question that it asks.
#pragma once

#include <sstream>

#include "../state/snapshot_folder.hpp"
#include "cli/question/job_question.hpp"
#include "cli/why/asked_job.hpp"

namespace nvl72block::cli {

class WhyState : public testing::Test {
  protected:
    /// `map` as in SnapshotText; the jobs of `running`, and job 13.
    void read(const std::string& map, const JobLine& waiting,
              const std::vector<JobLine>& running = {}, const std::string& reservations = "") {
        SnapshotText text(map);
        if (!reservations.empty()) text.reservations = reservations;
        text.jobs.clear();
        for (const JobLine& job : running) text.jobs += job_line(job);
        text.jobs += job_line(waiting);
        state_ = std::make_unique<ClusterState>(read_state({text.write(folder_), ""}, notes_));
        question_ = job_question(*state_, find_job(*state_, "13"), 0);
    }

    static JobLine waiting(const std::string& count, const nlohmann::json& more = {}) {
        JobLine job;
        job.id = 13;
        job.count = count;
        job.more = more;
        return job;
    }

    static JobLine running(unsigned id, const std::string& nodes, const std::string& end) {
        JobLine job;
        job.id = id;
        job.state = "RUNNING";
        job.nodes = nodes;
        job.end = end;
        return job;
    }

    Folder folder_;
    std::ostringstream notes_;
    std::unique_ptr<ClusterState> state_;
    JobQuestion question_;
};

}  // namespace nvl72block::cli
