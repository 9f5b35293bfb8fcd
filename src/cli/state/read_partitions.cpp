// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <limits>
#include <optional>

#include "cli/state/readers.hpp"
#include "nvl72block/hostlist.hpp"

namespace nvl72block::cli {
namespace {

void read_limits(const Members& record, PartitionRecord& partition) {
    partition.max_time = record.duration("max_time");
    partition.default_time = record.duration("default_time");
    partition.min_nodes = record.number<std::uint32_t>("min_nodes");
    partition.max_nodes = record.find<std::uint32_t>("max_nodes");
    partition.max_memory_per_node = record.number<std::uint64_t>("max_memory_per_node");
    partition.max_memory_per_cpu = record.number<std::uint64_t>("max_memory_per_cpu");
    partition.max_cpus_per_node = record.number<std::uint32_t>("max_cpus_per_node");
    partition.max_cpus_per_socket = record.number<std::uint32_t>("max_cpus_per_socket");
    partition.default_cpus_per_gpu = record.number<std::uint64_t>("default_cpus_per_gpu");
    partition.default_memory_per_gpu = record.number<std::uint64_t>("default_memory_per_gpu");
}

void read_access(const Members& record, PartitionRecord& partition) {
    partition.allow_groups = record.text("allow_groups");
    partition.allow_accounts = record.text("allow_accounts");
    partition.deny_accounts = record.text("deny_accounts");
    partition.allow_qos = record.text("allow_qos");
    partition.deny_qos = record.text("deny_qos");
    partition.alloc_nodes = record.text("alloc_nodes");
    partition.root_only = record.flag("root_only");
    partition.needs_reservation = record.flag("needs_reservation");
}

PartitionRecord partition_of(const Members& record, const NodeTable& table, Notes& notes) {
    PartitionRecord partition;
    partition.name = record.text("name");
    partition.nodes = known_nodes(record.text("nodes"), table,
                                  fmt::format("partition {}", partition.name), notes);
    partition.is_default = record.flag("default");
    partition.up = record.flag("up");
    partition.closed = record.flag("closed");
    partition.exclusive_topo = record.flag("exclusive_topo");
    partition.exclusive_node = partition.exclusive_topo || record.flag("exclusive_node");
    partition.exclusive_user = record.flag("exclusive_user");
    partition.shares_cpus = record.flag("shares_cpus");
    read_limits(record, partition);
    read_access(record, partition);
    partition.tier = record.number<std::uint64_t>("tier");
    partition.preemptible = record.flag("preemptible");
    partition.topology = record.text("topology");
    return partition;
}

ReservationRecord reservation_of(const Members& record, const NodeTable& table, Notes& notes) {
    ReservationRecord reservation;
    reservation.name = record.text("name");
    reservation.nodes = known_nodes(record.text("nodes"), table,
                                    fmt::format("reservation {}", reservation.name), notes);
    reservation.start = record.time("start").value_or(0);
    reservation.end = record.time("end").value_or(std::numeric_limits<SlurmTime>::max());
    reservation.flex = record.flag("flex");
    reservation.any_nodes = record.flag("any_nodes");
    reservation.magnetic = record.flag("magnetic");
    reservation.partial = record.flag("partial");
    reservation.maint = record.flag("maint");
    reservation.overlap = record.flag("overlap");
    return reservation;
}

}  // namespace

NodeSet known_nodes(std::string_view list, const NodeTable& table, std::string_view owner,
                    Notes& notes) {
    NodeSet nodes(table.size());
    if (list.empty()) return nodes;
    std::string error;
    const std::optional<std::vector<std::string>> names = expand_hostlist(list, error);
    if (!names) {
        notes.add(fmt::format("the nodes of {} are not understood: {}", owner, error));
        return nodes;
    }
    for (const std::string& name : *names) {
        const std::optional<NodeIndex> node = table.find(name);
        if (node)
            nodes.set(*node);
        else
            notes.add(fmt::format("{} has nodes that are not shown", owner));
    }
    return nodes;
}

std::vector<PartitionRecord> read_partitions(const Document& document, const NodeTable& table,
                                             Notes& notes) {
    std::vector<PartitionRecord> partitions;
    document.root().for_each("partitions", [&](const Members& record) {
        partitions.push_back(partition_of(record, table, notes));
    });
    return partitions;
}

std::vector<ReservationRecord> read_reservations(const Document& document, const NodeTable& table,
                                                 Notes& notes) {
    std::vector<ReservationRecord> reservations;
    document.root().for_each("reservations", [&](const Members& record) {
        reservations.push_back(reservation_of(record, table, notes));
    });
    return reservations;
}

}  // namespace nvl72block::cli
