// SPDX-License-Identifier: GPL-2.0-or-later
//
// The decision: where a job goes, or why it cannot. The rules and the order of preferences are
// written down in docs/placement.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "nvl72block/demand.hpp"
#include "nvl72block/node_set.hpp"
#include "nvl72block/topology.hpp"

namespace nvl72block {

/// Named orders of preference (docs/placement.md).
enum class Policy {
    pack,     ///< keep whole blocks whole first, then few base blocks
    compact,  ///< few base blocks first, then keep whole blocks whole
    demand,   ///< first the job's own locality, then slots for the jobs in demand, then as pack
};

/// What a job asks for. Counts are whole nodes.
struct Request {
    std::uint32_t min_nodes = 1;        ///< at least this many nodes, 1 or more
    std::uint32_t max_nodes = 1;        ///< at most this many; the largest count that fits is taken
    std::uint32_t segment_size = 0;     ///< nodes per segment; 0: not segmented
    bool spread_segments = false;       ///< no two segments share a base block
    bool consolidate_segments = false;  ///< all segments in one aggregated block
    /// The job gets its base blocks for itself (--exclusive=topo): what it leaves there is wasted.
    bool exclusive = false;
    std::uint32_t max_base_blocks = 0;  ///< at most this many base blocks; 0: any number
    NodeSetView required;               ///< nodes that must be in the answer; empty: none
    /// The job's totals over all its nodes, 0 when not asked. With `sized_by_totals` the node
    /// count follows from them: the fewest nodes between min_nodes and max_nodes that hold them,
    /// at the smallest level that can.
    std::uint64_t cpus = 0;
    std::uint64_t gpus = 0;
    bool sized_by_totals = false;
    Policy policy = Policy::pack;
    /// Demand::sizes() of the cluster; read by Policy::demand only. Has to outlive the call.
    std::span<const DemandSize> demand = {};
};

/// What is there. The spans are indexed by node and have topology.node_count() entries, or none
/// when the property does not matter.
struct State {
    NodeSetView usable;                     ///< nodes the job may get
    std::span<const std::uint64_t> weight;  ///< Slurm node weights; lower is taken first
    std::span<const std::uint32_t> cpus;    ///< CPUs the job can get on the node
    std::span<const std::uint32_t> gpus;    ///< GPUs the job can get on the node
    /// Only for the numbers of a refusal: nodes out of service, and nodes the job excludes.
    NodeSetView drained;
    NodeSetView excluded;
    /// Nodes that are idle, whether this job may get them or not: whole blocks and slots are
    /// counted among them. Empty: the usable nodes are taken for them (as in tests of a future
    /// start, when all of them will be idle).
    NodeSetView idle = {};
};

/// Where the job goes.
struct Placement {
    NodeSet nodes;
    /// The segments one after another, each sorted by index; a job without segments is one.
    std::vector<NodeIndex> segment_nodes;
    /// Offsets into segment_nodes, one more than there are segments.
    std::vector<std::uint32_t> segment_begin;
    /// Base blocks used, ascending; empty if the job lies outside all blocks.
    std::vector<BlockIndex> blocks;
    /// Whole base blocks that the job breaks; what an exclusive job wastes is not counted here.
    std::uint32_t broken_blocks = 0;
    /// Elementary steps that the decision took: blocks looked at, costs summed. The bound is in
    /// docs/placement.md.
    std::uint64_t steps = 0;
    /// The node count is the right one and no other placement of it comes first by preferences 1
    /// to 5. False where the search limit was reached, or where the totals had to be looked for:
    /// rules and totals hold, but a better placement may exist.
    bool proven = true;
};

/// Which rule a job failed. The order says nothing.
enum class RefusalReason {
    bad_request,               ///< the request contradicts itself (e.g. segment does not divide)
    not_enough_nodes,          ///< fewer usable nodes than asked, wherever they lie
    required_not_usable,       ///< a required node is not usable
    required_without_island,   ///< a required node has no island, and the job is of several nodes
    required_not_in_block,     ///< a required node lies in no block
    required_outside_too_few,  ///< a required node lies in no block, and too few usable ones do
    required_do_not_fit,       ///< the required nodes cannot lie together as the rules ask
    no_block_fits,             ///< no block of the level holds the job
    segments_do_not_fit,       ///< fewer segments fit than wanted
    too_many_base_blocks,      ///< it fits, but not in max_base_blocks
    not_enough_totals,         ///< nodes fit, their CPUs or GPUs do not suffice
    // Not of place(), but of those who ask it for a job: see refuse().
    node_limit_too_low,      ///< at most JobNumbers::allowed_nodes, of partition or QOS
    tasks_do_not_fit,        ///< more than JobNumbers::allowed_nodes nodes take
    no_suitable_node,        ///< none that is offered is of use to the job
    required_too_large,      ///< a required node has more CPUs than the job may have
    required_not_suitable,   ///< a required node lacks cores or GRES for the job
    not_enough_free,         ///< fewer nodes are free than asked; the rules were not looked at
    kept_for_others,         ///< enough are free, but kept for other jobs or reservations
    layout_lacks_cpus,       ///< the nodes that the rules allow lack CPUs when they are laid out
    layout_lacks_gres,       ///< the same, GRES
    gres_do_not_divide,      ///< GRES of the whole job cannot be divided among its segments
    layouts_failed,          ///< too many placements failed while they were laid out
    waits_for_fewer_blocks,  ///< it would fit in more base blocks than --switches allows
    engine_failed,           ///< a fault of the engine
};

/// What the blocks of one level can give, for the refusal's numbers.
struct LevelOffer {
    std::uint32_t block_size = 0;    ///< nodes, as in BlockSizes
    std::uint32_t best_free = 0;     ///< usable nodes in the fullest-free block of the level
    std::uint32_t blocks_whole = 0;  ///< blocks of the level with all planned nodes idle
};

/// What a refusal tells that place() does not know; 0 or false where it does not matter.
struct JobNumbers {
    std::uint32_t allowed_nodes = 0;
    std::uint32_t tasks = 0;
    std::uint32_t tasks_per_node = 0;
    /// Of `not_enough_free`: idle nodes in service that are kept for other jobs or reservations.
    std::uint32_t kept_nodes = 0;
    bool shares_nodes = false;   ///< nodes in part use count as free
    bool unused_blocks = false;  ///< only base blocks without a job count
    /// Of `waits_for_fewer_blocks`: base blocks that --switches allows, those of the nodes that the
    /// job could have now, and the seconds after which it takes them, counted from the first time
    /// that it could.
    std::uint32_t allowed_blocks = 0, blocks_now = 0, wait_seconds = 0;
};

/// Why a job cannot be placed, as numbers. sentence() renders it.
struct Refusal {
    RefusalReason reason = RefusalReason::not_enough_nodes;
    /// Never, whatever the state: the request contradicts itself or the topology.
    bool permanent = false;
    std::uint32_t wanted_nodes = 0;     ///< the smallest count that the job accepts
    std::uint32_t usable_nodes = 0;     ///< usable, in blocks or not
    std::uint32_t usable_outside = 0;   ///< of those, in no block
    std::uint32_t drained_nodes = 0;    ///< members of State::drained in blocks or not
    std::uint32_t excluded_nodes = 0;   ///< members of State::excluded
    std::uint32_t segment_size = 0;     ///< nodes per segment; 0: not segmented
    std::uint32_t segments_wanted = 0;  ///< of wanted_nodes; 0: not segmented
    /// Segments that fit under all rules of the request, always fewer than wanted; an upper bound
    /// where not exact.
    std::uint32_t segments_fit = 0;
    bool segments_fit_exact = true;
    std::uint32_t level_size = 0;  ///< nodes of the block level the job must lie in; 0: the whole
    /// Most nodes that any block of that level can give this job, max_base_blocks included.
    std::uint32_t best_fit_nodes = 0;
    std::uint32_t max_base_blocks = 0;  ///< as requested; 0: any number
    /// At least so many are needed; where the refusal is not proven, the fewest that were found.
    std::uint32_t needed_base_blocks = 0;
    /// The totals of the request, and what all usable nodes have together; 0
    /// where the request has no total, or the state no such numbers.
    std::uint64_t wanted_cpus = 0, best_cpus = 0;
    std::uint64_t wanted_gpus = 0, best_gpus = 0;
    /// With enforced cliques: the usable nodes in blocks that have no island (not among
    /// usable_nodes), and the most usable nodes in one island.
    bool cliques_enforced = false;
    std::uint32_t without_island = 0;
    std::uint32_t best_island_free = 0;
    std::vector<LevelOffer> levels;  ///< as Topology::levels()
    std::uint64_t steps = 0;         ///< as in Placement
    /// There is no placement. False where the search limit was reached and one may exist; the
    /// sentence says so.
    bool proven = true;
    std::string detail;  ///< names what only the request knows, e.g. the offending value
    JobNumbers job;      ///< of refuse()
};

/// One sentence for people, with the numbers.
[[nodiscard]] std::string sentence(const Refusal& refusal);

/// A short word for machines, e.g. "no_block_fits".
[[nodiscard]] const char* to_string(RefusalReason reason);

/// What place() answers.
using Answer = std::variant<Placement, Refusal>;

/// How long a decision may look for something better. One budget serves all of a decision: every
/// count of a range, every attempt with totals. When it ends, the best placement found so far is
/// the answer, and it says that it is not proven.
struct Budget {
    /// Elementary steps (Placement::steps); none: a bound that grows with the base blocks.
    std::optional<std::uint64_t> steps;
    /// A search of at most so many steps is made at once; a longer one looks for a good answer
    /// first and then only for what is as good. The answer is the same either way.
    std::uint64_t direct_search = 1U << 15;
};

/// Places one job. Where `topology` has islands, cliques are enforced (docs/placement.md,
/// "Cliques"): a plain job or a segment of up to the planning size lies in one island of its base
/// block, and a node without an island serves jobs and segments of one node only. Pure: the same
/// input gives the same answer; thread-safe; allocates arrays in proportion to blocks plus segments
/// and frees them. Never throws but std::bad_alloc.
[[nodiscard]] Answer place(const Topology& topology, const Request& request, const State& state,
                           const Budget& budget = {});

/// A refusal that place() does not give, with the numbers of request and state. As in place(), with
/// enforced cliques nodes without an island count for one-node jobs only. `kept_for_others` becomes
/// `not_enough_free` where all free nodes (State::usable) are too few; nullopt where
/// `not_enough_free` is not true.
[[nodiscard]] std::optional<Refusal> refuse(const Topology& topology, const Request& request,
                                            const State& state, RefusalReason reason,
                                            const JobNumbers& job = {});

}  // namespace nvl72block
