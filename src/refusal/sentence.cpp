// SPDX-License-Identifier: GPL-2.0-or-later
//
// Refusals as one sentence for people.
#include <fmt/format.h>

#include <array>

#include "nvl72block/placement.hpp"
#include "text/plural.hpp"

namespace nvl72block {
namespace {

std::string nodes(std::uint64_t count) {
    return plural(count, "node");
}

/// "at most 17 are free in blocks without a job, 3 kept for other jobs or reservations"
std::string free_nodes(const Refusal& refusal) {
    const std::uint32_t count = refusal.usable_nodes;
    std::string text = fmt::format("{}{} {} free{}", refusal.job.shares_nodes ? "at most " : "",
                                   count, count == 1 ? "is" : "are",
                                   refusal.job.unused_blocks ? " in blocks without a job" : "");
    if (refusal.job.kept_nodes > 0)
        text += fmt::format(", {} kept for other jobs or reservations", refusal.job.kept_nodes);
    return text;
}

std::string usable_nodes(const Refusal& refusal) {
    std::string text = fmt::format("{} {} usable", nodes(refusal.usable_nodes),
                                   refusal.usable_nodes == 1 ? "is" : "are");
    if (refusal.usable_outside > 0)
        text += fmt::format(" ({} of them in no block)", refusal.usable_outside);
    return text;
}

/// What is free and what is missing, e.g. "90 nodes are usable, 12 drained, 6 excluded".
std::string inventory(const Refusal& refusal) {
    std::string text = refusal.reason == RefusalReason::not_enough_free ? free_nodes(refusal)
                                                                        : usable_nodes(refusal);
    if (refusal.drained_nodes > 0) text += fmt::format(", {} drained", refusal.drained_nodes);
    if (refusal.excluded_nodes > 0) text += fmt::format(", {} excluded", refusal.excluded_nodes);
    if (refusal.cliques_enforced) {
        text += fmt::format("; NVLink cliques are enforced: at most {} usable in one clique",
                            refusal.best_island_free);
        if (refusal.without_island > 0)
            text += fmt::format(
                ", {} more not usable because they are in none of their "
                "block's cliques",
                refusal.without_island);
    }
    return text;
}

std::string scope(const Refusal& refusal) {
    if (refusal.level_size == 0) return "the whole cluster";
    return fmt::format("one block of {}", refusal.level_size);
}

std::string totals(const Refusal& refusal) {
    std::string text;
    if (refusal.wanted_cpus > 0) text += plural(refusal.wanted_cpus, "CPU");
    if (refusal.wanted_gpus > 0)
        text += (text.empty() ? "" : " and ") + plural(refusal.wanted_gpus, "GPU");
    return text;
}

/// How many segments fit there, as far as it is known.
std::string segments_found(const Refusal& refusal) {
    if (!refusal.proven) return "no placement for all of them was found in " + scope(refusal);
    if (refusal.segments_fit == 0) return "none fits in " + scope(refusal);
    return fmt::format("{} {} {} in {}", refusal.segments_fit_exact ? "only" : "at most",
                       refusal.segments_fit, refusal.segments_fit == 1 ? "fits" : "fit",
                       scope(refusal));
}

std::string segments_sentence(const Refusal& refusal) {
    return fmt::format("needs {} of {}; {}; {}", plural(refusal.segments_wanted, "segment"),
                       nodes(refusal.segment_size), segments_found(refusal), inventory(refusal));
}

/// What the scope offers the job, as far as that alone forbids it.
std::string best_offer(const Refusal& refusal, const char* offers) {
    if (refusal.best_fit_nodes >= refusal.wanted_nodes)
        return refusal.proven ? "no placement exists" : "no placement was found";
    return fmt::format(fmt::runtime(offers), refusal.best_fit_nodes);
}

std::string base_blocks_sentence(const Refusal& refusal) {
    const std::string blocks = plural(refusal.needed_base_blocks, "base block");
    if (refusal.proven)
        return fmt::format("needs at least {}, but at most {} may be used; {}", blocks,
                           refusal.max_base_blocks, inventory(refusal));
    return fmt::format("at most {} may be used, and no placement in fewer than {} was found; {}",
                       plural(refusal.max_base_blocks, "base block"), refusal.needed_base_blocks,
                       inventory(refusal));
}

/// The refusals of refuse().
std::string failed_job(const Refusal& refusal) {
    switch (refusal.reason) {
        case RefusalReason::node_limit_too_low:
            return fmt::format("needs {}, but its limits allow at most {}",
                               nodes(refusal.wanted_nodes), refusal.job.allowed_nodes);
        case RefusalReason::tasks_do_not_fit:
            return fmt::format("has {}, too many for {} with {} each",
                               plural(refusal.job.tasks, "task"), nodes(refusal.job.allowed_nodes),
                               refusal.job.tasks_per_node);
        case RefusalReason::no_suitable_node:
            return "none of the nodes that it could get now is of use to it";
        case RefusalReason::required_too_large:
            return "a node required by name has more CPUs than the job may have";
        case RefusalReason::required_not_suitable:
            return "a node required by name lacks cores or GRES for the job";
        case RefusalReason::kept_for_others:
            return fmt::format(
                "needs {}; {} are free, but too few beside those kept for other jobs or "
                "reservations",
                nodes(refusal.wanted_nodes), refusal.usable_nodes);
        case RefusalReason::layout_lacks_cpus:
            return "the nodes that the rules allow have too few CPUs for the job";
        case RefusalReason::layout_lacks_gres:
            return "the nodes that the rules allow have too few GRES for the job";
        case RefusalReason::gres_do_not_divide:
            return "the job's GRES cannot be divided evenly among its segments";
        case RefusalReason::layouts_failed:
            return "too many placements failed while the job was laid out";
        case RefusalReason::waits_for_fewer_blocks:
            return fmt::format(
                "waits up to {} for at most {} (--switches); what it could get now takes {}",
                refusal.job.wait_seconds < 60
                    ? fmt::format("{} s", refusal.job.wait_seconds)
                    : fmt::format("{} min", refusal.job.wait_seconds / 60),
                plural(refusal.job.allowed_blocks, "base block"), refusal.job.blocks_now);
        case RefusalReason::engine_failed:
            return "the engine failed";
        default:
            return "unknown reason";
    }
}

std::string failed_rule(const Refusal& refusal) {
    switch (refusal.reason) {
        case RefusalReason::bad_request:
            return fmt::format("the request {} fit: {}",
                               refusal.permanent ? "can never" : "does not", refusal.detail);
        case RefusalReason::not_enough_nodes:
        case RefusalReason::not_enough_free:
            return fmt::format("needs {}; {}", nodes(refusal.wanted_nodes), inventory(refusal));
        case RefusalReason::required_not_usable:
            return fmt::format("{} of the nodes required by name cannot be used now",
                               refusal.detail);
        case RefusalReason::required_without_island:
            return fmt::format(
                "{} of the nodes required by name can be used only by one-node jobs: NVLink "
                "cliques "
                "are enforced, and these nodes have no clique, or one of another block",
                refusal.detail);
        case RefusalReason::required_not_in_block:
            return fmt::format(
                "{} of the nodes required by name are in no block; a job with segments, or with "
                "required nodes in blocks too, cannot use them",
                refusal.detail);
        case RefusalReason::required_outside_too_few:
            return fmt::format(
                "needs {} outside all blocks, because it requires nodes there; {} usable there",
                nodes(refusal.wanted_nodes),
                refusal.usable_outside == 1 ? "1 is"
                                            : fmt::format("{} are", refusal.usable_outside));
        case RefusalReason::required_do_not_fit:
            if (refusal.segments_wanted > 0)
                return "with the nodes required by name it " + segments_sentence(refusal);
            return fmt::format("needs {} in {} together with the nodes required by name; {}; {}",
                               nodes(refusal.wanted_nodes), scope(refusal),
                               best_offer(refusal, "at most {} fit there"), inventory(refusal));
        case RefusalReason::no_block_fits:
            return fmt::format(
                "needs {} in {}; {}; {}", nodes(refusal.wanted_nodes), scope(refusal),
                best_offer(refusal,
                           refusal.level_size == 0 ? "at most {} fit" : "the best block has {}"),
                inventory(refusal));
        case RefusalReason::segments_do_not_fit:
            return segments_sentence(refusal);
        case RefusalReason::too_many_base_blocks:
            return base_blocks_sentence(refusal);
        case RefusalReason::not_enough_totals:
            return fmt::format(
                "needs {} in {}; no set of nodes there {}; {}", totals(refusal), scope(refusal),
                refusal.proven ? "has as many" : "that has as many was found", inventory(refusal));
        default:
            return failed_job(refusal);
    }
}

}  // namespace

std::string sentence(const Refusal& refusal) {
    return failed_rule(refusal) +
           (refusal.proven ? "" : "; search limit reached; a placement may still exist");
}

const char* to_string(RefusalReason reason) {
    // In the order of the enumerators.
    static constexpr std::array names{"bad_request",
                                      "not_enough_nodes",
                                      "required_not_usable",
                                      "required_without_island",
                                      "required_not_in_block",
                                      "required_outside_too_few",
                                      "required_do_not_fit",
                                      "no_block_fits",
                                      "segments_do_not_fit",
                                      "too_many_base_blocks",
                                      "not_enough_totals",
                                      "node_limit_too_low",
                                      "tasks_do_not_fit",
                                      "no_suitable_node",
                                      "required_too_large",
                                      "required_not_suitable",
                                      "not_enough_free",
                                      "kept_for_others",
                                      "layout_lacks_cpus",
                                      "layout_lacks_gres",
                                      "gres_do_not_divide",
                                      "layouts_failed",
                                      "waits_for_fewer_blocks",
                                      "engine_failed"};
    static_assert(names.size() == static_cast<std::size_t>(RefusalReason::engine_failed) + 1);
    const auto index = static_cast<std::size_t>(reason);
    return index < names.size() ? names[index] : "unknown";
}

}  // namespace nvl72block
