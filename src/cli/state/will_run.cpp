// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/state/will_run.hpp"

#include <ostream>

#include "cli/input/input_error.hpp"
#include "cli/state/document.hpp"
#include "cli/state/readers.hpp"
#include "cli/state/records_program.hpp"

namespace nvl72block::cli {
namespace {

/// Seconds that Slurm adds to the start of a job in its test, or between this and the time that
/// slurmctld is asked for.
constexpr SlurmTime moment = 2;

}  // namespace

WillRun will_run_in(const Document& document, const NodeTable& table) {
    const Members record = document.root().record("will_run");
    Notes notes;
    WillRun found;
    found.partition = record.text("partition");
    found.nodes = known_nodes(record.text("nodes"), table, "slurmctld's answer", notes);
    found.start = record.time("start");
    // The test may take longer than the rest of the document is old.
    const SlurmTime answered = record.time("time").value_or(read_config(document).now);
    found.at_once = found.start && *found.start <= answered + moment;
    found.preempted = record.text("preempted");
    const std::string comment = record.text("system_comment");
    found.told = sentence_in_comment(comment);
    found.segment_size = segment_in_comment(comment);
    return found;
}

std::optional<WillRun> ask_will_run(const ClusterState& state, const JobRecord& job,
                                    std::ostream& notes) {
    try {
        const std::string text = ask_records({"--will-run", std::to_string(job.id)});
        return will_run_in({text, records_name}, state.cluster.nodes);
    } catch (const InputError& error) {
        notes << "note: slurmctld does not test the job: " << error.what() << '\n';
        return std::nullopt;
    }
}

}  // namespace nvl72block::cli
