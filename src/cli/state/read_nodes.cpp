// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "cli/state/amounts.hpp"
#include "cli/state/readers.hpp"
#include "text/excerpt.hpp"
#include "text/take_item.hpp"

namespace nvl72block::cli {
namespace {

constexpr std::array bases{
    std::pair{"IDLE", NodeBase::idle},           std::pair{"MIXED", NodeBase::mixed},
    std::pair{"ALLOCATED", NodeBase::allocated}, std::pair{"DOWN", NodeBase::down},
    std::pair{"ERROR", NodeBase::error},         std::pair{"FUTURE", NodeBase::future},
    std::pair{"UNKNOWN", NodeBase::unknown}};

constexpr std::array words{std::pair{"BLOCKED", flag_blocked},
                           std::pair{"CLOUD", flag_cloud},
                           std::pair{"COMPLETING", flag_completing},
                           std::pair{"DRAIN", flag_drain},
                           std::pair{"DYNAMIC_FUTURE", flag_dynamic},
                           std::pair{"DYNAMIC_NORM", flag_dynamic},
                           std::pair{"EXTERNAL", flag_external},
                           std::pair{"INVALID_REG", flag_invalid},
                           std::pair{"FAIL", flag_fail},
                           std::pair{"MAINTENANCE", flag_maint},
                           std::pair{"POWER_DOWN", flag_power_down},
                           std::pair{"POWER_UP", flag_powering_up},
                           std::pair{"POWERED_DOWN", flag_powered_down},
                           std::pair{"REBOOT_REQUESTED", flag_reboot_requested},
                           std::pair{"REBOOT_ISSUED", flag_reboot_issued},
                           std::pair{"RESERVED", flag_reserved},
                           std::pair{"RESUME", flag_resume},
                           std::pair{"NOT_RESPONDING", flag_no_respond},
                           std::pair{"PLANNED", flag_planned},
                           std::pair{"POWERING_UP", flag_powering_up},
                           std::pair{"POWERING_DOWN", flag_powering_down}};

template <typename Value, std::size_t count>
const Value* named(const std::array<std::pair<const char*, Value>, count>& all,
                   std::string_view name) {
    for (const auto& [word, value] : all)
        if (name == word) return &value;
    return nullptr;
}

/// "IDLE+CLOUD+DRAIN"
void read_state_words(NodeRecord& node, Notes& notes) {
    std::string_view rest = node.state;
    bool first = true;
    while (!rest.empty()) {
        const std::string_view word = take_item(rest, '+');
        const NodeBase* base = first ? named(bases, word) : nullptr;
        const NodeFlag* flag = named(words, word);
        if (base != nullptr)
            node.base = *base;
        else if (flag != nullptr)
            node.flags |= *flag;
        else
            notes.add(fmt::format("the unknown node state \"{}\" is ignored", excerpt(word)));
        first = false;
    }
}

}  // namespace

std::vector<NodeRecord> read_nodes(const Document& document, Notes& notes) {
    std::vector<NodeRecord> nodes;
    std::unordered_set<std::string> seen;
    document.root().for_each("nodes", [&](const Members& record) {
        NodeRecord node;
        node.name = record.text("name");
        if (node.name.empty()) record.reject("name", "is missing");
        if (!seen.insert(node.name).second) record.reject("name", "is that of another node, too");
        node.state = record.text("state");
        read_state_words(node, notes);
        node.active_features = record.text("active_features");
        node.available_features = record.text("available_features");
        node.reason = record.text("reason");
        node.cpus = record.number<std::uint32_t>("cpus");
        node.allocated_cpus = record.number<std::uint32_t>("allocated_cpus");
        node.threads_per_core = record.number<std::uint32_t>("threads_per_core");
        node.gpus = gpus_in(record.text("gres"));
        node.gpu_types = gpu_types_in(record.text("gres"));
        // The allocated TRES have GPUs only with AccountingStorageTRES=gres/gpu.
        node.allocated_gpus = std::max(
            gpus_in(record.text("gres_used")),
            static_cast<std::uint32_t>(tres_in(record.text("allocated_tres"), "gres/gpu")));
        node.memory = record.number<std::uint64_t>("memory");
        node.allocated_memory = record.number<std::uint64_t>("allocated_memory");
        node.weight = record.number<std::uint64_t>("weight");
        nodes.push_back(std::move(node));
    });
    return nodes;
}

Inventory cliques_of_nodes(const std::vector<NodeRecord>& nodes, const std::string& prefix) {
    Inventory inventory;
    for (const NodeRecord& node : nodes)
        inventory.add(node.name, read_clique(node.available_features, prefix));
    return inventory;
}

}  // namespace nvl72block::cli
