// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "cli/inventory/words.hpp"
#include "cli/state/parse.hpp"
#include "cli/state/record.hpp"
#include "text/excerpt.hpp"

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
        const std::string_view word = rest.substr(0, rest.find('+'));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
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

/// "bad tray [root@2026-11-22T20:51:13]" without the brackets.
std::string reason_text(std::string_view written) {
    return std::string(trim(written.substr(0, written.rfind(" ["))));
}

}  // namespace

std::string second_record(std::string_view kind, std::string_view name) {
    return fmt::format("{} {} is shown twice; its first record counts", kind, excerpt(name));
}

std::vector<NodeRecord> parse_nodes(std::string_view text, Notes& notes) {
    std::vector<NodeRecord> nodes;
    std::set<std::string> seen;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (!line.starts_with("NodeName=")) {
            if (!trim(line).empty())
                notes.add(fmt::format("a line about nodes is not understood: {}", excerpt(line)));
            continue;
        }
        const Record record(line);
        NodeRecord node;
        node.name = record.value("NodeName");
        if (!seen.insert(node.name).second) {
            notes.add(second_record("node", node.name));
            continue;
        }
        node.state = record.value("State");
        read_state_words(node, notes);
        node.active_features = record.value("ActiveFeatures");
        node.available_features = record.value("AvailableFeatures");
        node.reason = reason_text(record.rest("Reason"));
        node.cpus = static_cast<std::uint32_t>(
            number_or_zero(record.find("CPUEfctv").value_or(record.value("CPUTot"))));
        node.allocated_cpus = static_cast<std::uint32_t>(number_or_zero(record.value("CPUAlloc")));
        node.gpus = gpus_in(record.value("Gres"));
        // AllocTRES has GPUs only with AccountingStorageTRES=gres/gpu.
        node.allocated_gpus =
            std::max(gpus_in(record.value("GresUsed")),
                     static_cast<std::uint32_t>(tres_in(record.value("AllocTRES"), "gres/gpu")));
        node.allocated_memory = number_or_zero(record.value("AllocMem"));
        node.memory = number_or_zero(record.value("RealMemory"));
        node.weight = number_or_zero(record.value("Weight"));
        nodes.push_back(std::move(node));
    }
    return nodes;
}

}  // namespace nvl72block::cli
