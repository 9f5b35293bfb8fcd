// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/question/node_use.hpp"

namespace nvl72block::cli {

bool in_service(const NodeRecord& node) {
    constexpr std::uint32_t leaving = flag_drain | flag_fail | flag_invalid | flag_powering_down |
                                      flag_power_down | flag_reboot_issued;
    if (node.base != NodeBase::idle && node.base != NodeBase::mixed &&
        node.base != NodeBase::allocated)
        return false;
    if ((node.flags & leaving) != 0) return false;
    // A node that is off or booting does not answer, and is used all the same.
    return !node.has(flag_no_respond) || node.has(flag_powered_down) || node.has(flag_powering_up);
}

bool runs_job(const NodeRecord& node) {
    return node.allocated_cpus > 0 || node.base == NodeBase::allocated ||
           node.base == NodeBase::mixed || node.has(flag_completing);
}

bool has_job(const NodeRecord& node) {
    return runs_job(node) || node.has(flag_blocked);
}

bool is_idle(const NodeRecord& node) {
    return in_service(node) && !runs_job(node);
}

bool is_free(const NodeRecord& node) {
    return in_service(node) && !has_job(node);
}

std::uint64_t scheduling_weight(const NodeRecord& node) {
    constexpr std::uint64_t heavier = std::uint64_t{1} << 32;  // than any Weight=
    return node.weight + (node.has(flag_powered_down) ? heavier : 0);
}

bool holds_nodes(const JobRecord& job) {
    return job.state != JobState::pending && job.state != JobState::other && !job.nodes.empty();
}

}  // namespace nvl72block::cli
