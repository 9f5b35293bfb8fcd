// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why a pending job does not start, when it could, and with which changes it would now. Each answer
// is the engine's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/question/job_question.hpp"
#include "cli/state/will_run.hpp"
#include "nvl72block/clique.hpp"
#include "nvl72block/placement.hpp"

namespace nvl72block::cli {

/// What the plugin in slurmctld has written about a waiting job, at its last evaluation for a
/// start.
struct Told {
    std::string sentence;              ///< why it was refused
    std::vector<std::string> options;  ///< with each of them it would have started
};

/// A sentence as the plugin writes it; nullopt for none.
[[nodiscard]] std::optional<Told> told_in(std::string_view sentence);

/// nullopt where there is no sentence, or slurmctld does not evaluate the job (it is held, depends
/// on another one, its time has not come, a limit keeps it) and what it was told may be old.
[[nodiscard]] std::optional<Told> told_by_plugin(const JobRecord& job, SlurmTime now);

/// What the base blocks have for a segment, or for a job that has to lie in one of them.
struct BaseBlockRoom {
    std::uint32_t wanted = 0;  ///< nodes per base block; 0: the job spans several base blocks
    std::uint32_t enough = 0;  ///< base blocks with at least so many usable nodes
    std::uint32_t empty = 0;   ///< base blocks without any
    struct Short {
        std::uint32_t usable = 0;
        std::uint32_t blocks = 0;
    };
    std::vector<Short> lacking;  ///< the others, fullest first
    /// Nodes of the smallest aggregated block that could hold the whole job; 0: none can, or it
    /// needs none.
    std::uint32_t level_size = 0;
    std::uint32_t enough_together = 0;  ///< the most of `enough` that lie in one block of that size
};

struct DrainedBlock {
    BlockIndex block = no_block;
    NodeSet nodes;
};

/// When the job could start, by the time limits of running jobs and the ends of reservations.
struct Forecast {
    std::optional<SlurmTime> start;       ///< nullopt: not even when all of them have ended
    std::vector<const JobRecord*> ended;  ///< jobs whose nodes it would get
    std::vector<const ReservationRecord*> released;  ///< reservations whose nodes it would get
    std::uint32_t endless_nodes = 0;  ///< nodes in use by no job that is shown with an end
    NodeSet usable;                   ///< then; nothing without `start`
    NodeSet nodes;  ///< that it would get of them; with --exclusive=topo, all of their base blocks
    /// Base blocks that have BaseBlockRoom::wanted usable nodes then, and have not now.
    std::uint32_t more_blocks = 0;
};

/// When a pending job could start if all jobs ran up to their time limits and no other one started:
/// the earliest of the times at which a job or a reservation ends, not before --begin. Asks the
/// engine about as many times as a bisection of these times takes, once more for each reservation
/// to come.
[[nodiscard]] Forecast forecast(const ClusterState& state, const Occupancy& occupancy,
                                const JobQuestion& question);

/// A change with which the job would start now.
struct Suggestion {
    std::string option;   ///< "--segment=8", or empty
    NodeSet repaired;     ///< nodes to be brought back into service; empty for an option
    std::string because;  ///< of nodes: why they are out of service; may be empty
};

/// The smallest changes with which a job that does not fit would start now: the engine has answered
/// each of them with a placement. `nodes` are what the job's viewer sees. Where the plugin has
/// `told` some, those that it cannot tell, or not of every job.
[[nodiscard]] std::vector<Suggestion> suggestions(const ClusterState& state,
                                                  const Occupancy& occupancy,
                                                  const JobQuestion& question,
                                                  const Availability& nodes,
                                                  const std::optional<Told>& told = {});

struct Diagnosis {
    std::optional<WillRun> will_run;  ///< `told` and `answer` are its, where slurmctld was asked
    std::optional<Told> told;         ///< counts before `answer`
    Availability nodes;
    NodeSet usable;
    NodeSet busy;  ///< in use, without those of `usable`
    Answer answer;
    bool start_heard = false;  ///< `answer` is a start that slurmctld found, whatever is not known
    BaseBlockRoom counts;
    std::vector<DrainedBlock> drained;     ///< most drained nodes first
    std::vector<const JobRecord*> before;  ///< waiting jobs that come first, in order
    /// Backfill's, after these jobs; nullopt: none, or past.
    std::optional<SlurmTime> planned_start;
    Forecast forecast;
    std::vector<Suggestion> suggestions;

    [[nodiscard]] bool fits() const { return !told && answer_fits(); }
    /// By what the command itself makes of the records, or slurmctld of a start at once.
    [[nodiscard]] bool answer_fits() const { return std::holds_alternative<Placement>(answer); }
    [[nodiscard]] bool permanent() const {
        return !answer_fits() && std::get<Refusal>(answer).permanent;
    }
};

/// `will_run`: slurmctld's own answer.
[[nodiscard]] Diagnosis diagnose(const ClusterState& state, const JobQuestion& question,
                                 const std::optional<WillRun>& will_run = std::nullopt);

/// In the partition that slurmctld names; by the records in the first of the job's partitions where
/// it fits, or in the first one that takes it. slurmctld is asked where the plugin has written no
/// sentence that still holds, or the records contradict it.
[[nodiscard]] std::pair<JobQuestion, Diagnosis> diagnose(const ClusterState& state,
                                                         const JobRecord& job,
                                                         const AskSlurmctld& ask = {});

struct RequiredNode {
    std::string name;
    std::string because;  ///< "job 11 of alice until 21:51", "out of service (fan)", "reserved"
};

/// Which of the nodes that a job requires by name it cannot use now, and who has them.
[[nodiscard]] std::vector<RequiredNode> required_not_usable(const ClusterState& state,
                                                            const JobQuestion& question,
                                                            const Diagnosis& diagnosis);

/// How good the place of a running job is.
struct PlaceQuality {
    std::uint32_t base_blocks = 0;
    std::uint32_t fewest_blocks = 0;       ///< that could hold it if the cluster were empty
    std::uint32_t segments = 0;            ///< 0: not segmented
    std::uint32_t whole_segments = 0;      ///< that can lie within one base block each
    std::uint32_t outside = 0;             ///< nodes in no block
    bool cliques_known = false;            ///< nodes of the cluster name NVLink cliques
    std::uint32_t cliques = 0;             ///< in use
    std::uint32_t without_clique = 0;      ///< nodes that name none
    std::uint32_t segments_in_clique = 0;  ///< that can lie within one clique each
    /// Base blocks in which its nodes are of several cliques.
    std::vector<BlockIndex> crossed;
};

/// `cliques` is null where no node names one.
[[nodiscard]] PlaceQuality place_quality(const Topology& topology, const JobRecord& job,
                                         std::uint32_t segment_size, const CliqueMap* cliques);

}  // namespace nvl72block::cli
