// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/report/report_command.hpp"

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/question/job_question.hpp"
#include "cli/report/job_reproducer.hpp"
#include "cli/why/asked_job.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* report_footer = R"(
Prints topology.conf, lines of slurm.conf, the state of the nodes, the job and what was answered, so that others can
repeat the decision. Names of nodes and blocks are replaced; names of users, partitions and jobs are left out.

Examples:
  nvl72block report 4711 > report.txt
  nvl72block report 4711 --state SNAPSHOT    as it was when nvl72block snapshot saved the state)";

}  // namespace

CLI::App& add_report(CLI::App& app, ReportOptions& options) {
    CLI::App& report = *app.add_subcommand(
        "report", "Print what belongs in a bug report about a job, with names replaced");
    add_asked_job_options(report, options.job);
    add_state_options(report, options.state);
    report.footer(report_footer);
    return report;
}

int run_report(const ReportOptions& options, Console& console) {
    const ClusterState state = read_state(options.state, console.err, NodeOrder::as_in_slurm);
    const JobRecord job = asked_job(state, options.job, console.err);
    console.out << to_text(job_reproducer(state, job_question(state, job, job.segment_size)));
    return exit_ok;
}

}  // namespace nvl72block::cli
