// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/learn/learn_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/input/input_error.hpp"
#include "cli/input/loaded_cluster.hpp"
#include "cli/input/text_file.hpp"
#include "cli/learn/learn_report.hpp"
#include "cli/replay/replay_sources.hpp"
#include "files/write_whole.hpp"
#include "nvl72block/learned_demand.hpp"
#include "text/plural.hpp"
#include "text/seconds.hpp"

namespace nvl72block::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* learn_footer = R"(
The logs are those of replay: sacct -aX -P with the columns below (SegmentSize from Slurm 25.05 on),
the Standard Workload Format or comma-separated values. slurmctld takes the file nvl72block_history
in StateSaveLocation over when it starts and when it is reconfigured.

Examples:
  sacct -aX -P -r gpu -S now-60days \
      -o JobID,Submit,Start,End,Timelimit,NNodes,ReqTRES,SegmentSize > jobs.txt
  nvl72block learn jobs.txt --topology /etc/slurm/topology.conf
  nvl72block learn jobs.txt --output /var/spool/slurmctld/nvl72block_history)";

std::int64_t now() {
    return std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
}

/// The jobs of all files, each once.
class Logs {
  public:
    explicit Logs(const std::vector<std::string>& files) {
        for (const std::string& file : files) read(file);
        check_jobs_are_told_apart(files);
    }

    [[nodiscard]] const std::vector<replay::TraceJob>& jobs() const { return jobs_; }
    [[nodiscard]] std::size_t not_run() const { return not_run_; }
    [[nodiscard]] std::size_t ends_lost() const { return ends_lost_; }
    [[nodiscard]] std::size_t listed_again() const { return listed_again_; }

  private:
    using Run = std::pair<std::string, std::int64_t>;  // JobID and start

    void read(const std::string& file) {
        check_readable("learn", file);
        std::ifstream stream(file);
        try {
            replay::Trace trace = replay::read_log(stream, file);
            not_run_ += trace.not_run;
            ends_lost_ += trace.ends_lost;
            for (replay::TraceJob& job : trace.jobs) add(std::move(job));
        } catch (const replay::TraceError& error) {
            throw InputError(error.what());
        }
    }

    /// A job that was requeued has another start. One that ran at the end of a file has its end in
    /// the next.
    void add(replay::TraceJob job) {
        without_id_ = without_id_ || job.id.empty();
        if (!job.id.empty()) {
            const Run run{job.id, job.arrival + job.wait};
            const auto [known, is_new] = known_.try_emplace(run, jobs_.size());
            if (!is_new) {
                replay::TraceJob& before = jobs_[known->second];
                before.duration = std::max(before.duration, job.duration);
                ++listed_again_;
                return;
            }
        }
        jobs_.push_back(std::move(job));
    }

    void check_jobs_are_told_apart(const std::vector<std::string>& files) const {
        if (files.size() > 1 && without_id_)
            throw InputError("learn",
                             fmt::format("{} files have jobs without JobID, and a job that is in "
                                         "two of them would count twice",
                                         files.size()),
                             "add the column JobID, or pass one file");
    }

    std::vector<replay::TraceJob> jobs_;
    std::map<Run, std::size_t> known_;  // places in jobs_
    std::size_t not_run_ = 0;
    std::size_t ends_lost_ = 0;
    std::size_t listed_again_ = 0;
    bool without_id_ = false;
};

void check_is_long_enough(const LearnOptions& options, const replay::LogHistory& log) {
    const std::int64_t seconds = log.end - log.begin;
    if (seconds < day)
        throw InputError(options.logs.front(),
                         fmt::format("{} in {:.1f} hours are no history: less than a day",
                                     plural(log.jobs, "job"), static_cast<double>(seconds) / 3600),
                         "pass a log of a week or more, such as sacct -S now-60days prints");
}

/// What the numbers cannot show.
void print_notes(const LearnOptions& options, const Logs& logs, const replay::LogHistory& log,
                 std::ostream& notes) {
    if (logs.not_run() != 0)
        notes << fmt::format("note: {} that never ran left out\n", plural(logs.not_run(), "job"));
    notes << lost_ends_note(logs.ends_lost());
    if (logs.listed_again() != 0)
        notes << fmt::format("note: {} of more than one file counted once\n",
                             plural(logs.listed_again(), "job"));
    const auto has_segment = [](const replay::TraceJob& job) { return job.segment.has_value(); };
    if (options.segment_rule == "plain" && std::ranges::none_of(logs.jobs(), has_segment))
        notes << "note: the log has no column SegmentSize: every job counts as one without "
                 "segments; --segment-rule says what the jobs ask for\n";
    const std::int64_t age = now() - log.end;
    if (age > static_cast<std::int64_t>(DemandHistory::default_half_life) && !options.ends_now)
        notes << fmt::format(
            "note: the log ends {} days ago: slurmctld will count {:.3g} of it; pass a newer one, "
            "or --ends-now to count it as if it ended now\n",
            age / day, std::exp2(-static_cast<double>(age) / DemandHistory::default_half_life));
}

void let_end_now(DemandHistory& history) {
    const std::vector<DemandHistory::Entry> entries = history.entries();
    history.restore(now(), entries);
}

void set_what_is_kept(const LearnOptions& options, Lesson& lesson, std::ostream& notes) {
    const DemandHistory& history = lesson.log.history;
    const std::int64_t end = history.latest();
    if (options.topology.empty()) {
        lesson.keeps = history.demand(end, {});
        return;
    }
    const LoadedCluster loaded = load_cluster(options.topology, {}, notes);
    const auto ground = LearnedDemand::Ground::of(loaded.topology());
    auto learned = LearnedDemand::from_accounting(history);
    learned.begin(end);
    learned.finish(ground);
    lesson.keeps = learned.demand();
    lesson.cluster = {ground.nodes,
                      history.amount(end) / (static_cast<double>(ground.nodes) * day)};
}

void check_can_be_written(const LearnOptions& options) {
    std::error_code ignored;
    const fs::file_status status = fs::symlink_status(options.output, ignored);
    if (!fs::exists(status)) return;
    if (!fs::is_regular_file(status))
        throw InputError("--output",
                         fmt::format("\"{}\" exists and is not a regular file", options.output),
                         "choose another name");
    if (!options.replace)
        throw InputError("--output",
                         fmt::format("\"{}\" exists already, with {} bytes", options.output,
                                     fs::file_size(options.output, ignored)),
                         "choose another name, or add --replace");
}

/// A text that slurmctld would refuse is not written.
void write_history(const LearnOptions& options, const DemandHistory& history) {
    const std::string text = LearnedDemand::from_accounting(history).to_text();
    std::string error;
    if (!LearnedDemand().restore(text, now(), error))
        throw InputError(options.logs.front(), "slurmctld would refuse the history: " + error,
                         "remove jobs with impossible times or sizes");
    const std::string failure = write_whole(options.output, text, Readers::everybody);
    if (!failure.empty())
        throw InputError("--output", failure, "choose a file in a directory that can be written");
}

}  // namespace

CLI::App& add_learn(CLI::App& app, LearnOptions& options) {
    CLI::App& learn = *app.add_subcommand(
        "learn", "Learn from the accounting what slots policy demand keeps from its start");
    learn.add_option("logs", options.logs, "Logs of recorded jobs, as for replay")
        ->type_name("FILE...")
        ->required();
    learn
        .add_option("--segment-rule", options.segment_rule,
                    "plain, nvidia or FROM:SEGMENT,...: segments of jobs without SegmentSize")
        ->type_name("RULE")
        ->capture_default_str();
    learn
        .add_option("--topology", options.topology,
                    "The topology.conf file: tells what this cluster would keep")
        ->type_name("FILE");
    CLI::Option* output = learn.add_option("--output", options.output, "Write the history to FILE")
                              ->type_name("FILE");
    learn.add_flag("--replace", options.replace, "Replace FILE if it exists")->needs(output);
    learn.add_flag("--ends-now", options.ends_now, "Count the log as if it ended now");
    learn.add_flag("--json", options.json, "Print JSON");
    learn.footer(learn_footer);
    return learn;
}

int run_learn(const LearnOptions& options, Console& console) {
    if (!options.output.empty()) check_can_be_written(options);
    replay::WorkloadOptions shape;
    shape.rule = parse_segment_rule(options.segment_rule);
    const Logs logs(options.logs);
    Lesson lesson{history_of(logs.jobs(), shape), logs.not_run(), logs.listed_again(), {}, {}, {}};
    check_is_long_enough(options, lesson.log);
    print_notes(options, logs, lesson.log, console.err);
    if (options.ends_now) let_end_now(lesson.log.history);
    set_what_is_kept(options, lesson, console.err);
    if (!options.output.empty()) {
        write_history(options, lesson.log.history);
        lesson.output = options.output;
    }
    console.out << (options.json ? lesson_json(lesson) + '\n' : lesson_text(lesson));
    return exit_ok;
}

}  // namespace nvl72block::cli
