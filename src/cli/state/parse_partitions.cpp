// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <set>
#include <utility>

#include "cli/inventory/words.hpp"
#include "cli/state/parse.hpp"
#include "cli/state/record.hpp"
#include "nvl72block/hostlist.hpp"
#include "text/excerpt.hpp"
#include "text/number.hpp"

namespace nvl72block::cli {
namespace {

PartitionRecord partition_of(const Record& record, const NodeTable& table, Notes& notes) {
    PartitionRecord partition;
    partition.name = record.value("PartitionName");
    partition.nodes = known_nodes(record.value("Nodes"), table,
                                  fmt::format("partition {}", partition.name), notes);
    partition.is_default = record.value("Default") == "YES";
    const std::string_view state = record.value("State");
    partition.up = state == "UP" || state == "DRAIN";
    const std::string_view exclusive = record.value("Exclusive");  // from 26.05 on
    partition.exclusive_topo = record.value("ExclusiveTopo") == "YES" || exclusive == "TOPO";
    partition.exclusive_node = partition.exclusive_topo || exclusive == "NODE" ||
                               record.value("OverSubscribe") == "EXCLUSIVE";
    partition.max_time = parse_time_limit(record.value("MaxTime"));
    partition.default_time = parse_time_limit(record.value("DefaultTime"));
    partition.min_nodes = number_of<std::uint32_t>(record.value("MinNodes")).value_or(0);
    partition.max_nodes = number_of<std::uint32_t>(record.value("MaxNodes"));
    partition.tier = number_or_zero(record.value("PriorityTier"));
    partition.exclusive_user = record.value("ExclusiveUser") == "YES" || exclusive == "USER";
    const std::string_view oversubscribe = record.value("OverSubscribe");
    partition.shares_cpus = oversubscribe.starts_with("FORCE") || oversubscribe.starts_with("YES");
    partition.topology = record.value("Topology");
    return partition;
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

std::vector<PartitionRecord> parse_partitions(std::string_view text, const NodeTable& table,
                                              Notes& notes) {
    std::vector<PartitionRecord> partitions;
    std::set<std::string> seen;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.starts_with("PartitionName=")) {
            PartitionRecord partition = partition_of(Record(line), table, notes);
            if (seen.insert(partition.name).second)
                partitions.push_back(std::move(partition));
            else
                notes.add(second_record("partition", partition.name));
        } else if (!trim(line).empty() && !line.starts_with("No partitions")) {
            notes.add(fmt::format("a line about partitions is not understood: {}", excerpt(line)));
        }
    }
    return partitions;
}

}  // namespace nvl72block::cli
