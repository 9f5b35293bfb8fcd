// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/availability.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/input/input_error.hpp"
#include "cli/question/node_use.hpp"
#include "text/excerpt.hpp"
#include "text/has_word.hpp"

namespace nvl72block::cli {
namespace {

bool overlaps(const ReservationRecord& reservation, const Viewer& viewer, SlurmTime from) {
    if (reservation.end <= from) return false;
    return !viewer.duration || reservation.start < from + *viewer.duration;
}

bool binds_to_nodes(const ReservationRecord& reservation) {
    return !reservation.flex && !reservation.any_nodes;
}

/// Whether jobs of the reservation may use nodes of the other one, as Slurm's job_test_resv() says.
bool may_overlap(const ReservationRecord& own, const ReservationRecord& other) {
    return own.maint || (own.overlap && !other.maint);
}

}  // namespace

std::optional<std::int64_t> asked_duration(const std::string& time_limit, const char* option) {
    const auto seconds = parse_time_limit(time_limit);
    if (!seconds && !time_limit.empty())
        throw InputError(option, fmt::format("{} is not a time limit", excerpt(time_limit)),
                         "write it as for sbatch, e.g. 90, 4:00:00 or 1-12");
    return seconds;
}

NodeSet visible_nodes(const ClusterState& state, const Viewer& viewer) {
    NodeSet nodes(state.nodes.size());
    const ReservationRecord* own =
        viewer.reservation.empty() ? nullptr : state.find_reservation(viewer.reservation);
    for (NodeIndex node = 0; node < state.nodes.size(); ++node)
        if ((viewer.partition == nullptr || viewer.partition->nodes.test(node)) &&
            (own == nullptr || !binds_to_nodes(*own) || own->nodes.test(node)))
            nodes.set(node);
    return nodes;
}

NodeSet reserved_nodes(const ClusterState& state, const Viewer& viewer, SlurmTime from) {
    NodeSet reserved(state.nodes.size());
    NodeSet shown(state.nodes.size());
    const ReservationRecord* its = state.find_reservation(viewer.reservation);
    for (const ReservationRecord& reservation : state.reservations) {
        shown.unite(reservation.nodes);
        const bool own = &reservation == its;
        if (!own && its != nullptr && may_overlap(*its, reservation)) continue;
        const bool in_force = reservation.start <= from && from < reservation.end;
        if (own ? !in_force && !reservation.flex : overlaps(reservation, viewer, from))
            reserved.unite(own ? visible_nodes(state, viewer) : reservation.nodes);
    }
    // A reservation that this user may not see shows in its nodes' states.
    for (NodeIndex node = 0; node < state.nodes.size(); ++node)
        if ((state.nodes[node].has(flag_reserved) || state.nodes[node].has(flag_maint)) &&
            !shown.test(node))
            reserved.set(node);
    return reserved;
}

Availability availability(const ClusterState& state, const Viewer& viewer) {
    const std::size_t count = state.nodes.size();
    Availability result{NodeSet(count), NodeSet(count), NodeSet(count),
                        NodeSet(count), NodeSet(count), NodeSet(count)};
    const NodeSet reserved = reserved_nodes(state, viewer, state.now);
    visible_nodes(state, viewer).for_each([&](NodeIndex index) {
        const NodeRecord& node = state.nodes[index];
        if (!in_service(node)) {
            result.drained.set(index);
        } else if (!is_free(node)) {
            result.busy.set(index);
            if (node.base == NodeBase::mixed) result.shared.set(index);
        } else if (reserved.test(index)) {
            result.reserved.set(index);
        } else {
            result.free.set(index);
            if (node.has(flag_planned)) result.planned.set(index);
        }
    });
    return result;
}

NodeSet foreign_nodes(const ClusterState& state, const Viewer& viewer) {
    NodeSet nodes = reserved_nodes(state, viewer, state.now);
    for (NodeIndex node = 0; node < state.nodes.size(); ++node)
        if (has_job(state.nodes[node])) nodes.set(node);
    return nodes;
}

NodeSet whole_blocks(const Topology& topology, NodeSetView nodes) {
    NodeSet all(nodes.size());
    for (BlockIndex block = 0; block < topology.block_count(); ++block) {
        if (topology.count(block, nodes) == 0) continue;
        for (const NodeRange& range : topology.ranges(block))
            for (NodeIndex node = range.begin; node < range.end; ++node) all.set(node);
    }
    return all;
}

std::optional<bool> meets_constraint(std::string_view features, std::string_view constraint) {
    if (constraint.empty()) return true;
    const bool any = constraint.find('|') != std::string_view::npos;
    const bool all = constraint.find_first_of("&,") != std::string_view::npos;
    if ((any && all) || constraint.find_first_of("[]*()!") != std::string_view::npos)
        return std::nullopt;
    bool met = !any;
    while (!constraint.empty()) {
        const std::string_view name = constraint.substr(0, constraint.find_first_of("|&,"));
        constraint.remove_prefix(std::min(name.size() + 1, constraint.size()));
        met = any ? met || has_word(features, name) : met && has_word(features, name);
    }
    return met;
}

}  // namespace nvl72block::cli
