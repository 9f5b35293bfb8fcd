// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/metrics/shadow_metrics.hpp"

#include "cli/shadow/shadow_summary.hpp"

namespace nvl72block::cli {

void write_shadow_metrics(const ShadowFile& file, Exposition& exposition) {
    const ShadowSummary summary = summarize(file);
    exposition.gauge("nvl72block_shadow_decisions",
                     "Recorded decisions of topology/block by what nvl72block would have done.");
    exposition.sample({{"difference", "same_nodes"}}, summary.same_nodes);
    exposition.sample({{"difference", "same_racks"}}, summary.same_racks);
    exposition.sample({{"difference", "fewer_racks"}}, summary.fewer_racks);
    exposition.sample({{"difference", "more_racks"}}, summary.more_racks);
    exposition.sample({{"difference", "held_by_topology_block"}}, summary.held.size());
    exposition.sample({{"difference", "held_by_nvl72block"}}, summary.ours_holds.size());
    exposition.sample({{"difference", "waits_for_switches"}}, summary.ours_waits.size());
    exposition.gauge("nvl72block_shadow_faults", "Faults of nvl72block in shadow mode.");
    exposition.sample({}, file.faults.size());
    exposition.gauge("nvl72block_shadow_writes_failed",
                     "Times that records of shadow mode could not be written.");
    exposition.sample({}, file.lost);
}

}  // namespace nvl72block::cli
