// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/why/why_command.hpp"

#include <CLI/CLI.hpp>
#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/json_line.hpp"
#include "cli/question/cliques.hpp"
#include "cli/question/job_question.hpp"
#include "cli/why/asked_job.hpp"
#include "cli/why/diagnosis.hpp"
#include "cli/why/why_report.hpp"

namespace nvl72block::cli {
namespace {

constexpr const char* why_footer = R"(
Of a running cluster, slurmctld itself tells whether the job could start now, and on which nodes. The other numbers and
the suggestions are answers of the plugin's engine for the nodes as they are now. Limits of accounts and QOS are not
considered beyond the reason that Slurm gives.

Examples:
  nvl72block why 4711
  nvl72block why 4711_3 --json
  nvl72block why 4711 --segment 16    where Slurm is 24.11, which does not show a job's --segment)";

}  // namespace

CLI::App& add_why(CLI::App& app, WhyOptions& options) {
    CLI::App& why = *app.add_subcommand(
        "why", "Explain why a job waits, when it could start, and what would make it start now");
    add_asked_job_options(why, options.job);
    add_state_options(why, options.state);
    why.add_flag("--json", options.json, "Print JSON on one line");
    why.footer(why_footer);
    return why;
}

int run_why(const WhyOptions& options, Console& console) {
    const ClusterState state = read_state(options.state, console.err);
    const JobRecord job = asked_job(state, options.job, console.err);
    if (job.state == JobState::pending) {
        AskSlurmctld ask;
        if (options.state.folder.empty() && options.state.topology.empty())
            ask = [&](const JobRecord& asked) { return ask_will_run(state, asked, console.err); };
        const auto [question, diagnosis] = diagnose(state, job, ask);
        console.out << (options.json ? json_line(pending_json(state, question, diagnosis)) + '\n'
                                     : pending_text(state, question, diagnosis));
        return exit_ok;
    }
    const JobQuestion question = job_question(state, job, job.segment_size);
    const std::optional<CliqueMap> cliques = cliques_of(state);
    const PlaceQuality quality = place_quality(state.topology(), job, question.request.segment_size,
                                               cliques ? &*cliques : nullptr);
    console.out << (options.json ? json_line(running_json(state, question, quality)) + '\n'
                                 : running_text(state, question, quality));
    return exit_ok;
}

}  // namespace nvl72block::cli
